"""Words as the verifier reads them: cut at blanks and punctuation, compared by stem, spelled by pieces of letters."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*|[^\W0-9_]+(?:['’][^\W0-9_]+)*|[^\w\s]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|[_\-/]+")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_ZEROS = re.compile(r"(?<=[0-9])\.0+$")
# Words that say nothing about what a sentence is about: sharing one with a slot's name proves nothing.
FUNCTION_WORDS = frozenset((
    "a", "an", "the", "of", "for", "to", "in", "on", "at", "by", "with", "from", "as", "and", "or", "but", "nor",
    "so", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "done", "has", "have",
    "had", "having", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "this", "that",
    "these", "those", "there", "here", "it", "its", "he", "she", "they", "them", "their", "his", "her", "i", "me",
    "my", "we", "us", "our", "you", "your", "yours", "who", "whom", "whose", "which", "what", "when", "where",
    "why", "how", "if", "whether", "than", "then", "not", "no", "yes", "any", "some", "all", "each", "every",
    "both", "other", "another", "such", "same", "into", "onto", "over", "under", "about", "per", "via", "up", "out",
    "off", "please", "like", "want", "wants", "wanted", "need", "needs", "get", "gets", "user", "users", "true",
    "false", "e", "g", "etc",
))  # fmt: skip
_IRREGULAR = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "movies": "movie",
    "left": "leav", "leaving": "leav", "leaves": "leav", "leave": "leav", "paid": "pay", "written": "writ",
    "wrote": "writ", "sent": "send", "bought": "buy", "born": "birth", "went": "go", "going": "go", "gone": "go",
    "said": "say", "made": "mak", "making": "mak", "make": "mak", "makes": "mak", "held": "hold", "taught": "teach",
    "began": "begin", "begun": "begin", "chosen": "choos", "chose": "choos", "flown": "fly", "flew": "fly",
    "died": "death", "dead": "death", "die": "death", "dies": "death", "found": "found", "won": "win", "sold": "sell",
}  # fmt: skip
_VOWELS = frozenset("aeiouy")
PIECES_PER_WORD = 16


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, in lower case, with its place `text[begin:end]`."""

    norm: str
    begin: int
    end: int


def words_of(text: str) -> list[Word]:
    """The words, numbers and punctuation marks of a text, in order, with their places."""
    return [Word(_normal(found.group()), found.start(), found.end()) for found in _WORD.finditer(text)]


def norms_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [_normal(found) for found in _WORD.findall(text)]


def name_words(name: str) -> list[str]:
    """The words of a name from a schema: `priceRange`, `price_range` and `PRICE RANGE` have the same two."""
    return norms_of(" ".join(part for part in _CAMEL.split(name) if part))


def _normal(word: str) -> str:
    if word[0].isdigit():
        return _ZEROS.sub("", _THOUSANDS.sub("", word))  # 3,488 is 3488, and 2439.0 is 2439
    return word.lower().replace("’", "'")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """What inflections of a word have in common: a key to compare by, not always a word itself."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word[:1].isalpha():
        return word
    base = word.removesuffix("'s").removesuffix("'")
    if len(base) > 3 and base.endswith("ies"):
        base = base[:-3] + "y"
    elif len(base) > 3 and base.endswith(("sses", "shes", "ches", "xes", "zes")):
        base = base[:-2]
    elif len(base) > 3 and base.endswith("s") and not base.endswith(("ss", "us", "is")):
        base = base[:-1]
    for suffix in ("ing", "ed", "er", "or"):
        cut = base.removesuffix(suffix)
        if cut != base and len(cut) >= 3 and _VOWELS & set(cut):
            base = cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
            break
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


def is_content(word: str) -> bool:
    """Whether sharing this word means something: no punctuation, no function word."""
    return word[:1].isalnum() and word not in FUNCTION_WORDS


@lru_cache(maxsize=200_000)
def shape(word: str) -> str:
    """The word as it is looked up: digits all alike, so that `7:40` and `9:15` are one."""
    return re.sub("[0-9]", "0", word)[:12] if word[:1].isdigit() else word


def pieces(word: str, buckets: int) -> tuple[int, ...]:
    """The numbers (1 to `buckets`) of a word's runs of three and five letters, at most `PIECES_PER_WORD`."""
    marked = f"<{shape(word)}>"
    runs = [marked[i : i + n] for n in (3, 5) for i in range(max(1, len(marked) - n + 1))]
    return tuple(1 + zlib.crc32(run.encode()) % buckets for run in runs[:PIECES_PER_WORD])
