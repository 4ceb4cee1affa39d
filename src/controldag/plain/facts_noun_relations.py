"""Relations that are nouns: `has 48 pages`, `has a battery life of 9 hours`, `The mayor of Westhaven is …`."""

from __future__ import annotations

import re
from dataclasses import replace

from controldag.plain.english import counted, is_plural, plural, with_article
from controldag.plain.facts_adjectives import DEGREES
from controldag.plain.facts_frames import Fact, Predicate, Role, Said
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_values import Kind, Value, as_time, head_of
from controldag.plain.facts_verbs import BY_SUBJECT, PREPOSITIONS, is_passive, is_past
from controldag.plain.irregular import UNCOUNTABLE

# Heads of relations whose object is a sign rather than an amount: has the postal code 4380.
SIGNS = word_set(
    """
    code number identifier id isbn issn symbol abbreviation nickname username handle postcode hashtag formula
    acronym ticker name prefix suffix slug url
    """
)
# Heads of relations that come with an amount: has a battery life of 9 hours.
_MEASURES = word_set(
    """
    population density area length width height depth weight mass price cost fee rate speed velocity temperature
    pressure voltage power capacity volume size distance range elevation altitude prominence diameter radius
    circumference perimeter thickness duration lifespan life expectancy time period frequency resolution ratio
    percentage share score rating index salary income revenue profit budget debt gdp wage tax value worth
    endowment attendance enrollment enrolment patronage crew circulation gauge displacement tonnage payload load
    limit output consumption efficiency torque acceleration mileage clearance wingspan wheelbase span point
    hardness magnitude luminosity redshift albedo inclination eccentricity gravity angle slope gradient age total
    average amount quantity energy dose content concentration yield growth turnover footprint strength turnout
    majority margin discharge flow draft draught beam bore stroke warranty guarantee deposit discount balance
    surplus deficit rent mortality fatality literacy incidence prevalence bandwidth latency throughput brightness
    office weightlessness isolation coefficient allowance fare bonus change increase decrease difference maximum
    minimum pay reach lead wheelspan visibility humidity salinity interest premium reward toll tuition fine pulse
    reading potential resistance step stature girth mark record-time
    """
)
# Heads that count only together with a word of measuring; alone they say where something stands in an order.
_MASS = word_set("money income funding energy power output traffic land rainfall precipitation growth")
_PLURAL_ONLY = word_set(
    """
    champions headquarters winners runners-up finalists hosts years hours dimensions coordinates proceeds earnings
    lyrics
    """
)
_NO_AMOUNTS = word_set("digits coordinates results")
# Heads of times: a small number counts them, a large one is a year or a season's name.
_TIMES = word_set("hours years dates seasons days")
# Roles whose object is one of a kind: the current use is an art gallery, but the diet is bamboo.
_THINGS = word_set(
    """
    use purpose function predator mascot emblem pet vehicle tool weapon product building structure accessory
    """
)
# What happens at a time: the first ascent was in 1911.
_HAPPENINGS = word_set(
    """
    ascent flight performance publication appearance game match election broadcast concert release launch opening
    premiere show meeting session eruption start end service independence check-in check-out kick-off take-off
    departure arrival delivery race victory edition debut crossing voyage landing test use screening exhibition
    """
)
# Roles that several may have at once: a child of X is Y.
_ONE_OF_MANY = word_set(
    """
    child sibling brother sister friend student member participant candidate tenant product subsidiary symptom
    tributary attraction landmark feature hobby interest battle film song book part cause effect factor character
    variation signatory partner competitor rival example person project work town cousin grandchild son daughter
    pupil alumnus ally enemy predator branch campus tool ability skill talent
    """
)  # fmt: skip


# What may be so of a thing that the subject offers: pets are allowed.
_STATE = re.compile(r"(?:not )?(?:allowed|included|available|required|permitted|accepted|provided|forbidden|welcome)")
# Adjectives that stand behind their noun: the amount due.
_BEHIND_NOUNS = word_set("due available open remaining left")
# What there can be a maximum of.
_COUNTED = word_set(
    "participants players people guests users passengers students members seats attempts entries persons"
)
# First words of a role that one alone has, and that any may have.
_SINGLES = word_set("main first last only current primary favourite favorite next")
_ANY_OF = word_set("former ex past other another notable significant")


def noun_relation(fact: Fact, words: tuple[str, ...] | None = None) -> Said:
    """How a relation that is a noun, or that nothing else explains, is said."""
    words = fact.relation.words if words is None else words
    noun = " ".join(words)
    value = fact.value
    if _STATE.fullmatch(value.text):
        return Role(noun, value.text, verb="are" if is_plural(noun) else "is", link="", article="")
    if re.fullmatch(r"[0-9][0-9/–-]*", noun):
        return Role(f"entry for {noun}", value.text, link="")
    if fact.relation.remark:
        return _role(f"{noun} ({fact.relation.remark})", words, value, fact.relation.unit)
    if value.kind in (Kind.NUMBER, Kind.MEASURE) and value.single:
        said = _amount(words, value, fact.relation.unit)
        if said is not None:
            return said
    head = words[_head_at([word.lower() for word in words])].lower()
    if value.single and value.bare in DEGREES and head in _MEASURES:
        return Predicate("has", with_article(f"{value.text} {noun}"))
    if value.kind is Kind.TEXT and value.single and head in SIGNS and head != "name" and re.search("[0-9]", value.text):
        return Predicate("has", f"the {noun} {value.text}")
    if value.kind is Kind.TEXT and value.single and head in _MEASURES and re.match(r"[0-9]", value.bare):
        return Predicate("has", f"{with_article(noun)} of {value.text}")
    if (
        value.kind is Kind.TEXT
        and value.single
        and words[-1].lower() in ("rating", "resolution", "warranty", "capacity")
    ):
        return Predicate("has", f"{with_article(noun)} of {value.text}")
    return _role(noun, words, value, fact.relation.unit)


def row_entry(fact: Fact) -> Role:
    """How an entry of a table's row is said that its number or date names: `For 16 May 1991, the result is Win`."""
    words = fact.relation.words
    noun = fact.relation.phrase
    if is_passive(words[-1]) or is_past(words[0]) or words[-1].lower() in PREPOSITIONS:
        return Role(f'value of "{noun}"', fact.value.text, link="")
    if fact.relation.remark:
        noun = f"{noun} ({fact.relation.remark})"
    return replace(_role(noun, words, fact.value, fact.relation.unit), link="")


def _head_at(words: list[str]) -> int:
    """Where the head of a noun phrase stands: before its first preposition."""
    return next((index for index, word in enumerate(words) if word in PREPOSITIONS and index), len(words)) - 1


def _amount(words: tuple[str, ...], value: Value, unit: str) -> Said | None:
    """A number or measure: `has 12 employees`, `has a weight of 3 kg`, `has the postal code 4380`; None: no amount."""
    noun = " ".join(words)
    low = [word.lower() for word in words]
    # A number that begins with 0 is a sign, and fractions count nothing.
    countable = not unit and re.fullmatch(r"[1-9][0-9,]*|0", value.bare) is not None
    if low[:2] == ["number", "of"] and len(words) > 2 and countable:
        return _count(value, words[2:])
    if low[-1] == "count" and len(words) > 1 and countable:
        return _count(value, words[:-1])
    head = low[_head_at(low)]
    if low[0] in PREPOSITIONS or low[-1] in PREPOSITIONS or is_passive(low[-1]):
        return None
    if head in SIGNS:
        return Predicate("has", f"the {noun} {value.text}") if not unit and "of" not in low else None
    if (head in _TIMES and re.fullmatch(r"[0-9]{1,3}", value.bare)) or (head == "hours" and len(words) > 1):
        return _count(value, words) if countable else None
    if is_plural(head) and head not in _PLURAL_ONLY | _NO_AMOUNTS | _TIMES:
        return _count(value, words) if countable else None
    if (
        head not in _MEASURES
        or (head == "volume" and countable)
        or (value.is_year and head in ("time", "period", "point", "record", "mark"))
    ):
        return None
    amount = f"{value.text} {unit}".strip() if value.kind is Kind.NUMBER else value.text
    return Predicate("has", f"{noun if head in _MASS else with_article(noun)} of {amount}")


def _count(value: Value, words: tuple[str, ...]) -> Said | None:
    """`has 48 pages`; the noun before a preposition is counted: `has 210 calories per serving`."""
    border = _head_at([word.lower() for word in words]) + 1
    if words[0].lower() in ("maximum", "minimum") and border > 1:
        if words[border - 1].lower() not in _COUNTED:
            return None
        return Predicate(
            "has",
            f"a {words[0]} of {counted(value.text, ' '.join(words[1:border]))} {' '.join(words[border:])}".strip(),
        )
    if border == 0 or words[0].lower() in PREPOSITIONS or is_passive(words[border - 1]):
        return None
    front, back = " ".join(words[:border]), " ".join(words[border:])
    return Predicate("has", f"{counted(value.text, front)} {back}".strip())


def _role(noun: str, words: tuple[str, ...], value: Value, unit: str) -> Role:
    """`The mayor of Westhaven is Gordon Pike`, in the number that noun and objects ask for."""
    low = [word.lower() for word in words]
    text = value.named
    if unit:
        text = f"{value.text} {unit}" if value.kind is Kind.NUMBER else value.text
    elif head_of(noun) in _THINGS:
        text = value.with_articles
    # "The reference number in the register of X" would say something of the register.
    opaque = any(word in PREPOSITIONS and word != "of" for word in low) or low.count("of") > 1 or low[0] in PREPOSITIONS
    described = len(low) > 1 and low[-1] in _BEHIND_NOUNS
    link = "" if opaque or described or is_passive(low[-1]) else "of"
    if is_passive(low[-1]) and low[-1] in BY_SUBJECT:
        link = "by"
    if low[0] in PREPOSITIONS or low[-1] in PREPOSITIONS:
        return Role(f'value of "{noun}"', text, link="")
    head = low[_head_at(low)] if not described else low[-2]
    when = as_time(value)
    if head in _HAPPENINGS and when.kind is Kind.TIME and (value.kind is Kind.TIME or low[-1] == head):
        over = when.has_year and not when.is_to_come and low[0] not in ("next", "upcoming", "planned", "scheduled")
        return Role(noun, when.when, verb="was" if over else "is", link=link)
    if not value.single:
        several = noun if opaque or described or is_plural(head) or " of " in noun else plural(noun)
        return Role(several, text, verb="is" if head in UNCOUNTABLE else "are", link=link)
    if is_plural(head):
        many = re.search(r"[,;/&–-]| and | to |\).*\(", value.text) is not None or head in _PLURAL_ONLY
        if many or value.kind is not Kind.TEXT:
            return Role(noun, text, verb="are", link=link)
        if is_plural(value.text) and value.text.islower():
            return Role(noun, text, verb="include", link=link)
        return Role(noun, text, link=link, article="one of the")
    only_one = low[0].endswith("est") or low[0] in _SINGLES
    several_possible = noun == "ethnic group" or low[0] in _ANY_OF or (head in _ONE_OF_MANY and not only_one)
    article = with_article(noun).split()[0] if several_possible and value.kind is Kind.TEXT else "the"
    return Role(noun, text, link=link, article=article)
