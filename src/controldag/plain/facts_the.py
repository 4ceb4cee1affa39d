"""Names that stand behind `the`: United States, University of Graz, Nobel Prize, but not Norway or Graz University."""

from __future__ import annotations

import re

from controldag.plain.facts_lists import word_set

_WHOLE = frozenset(
    name.strip()
    for name in """
    united states|united kingdom|united states of america|usa|us|u.s.|u.s.a.|uk|u.k.|netherlands|philippines|bahamas|
    gambia|maldives|seychelles|comoros|czech republic|dominican republic|central african republic|soviet union|
    european union|african union|eu|un|united nations|united arab emirates|uae|ussr|vatican|hague|bronx|midlands|
    west midlands|east midlands|highlands|balkans|caribbean|middle east|far east|arctic|antarctic|amazon|nile|danube|
    rhine|thames|seine|volga|ganges|mississippi|mekong|yangtze|tigris|euphrates|loire|elbe|rhone|rhône|tagus|douro|
    himalayas|himalaya|alps|andes|rockies|pyrenees|urals|carpathians|dolomites|apennines|sahara|gobi|atlantic|pacific|
    mediterranean|baltic|adriatic|aegean|caspian|sun|moon|internet|bbc|nba|nfl|nhl|fbi|cia|eiffel tower|louvre|
    colosseum|kremlin|taj mahal|white house|parthenon|acropolis|city centre|city center|town centre|town center|
    isle of man|isle of wight|ivory coast|olympic games|mona lisa|winter olympics|summer olympics|public domain
    """.replace("\n", " ").split("|")
)
# Last words of names that take `the`: the Arabian Peninsula, the Oslo Marathon, the Turner Prize.
_LAST = word_set(
    """
    republic empire emirates islands mountains alps ocean sea river desert peninsula strait canal archipelago
    prize award awards medal trophy war revolution crusade festival marathon olympics championship championships
    museum orchestra philharmonic quartet association society institute federation league army navy foundation
    committee council commission ministry department agency bureau authority party senate parliament congress
    assembly treaty convention dynasty era movement renaissance alliance coalition embassy confederation highlands
    lowlands lifeguards open prix derby cup force reef
    """
)
# First words of names with `of`: the University of Graz, the Peace of Westphalia.
_BEFORE_OF = word_set(
    """
    university institute academy bank battle treaty peace siege republic kingdom duchy duke duchess archbishop
    bishop isle gulf bay house order museum department ministry church cathedral chamber court board bureau office
    council association society federation league tower palace temple declaration constitution college school town
    city
    """
)
# Last words of names that begin with a year: the 2018 Quebec general election.
_YEARLY = _LAST | word_set(
    """
    election elections season earthquake cup games pandemic prix draft final finals flood
    """
)
_PRIZE = re.compile(r"(?:nobel|pulitzer|booker) (?:peace )?prize\b|fields medal\b|national museum of\b")
_LIMITER = re.compile(r"(?:the|a|an|my|your|our|his|her|their|no|every|one|two|three|all)\b", re.IGNORECASE)
_NEVER = re.compile(r"(?:lake|mount|fort|st\.?|saint|san|santa)\b")
_MOST_WORDS = 7


def takes_the(name: str) -> bool:
    """Whether a name is said with `the` before it, as far as everyday rules tell; in doubt it is not."""
    low = name.strip().lower()
    if low in _WHOLE:
        return True
    if re.fullmatch(r"River (?:[A-Z][\w'-]*)(?: [A-Z][\w'-]*)?", name):
        return True
    if re.fullmatch(r"(?:[A-Z][\w'-]* ){1,2}language", name):
        return True
    if re.match(r"[0-9]+(?:st|nd|rd|th) [A-Z]", name) and len(name.split()) <= _MOST_WORDS and "," not in name:
        return True
    if re.match(r"(?:1[5-9]|20)[0-9]{2} [A-Z]", name) and low.split()[-1] in _YEARLY:
        return True
    if not name[:1].isupper() or _LIMITER.match(name) or re.search(r"[(,\":;]", name):
        return False
    words = name.split()
    if _NEVER.match(low) or not 2 <= len(words) <= _MOST_WORDS:
        return False
    if _PRIZE.match(low) or (words[1] == "of" and low.split()[0] in _BEFORE_OF and words[-1][:1].isupper()):
        return True
    front = re.split(r" (?:of|in|for|on) | [0-9]{4}$", name)[0].split()
    capitals = all(word[:1].isupper() or word[:1].isdigit() for word in front)
    return len(front) > 1 and capitals and front[-1].lower() in _LAST
