"""Reading regular expressions: text in, syntax tree out, every refusal with its position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from controldag.constraints.code_points import LAST, Ranges, complement, ranges
from controldag.errors import InvalidInput

MAX_CHARACTERS = 1 << 14
MAX_DEPTH = 64
MAX_REPEATS = 10_000

DIGIT = ranges([(48, 57)])
WORD = ranges([(48, 57), (65, 90), (95, 95), (97, 122), (0x80, LAST)])  # the engine's word rule
SPACE = ranges([(9, 13), (32, 32)])
NOT_NEWLINE = complement(ranges([(10, 10)]))

_CLASSES = {"d": DIGIT, "w": WORD, "s": SPACE, "D": complement(DIGIT), "W": complement(WORD), "S": complement(SPACE)}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


class Guard(IntEnum):
    """Zero-width conditions, numbered as in the engine."""

    NONE = 0
    BEGIN = 3
    END = 4
    BOUNDARY = 5


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of the set, or of those outside it (`negated` holds after letter case is widened)."""

    members: Ranges
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Assertion:
    guard: Guard


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Node
    least: int
    most: int | None


Node = Characters | Assertion | Sequence | Choice | Repeat


def parse(regex: str) -> Node:
    """The syntax tree; raises InvalidInput naming position and construct where the expression is not understood."""
    if len(regex) > MAX_CHARACTERS:
        raise InvalidInput.of("regex", f"have at most {MAX_CHARACTERS:,} characters", f"{len(regex):,} characters long")
    return _Parser(regex).parse()


class _Parser:
    """Recursive descent, one method a level of precedence; groups may nest MAX_DEPTH deep."""

    def __init__(self, regex: str) -> None:
        self.regex = regex
        self.at = 0
        self.depth = 0

    def parse(self) -> Node:
        node = self.choice()
        if self.at < len(self.regex):
            raise self.refusal(self.at, "`)` without `(`", r"Write `\)` for the character.")
        return node

    def refusal(self, position: int, construct: str, remedy: str) -> InvalidInput:
        return InvalidInput(
            f"`regex` must be a regular expression of the supported kind, but has {construct} at position {position}"
            f" of {_shown(self.regex, position)}.",
            remedy=remedy,
        )

    def peek(self) -> str:
        return self.regex[self.at : self.at + 1]

    def take(self, expected: str) -> bool:
        found = self.regex.startswith(expected, self.at)
        self.at += len(expected) if found else 0
        return found

    def choice(self) -> Node:
        parts = [self.sequence()]
        while self.take("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def repeated(self) -> Node:
        node = self.atom()
        start = self.at
        bounds = self.quantifier()
        if bounds is None:
            return node
        if isinstance(node, Assertion):
            raise self.refusal(start, "a repetition of an anchor", "An anchor holds or it does not: leave it out.")
        self.take("?")  # lazy: the same language
        if self.peek() and self.peek() in "*+?{":
            raise self.refusal(self.at, "a repetition of a repetition", "Put the inner one into `(?:` `)`.")
        return Repeat(node, *bounds)

    def quantifier(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return bounds
        if self.peek() != "{":
            return None
        start = self.at
        self.at += 1
        least = self.number(start)
        most = (self.number(start) if self.peek() != "}" else None) if self.take(",") else least
        if not self.take("}"):
            raise self.counts(start)
        if most is not None and most < least:
            raise self.refusal(start, "a repetition whose upper bound is below its lower one", "Swap the bounds.")
        return least, most

    def counts(self, start: int) -> InvalidInput:
        return self.refusal(start, "a malformed repetition", r"Write {m}, {m,} or {m,n}; `\{` for the character.")

    def number(self, start: int) -> int:
        first = self.at
        while self.peek() and self.peek() in "0123456789":
            self.at += 1
        digits = self.regex[first : self.at]
        if not digits:
            raise self.counts(start)
        if len(digits) > 9 or int(digits) > MAX_REPEATS:
            raise self.refusal(start, f"a repetition of more than {MAX_REPEATS:,} times", "Use a smaller count.")
        return int(digits)

    def atom(self) -> Node:
        start, sign = self.at, self.peek()
        self.at += 1
        if sign == "(":
            return self.group(start)
        if sign == "[":
            return self.bracket(start)
        if sign == "\\":
            return self.escape(start)
        if sign in "*+?{":
            raise self.refusal(start, f"`{sign}` with nothing to repeat", f"Write `\\{sign}` for the character.")
        if sign in "^$":
            return Assertion(Guard.BEGIN if sign == "^" else Guard.END)
        return Characters(NOT_NEWLINE) if sign == "." else self.literal(sign, start)

    def literal(self, character: str, position: int) -> Characters:
        members = ranges([(ord(character), ord(character))])
        if not members:
            raise self.refusal(position, "a lone surrogate", "Text never holds one: leave it out.")
        return Characters(members)

    def group(self, start: int) -> Node:
        if self.peek() == "?" and not self.take("?:"):
            construct = self.regex[start : start + 4]
            raise self.refusal(
                start,
                f"the unsupported group `{construct}`",
                "Only `(` `)` and `(?:` `)` group; look-around is no part.",
            )
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refusal(start, f"groups more than {MAX_DEPTH} deep", "Nest fewer groups.")
        node = self.choice()
        if not self.take(")"):
            raise self.refusal(start, "`(` without `)`", r"Close it, or write `\(` for the character.")
        self.depth -= 1
        # A group stands alone before a quantifier, even around an anchor.
        return Sequence((node,)) if isinstance(node, Assertion) else node

    def escape(self, start: int) -> Node:
        sign = self.peek()
        if sign == "b":
            self.at += 1
            return Assertion(Guard.BOUNDARY)
        if sign == "B":
            # It would hold between the bytes of one character, too.
            raise self.refusal(start, r"the unsupported `\B`", r"Say what stands there instead, such as \w\w.")
        return Characters(self.escaped(start))

    def escaped(self, start: int) -> Ranges:
        """What the escape at `start` matches; its backslash has been read."""
        sign = self.peek()
        self.at += 1
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign in _CONTROLS:
            return self.literal(_CONTROLS[sign], start).members
        if sign in _HEX_DIGITS:
            return self.literal(chr(self.hexadecimal(start, sign)), start).members
        if not sign or (sign.isascii() and sign.isalnum()):
            what = "a back-reference" if sign.isdigit() else "an unfinished escape" if not sign else "an unknown escape"
            raise self.refusal(
                start,
                f"{what} `\\{sign}`",
                r"Supported: \d \w \s \D \W \S \b \n \t \r \f \v \xXX \uXXXX, punctuation.",
            )
        return self.literal(sign, start).members

    def hexadecimal(self, start: int, sign: str) -> int:
        size = _HEX_DIGITS[sign]
        digits = self.regex[self.at : self.at + size]
        if len(digits) < size or not all(d in "0123456789abcdefABCDEF" for d in digits) or int(digits, 16) > LAST:
            remedy = f"`\\{sign}` takes {size} hexadecimal digits of a code point."
            raise self.refusal(start, f"a malformed `\\{sign}` escape", remedy)
        self.at += size
        return int(digits, 16)

    def bracket(self, start: int) -> Node:
        negated = self.take("^")
        pairs: list[tuple[int, int]] = []
        first = True
        while first or self.peek() != "]":
            if not self.peek():
                raise self.refusal(start, "`[` without `]`", r"Close it, or write `\[` for the character.")
            first = False
            position = self.at
            low = self.member()
            if self.peek() != "-" or self.regex[self.at + 1 : self.at + 2] in ("]", ""):
                pairs += low
                continue
            self.at += 1
            high = self.member()
            if not (_is_one(low) and _is_one(high)) or low[0][0] > high[0][0]:
                raise self.refusal(position, "a malformed range", "A range runs from one character up to another.")
            pairs.append((low[0][0], high[0][0]))
        self.at += 1
        return Characters(ranges(pairs), negated)

    def member(self) -> Ranges:
        start, sign = self.at, self.peek()
        self.at += 1
        if sign != "\\":
            return self.literal(sign, start).members
        if self.peek() in ("b", "B"):
            raise self.refusal(start, f"`\\{self.peek()}` inside `[` `]`", r"Write \x08 for a backspace.")
        return self.escaped(start)


def _is_one(members: Ranges) -> bool:
    return len(members) == 1 and members[0][0] == members[0][1]


def _shown(regex: str, position: int) -> str:
    """The expression, or the part of a long one around the position."""
    if len(regex) <= 80:
        return repr(regex)
    return "..." + repr(regex[max(0, position - 30) : position + 30]) + "..."
