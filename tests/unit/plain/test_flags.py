"""Yes and no out of descriptions and names, denied rightly, and asked for."""

from __future__ import annotations

import pytest

from controldag.plain.flags import flag_of

DESCRIBED = [
    ("Whether or not smoking is allowed inside", "smoking is allowed inside", "smoking is not allowed inside"),
    (
        "Boolean flag for whether the customer gets a courtesy car",
        "you get a courtesy car",
        "you do not get a courtesy car",
    ),
    ("Boolean flag. Oil without perfume is used", "oil without perfume is used", "oil without perfume is not used"),
    ("Boolean flag indicating if the hotel has wifi", "the hotel has wifi", "the hotel does not have wifi"),
    ("Flag: owners can watch", "owners can watch", "owners cannot watch"),
    ("true if beekeeping is permitted", "beekeeping is permitted", "beekeeping is not permitted"),
    ("Is there a shed on the plot?", "there is a shed on the plot", "there is no shed on the plot"),
    ("Does the shop offer repairs?", "the shop offers repairs", "the shop does not offer repairs"),
    ("did the ancestor emigrate", "the ancestor emigrated", "the ancestor did not emigrate"),
    ("Whether a deposit must be paid", "a deposit must be paid", "a deposit does not have to be paid"),
    ("Whether places are still free", "places are still free", "places are no longer free"),
    ("Whether the bill has already been paid", "the bill has already been paid", "the bill has not been paid yet"),
    ("Whether there are any extra fees", "there are extra fees", "there are no extra fees"),
    ("Whether all rooms have a balcony", "all rooms have a balcony", "it is not true that all rooms have a balcony"),
    ("No trees shade the roof", "no trees shade the roof", "some trees shade the roof"),
    (
        "It can be refunded until Monday",
        "it can be refunded until Monday",
        "it is not true that it can be refunded until Monday",
    ),
    ("Whether to share the ride", "the choice is to share the ride", "the choice is not to share the ride"),
    ("Includes breakfast", "it includes breakfast", "it does not include breakfast"),
    ("Have red eyes removed", "the choice is to have red eyes removed", "the choice is not to have red eyes removed"),
    ("Smell of gas", "there is smell of gas", "there is no smell of gas"),
    ("It might rain", "it might rain", "it is not true that it might rain"),
    ("May contain nuts", "it may contain nuts", "it is not true that it may contain nuts"),
    ("Can bring pets", "you can bring pets", "you cannot bring pets"),
    ("Suitable for children", "it is suitable for children", "it is not suitable for children"),
    ("Wheelchair accessible", "it is wheelchair accessible", "it is not wheelchair accessible"),
    ("House calls offered?", "house calls are offered", "house calls are not offered"),
    ("Wifi availability in rooms", "wifi is available in rooms", "wifi is not available in rooms"),
    ("Courtesy car for guests", "there is a courtesy car for guests", "there is no courtesy car for guests"),
    (
        "true = video lessons, false = classroom",
        "the option is video lessons rather than classroom",
        "the option is classroom rather than video lessons",
    ),
    (
        "Marital status: true = married, false = single",
        "the marital status is married",
        "the marital status is single",
    ),
    ("must", "there is x", "there is no x"),
    ("No pets", "there are no pets", "there are pets"),
    ("Without sugar", "it is without sugar", "it is not without sugar"),
    ("Not suitable for babies", "it is not suitable for babies", "it is suitable for babies"),
    ("Only for members", "it is only for members", "it is not true that it is only for members"),
    ("Extra fee if it rains", "there is an extra fee if it rains", "there is no extra fee if it rains"),
    ("Y/N: is gift", "it is a gift", "it is not a gift"),
    ("Is the user over 18?", "you are over 18", "you are not over 18"),
    ("Flag for express shipping", "there is express shipping", "there is no express shipping"),
    ("Set when the parcel was delivered", "the parcel was delivered", "the parcel was not delivered"),
    ("Whether children under 12 travel free", "children under 12 travel free", "children under 12 do not travel free"),
    ("Whether it rains", "it rains", "it does not rain"),
    ("Has to be paid in cash", "it has to be paid in cash", "it does not have to be paid in cash"),
    ("Whether ride is shared", "the ride is shared", "the ride is not shared"),
    ("Whether the stylist caters to all", "the stylist caters to all", "it is not true that the stylist caters to all"),
]  # fmt: skip

NAMED = [
    ("has_pool", "it has a pool", "it does not have a pool"),
    ("is_unisex", "it is unisex", "it is not unisex"),
    ("isRemoteSigningPossible", "remote signing is possible", "remote signing is not possible"),
    ("no_cost", "there is no cost", "there is a cost"),
    ("non_smoking", "it is non-smoking", "it is not non-smoking"),
    ("pets_allowed", "pets are allowed", "pets are not allowed"),
    ("are_pets_allowed", "pets are allowed", "pets are not allowed"),
    ("breakfast_included", "breakfast is included", "breakfast is not included"),
    ("serves_alcohol", "it serves alcohol", "it does not serve alcohol"),
    ("unscented", "it is unscented", "it is not unscented"),
    ("kid_friendly", "it is kid-friendly", "it is not kid-friendly"),
    ("good_for_kids", "it is good for kids", "it is not good for kids"),
    ("needsWitness", "a witness is needed", "a witness is not needed"),
    ("can_cancel", "it is possible to cancel", "it is not possible to cancel"),
    ("subtitles", "there are subtitles", "there are no subtitles"),
    ("wifi_yes_no", "there is Wi-Fi", "there is no Wi-Fi"),
    ("loaner", "there is a loaner", "there is no loaner"),
    ("", "the answer is yes", "the answer is no"),
]

ASKED = [
    ("Whether pets are allowed", "should pets be allowed"),
    ("Whether the user wants insurance", "would you like insurance"),
    ("Boolean flag for whether the customer gets a courtesy car", "would you like to get a courtesy car"),
    ("Whether the ticket can be refunded", "can the ticket be refunded"),
    ("Whether the pet is insured", "is the pet insured"),
    ("Whether a signature is required", "is a signature required"),
    ("Is it an emergency?", "is it an emergency"),
    ("Whether the learner passed", "did the learner pass"),
    ("Customer is a student", "are you a student"),
    ("Whether tickets are sold out", "are tickets sold out"),
    ("Whether the order has shipped", "has the order shipped"),
    ("Whether subtitles are desired", "would you like subtitles"),
    ("Whether to share the ride", "would you like to share the ride"),
    ("Mains water on site", "is there mains water on site"),
]


@pytest.mark.parametrize(("description", "yes", "no"), DESCRIBED)
def test_descriptions(description: str, yes: str, no: str) -> None:
    found = flag_of("x", description)
    assert (found.yes, found.no) == (yes, no)


@pytest.mark.parametrize(("name", "yes", "no"), NAMED)
def test_names(name: str, yes: str, no: str) -> None:
    found = flag_of(name, "")
    assert (found.yes, found.no) == (yes, no)


@pytest.mark.parametrize(("description", "question"), ASKED)
def test_questions(description: str, question: str) -> None:
    assert flag_of("x", description).asked == question
