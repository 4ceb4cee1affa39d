"""Which words of relations and objects are adjectives: qualities, colours, names of peoples."""

from __future__ import annotations

import re

from controldag.plain.facts_lists import word_set

_ADJECTIVES = word_set(
    """
    active essential vital crucial important ideal perfect critical central integral advanced intermediate dear
    holy sacred subject ready necessary deluxe premium standard basic regular online offline paid casual formal
    adjacent afraid alive allergic different distinct absent present far aware bitter easy hard keen loyal scared
    sensitive vulnerable opposed visible tired ambitious amphibious annual available bilingual blind bright broad
    calm cheap clean clear closed coeducational cold common compact compatible complete contemporary cool curved
    daily dark dead deaf deciduous deep digital dormant double dry dual eager early electric electronic empty
    endangered endemic evergreen expensive extinct false famous fast fat federal final fixed flat flexible
    foldable foreign free fresh full gluten-free gifted global gluten good halal handmade happy healthy heavy high
    historic hollow hot huge hybrid ill independent indigenous indoor inactive kosher large late legal light
    liquid local lonely long loud low main major male female manual married mobile modern monthly native nocturnal
    old open optional organic outdoor parallel permanent plain poor popular portable private public pure quick
    quiet rare raw rechargeable recyclable related reusable rich ripe rough round rural safe seasonal secondary
    secret secular senior serious sharp short shy silent similar single slim slow small smart smooth soft solar
    solid sour spicy square stable steep stiff strict strong suitable sweet tall temporary thick thin toxic
    transparent unemployed unique unknown upper urban urgent used vacant valid vegan vegetarian vertical volcanic
    warm waterproof weak weekly wet wide wild wireless wooden yearly young dog-friendly peer-reviewed open-source
    freeware proprietary multilingual retired deceased divorced widowed engaged heritage-listed next close
    opposite resistant prone immune due responsible capable fond proud jealous guilty eligible equal equivalent
    identical superior inferior perpendicular tangent homologous homeomorphic
    """
)
# How much there is of something: a low customer rating.
DEGREES = word_set(
    """
    low average high moderate cheap expensive good poor excellent medium fair great mid decent bad
    """
)
_ENDINGS = ("able", "ible", "uble", "proof", "friendly", "less", "ful", "ous", "free", "resistant", "ish")
_NOT_ADJECTIVES = word_set(
    """
    table cable vegetable stable constable parish polish dish fish finish radish relish flourish roof proof
    """
)
# Two words that are one adjective.
_PAIRS = frozenset(
    """
    open source|one way|two way|full time|part time|peer reviewed|air conditioned|cash only|self contained|hand made|
    battery powered|solar powered|user friendly|state owned|privately owned|publicly traded|non profit|not for profit
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_COLOURS = word_set(
    """
    black white red green blue yellow orange purple violet pink brown grey gray gold golden silver bronze beige
    ivory cream turquoise teal cyan magenta maroon navy crimson scarlet indigo lavender lilac olive khaki tan
    amber azure burgundy charcoal copper coral emerald mint mustard peach rose ruby sand transparent multicoloured
    """
)
_SHADES = word_set(
    """
    dark light pale bright deep cobalt royal sky lime forest navy matte matt metallic pearl midnight space and &
    hot baby steel slate jet off snow racing dusty electric neon pastel soft warm cool bluish reddish greenish
    yellowish
    """
)
_DEMONYM = re.compile(
    r"(?:[A-Z][a-zé'-]*(?:ian|ean|ese|ish|ani|eli|aqi|emi|iti|iot)|American|German|Mexican|Moroccan|Kenyan|Ugandan|Cuban|French|"
    r"Dutch|Greek|Czech|Swiss|Thai|Welsh|Scots|Filipino|Afghan|Pakistani|Uzbek|Kazakh|Kyrgyz|Tajik|Turkmen|Slovak|Croat|"
    r"Serb|Basque|Catalan|Lao|Malagasy|Congolese|Tibetan|Taiwanese|African|Korean|Roman|Tuscan|Texan|Samoan|Fijian|"
    r"Jamaican|Dominican|Puerto Rican|Costa Rican|Salvadoran|Guatemalan|Nicaraguan|Honduran|Panamanian|Venezuelan|"
    r"Chilean|Zimbabwean|Rwandan|Sudanese|Libyan|Tanzanian|Angolan|Namibian|Botswanan|Sri Lankan|Bangladeshi|Qatari|"
    r"Kuwaiti|Omani|Bahraini|Emirati|Iraqi|Yemeni|Nepali|Bhutanese|Burmese|Icelandic|New Zealand|South African|"
    r"North Korean|South Korean|English|Irish|Spanish)"
)
_NOT_DEMONYMS = word_set(
    """
    median librarian comedian musician politician historian physician technician guardian vegetarian italian-style
    danish-style finnish-style british-style
    """
)


def is_adjective(phrase: str) -> bool:
    """Whether the phrase (its first word, or `family-friendly` as two) is an adjective, as far as known."""
    words = phrase.strip().lower().replace("_", " ").split()
    if not words:
        return False
    if len(words) == 2 and words[1] in (
        "friendly",
        "free",
        "proof",
        "resistant",
        "safe",
        "certified",
        "accessible",
        "only",
    ):
        return True
    return " ".join(words).replace("-", " ") in _PAIRS or (len(words) == 1 and _single(words[0]))


def _single(word: str) -> bool:
    if word in _ADJECTIVES or word in _COLOURS:
        return True
    return word not in _NOT_ADJECTIVES and len(word) > 5 and word.endswith(_ENDINGS)


def is_colour(text: str) -> bool:
    """Whether every word of the text belongs to a colour and one of them names it."""
    words = re.findall(r"[^\W\d_]+|&", text.lower())
    return any(word in _COLOURS for word in words) and all(word in _COLOURS or word in _SHADES for word in words)


def is_demonym(text: str) -> bool:
    """Whether the text is an adjective of a people or place: `Canadian`, `New Zealand`."""
    if text.lower() in _NOT_DEMONYMS:
        return False
    return bool(_DEMONYM.fullmatch(text)) or all(_DEMONYM.fullmatch(part) for part in re.split(r"[- ]", text))
