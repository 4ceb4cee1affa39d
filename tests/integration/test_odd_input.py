"""Odd and bad input on the bundled model, by every way in: Python, command line, JSON lines (docs/generation.md)."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import controldag as cd
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag

SERVICE = "Restaurants_1"
GOOD = "OFFER(city=San Jose)"


@dataclass(frozen=True)
class Case:
    """An input as JSON lines write it, and the beginning of what is wrong with it ("": nothing)."""

    acts: list[Any]
    wrong: str = ""
    service: str = SERVICE
    more: dict[str, Any] = field(default_factory=dict)


def named(value: str) -> list[Any]:
    """An act that says a restaurant's name, as an object: its value needs no syntax."""
    return [{"act": "OFFER", "slot": "restaurant_name", "values": [value]}]


SPOKEN = {
    "newline": "Chez\nNous",
    "carriage return and tab": "Chez\r\n\tNous",
    "emoji": "Pizza \N{SLICE OF PIZZA} & Co",
    "joined emoji": "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}",
    "right to left": "\u0645\u0637\u0639\u0645",
    "combining": "Cafe\u0301",
    "control character": "a\x07b",
    "markup": "<script>alert(1)</script>",
    "syntax of acts": 'it\'s ("odd") = a|b \\ %s {x}',
    "a mark's name": "<v0>",
    "five hundred characters": " ".join(["word"] * 100),
    "10,000 characters": "x" * 10_000,
    # Too much for *nothing twice*, which is given up for it.
    "a word 1,667 times": " ".join(["words"] * 1_667),
}
REFUSED = {
    "no acts": Case([], "a record must hold acts or triples"),
    "unknown service": Case([GOOD], "`service` must be in the schema, but is 'Restaurant_1'.", "Restaurant_1"),
    "no service": Case([GOOD], "`service` must be in the schema", ""),
    "unknown slot": Case(["OFFER(name=x)"], "`slot` must be a slot of Restaurants_1, but is 'name'."),
    "no name of an act": Case([{"slot": "city", "values": ["x"]}], "`act` must have a name"),
    "unclosed act": Case(["OFFER(city=San Jose"], "Syntax error at character 20, OFFER(city=San Jose▸"),
    "no value": Case(["OFFER(city=)"], "Syntax error at character 12, OFFER(city=▸)"),
    "text after an act": Case(["OFFER(city=a)b"], "Syntax error at character 15, OFFER(city=a)b▸"),
    "10,000 emoji": Case(named("\N{SLICE OF PIZZA}" * 10_000), "`phrase` must have at most 16384 bytes"),
    "more acts than positions": Case([GOOD] * 200, "The input needs "),
    "a long phrase": Case([GOOD], "The required phrases need ", more={"must": ["word " * 500]}),
    "NUL byte": Case(named("a\0b"), "`value` must hold no NUL byte"),
    "NUL byte in a wish": Case([GOOD], "`phrase` must hold no NUL byte", more={"must": ["a\0b"]}),
    "lone surrogate": Case(named("a\ud800b"), "`value` must be text without lone surrogates"),
    "lone surrogate in a name": Case([GOOD], "`id` must be text without", more={"id": "\ud800"}),
    "contradiction": Case([GOOD], "No text satisfies the constraints: contains('San", more={"must_not": ["Jose"]}),
    "two contradicting wishes": Case([GOOD], "No text", more={"must": ["eel"], "must_not": ["eel"]}),
    "impossible length": Case([GOOD], "No text satisfies", more={"length": "=1"}),
    "too many texts": Case([GOOD], "`n_best` must be from 1 to 1,000", more={"n_best": 10**20}),
    "broken pattern": Case([GOOD], "`regex` must be a regular expression", more={"pattern": ["(("]}),
    "triples": Case([], "`input` must hold acts for sgd-mini", more={"triples": ["a | b | c"]}),
}  # fmt: skip


@pytest.fixture(scope="module")
def nlg() -> ControlDag:
    return ControlDag.from_pretrained("sgd-mini")


def act_of(entry: Any) -> cd.Act:
    return cd.Act(entry.get("act", ""), entry.get("slot", ""), tuple(entry.get("values", ())))


@pytest.mark.parametrize("value", SPOKEN.values(), ids=SPOKEN)
def test_odd_values_are_said_as_they_are(nlg: ControlDag, value: str) -> None:
    result = nlg.generate([cd.Act("OFFER", "restaurant_name", (value,))], service=SERVICE)
    assert value in result.text and not result.violated


@pytest.mark.parametrize("name", [name for name, case in REFUSED.items() if not case.more])
def test_bad_input_is_refused_in_python(nlg: ControlDag, name: str) -> None:
    from controldag.data.act_syntax import parse_act

    case = REFUSED[name]
    expected = "`input` must hold at least one act" if name == "no acts" else case.wrong
    with pytest.raises(cd.ControlDagError) as met:
        acts = [parse_act(entry) if isinstance(entry, str) else act_of(entry) for entry in case.acts]
        nlg.generate(acts, service=case.service)
    assert str(met.value).startswith(expected)
    assert len(str(met.value)) < 600


def test_more_phrases_than_a_search_can_keep_apart_end_in_an_error_or_a_text_that_has_them(nlg: ControlDag) -> None:
    names = tuple(f"Place {number}" for number in range(40))
    try:
        result = nlg.generate([cd.Act("OFFER", "restaurant_name", names)], service=SERVICE)
    except cd.LatticeTooLarge as error:
        assert "ask for fewer phrases" in str(error)
    else:
        assert not result.violated


def test_a_batch_with_bad_items_gives_the_good_ones_as_ever(nlg: ControlDag) -> None:
    good = Request([cd.Act("OFFER", "city", ("San Jose",))], SERVICE)
    bad = [Request([], SERVICE), Request(good.what, "Nowhere"), Request(good.what, SERVICE, ~cd.contains("Jose"))]
    outcomes = nlg.generate_batch([good, bad[0], good, bad[1], bad[2], good])
    assert [isinstance(each, Result) for each in outcomes] == [True, False, True, False, False, True]
    alone = nlg.generate_batch([good])[0]
    assert isinstance(alone, Result)
    assert all(each.text == alone.text for each in outcomes if isinstance(each, Result))


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[dict[str, Any]], str]:
    """What the command makes of all of the above as JSON lines, a good line at both ends, and lines that are none."""
    lines = [json.dumps({"id": "first", "service": SERVICE, "acts": [GOOD]}).encode()]
    for name, value in SPOKEN.items():
        lines.append(json.dumps({"id": name, "service": SERVICE, "dialog_acts": named(value)}).encode())
    for name, case in REFUSED.items():
        texts = {"acts" if isinstance(entry, str) else "dialog_acts" for entry in case.acts} or {"acts"}
        lines.append(json.dumps({"id": name, "service": case.service, texts.pop(): case.acts, **case.more}).encode())
    lines += [b"{", b"[1]", b"null", b"[" * 100_000, b'{"acts": ["OFFER(city=\xff\xfe)"]}', b'{"acts": ["A\0"]}', b""]
    lines.append(json.dumps({"id": "last", "service": SERVICE, "acts": [GOOD]}).encode() + b"\r")
    folder = tmp_path_factory.mktemp("odd")
    (folder / "in.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\n".join(lines))
    with (folder / "in.jsonl").open("rb") as given:
        done = subprocess.run(
            [sys.executable, "-m", "controldag.cli.main", "generate", "--in", "-", "--quiet"],
            stdin=given,
            capture_output=True,
            check=False,
        )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def test_json_lines_give_a_line_for_each_in_order(printed: tuple[int, list[dict[str, Any]], str]) -> None:
    code, records, remarks = printed
    assert (code, remarks) == (2, "")
    names = [record["id"] for record in records]
    refused = ["\ud800" if name == "lone surrogate in a name" else name for name in REFUSED]
    assert names == ["first", *SPOKEN, *refused, "", "", "", "", "", "", "last"]
    assert records[0]["text"] == records[-1]["text"]
    by_name = dict(zip(["first", *SPOKEN, *REFUSED], records, strict=False))
    for name, value in SPOKEN.items():
        assert value in by_name[name]["text"], name
    for name, case in REFUSED.items():
        assert case.wrong in by_name[name]["error"], name
    assert all("error" in record for record in records[-7:-1])


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ((), "Give acts or triples"),
        (("",), "Syntax error at character 1, ▸"),
        (("OFFER(city=San Jose",), "OFFER(city=San Jose▸"),
        ((GOOD, "--service", "Restaurant_1"), "Did you mean Restaurants_1"),
        ((GOOD, "--must-not", "San"), "cannot be satisfied together"),
        ((GOOD, "--must", ""), "`phrase` must not be empty"),
        ((GOOD, "--length", "20-10"), "`minimum` must be at most"),
        ((GOOD, "--device", "abacus"), "`device` must be one that torch finds here, but is 'abacus'"),
        ((GOOD, "--n-best", "1001"), "`n_best` must be from 1 to 1,000"),
        ((GOOD,) * 200, "positions; the model has 512"),
        ((b"OFFER(city=\xff)",), "lone surrogates"),
        (("Alan Bean | occupation | astronaut",), "must hold acts for sgd-mini"),
        ((GOOD, "--in", "x.jsonl"), "Give acts or triples, or --in"),
    ],
)
def test_the_command_tells_in_one_line(arguments: tuple[str | bytes, ...], wrong: str, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8", "-m", "controldag.cli.main", "generate", "--service", SERVICE, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    told = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert told.startswith("error: ") and told.count("\n") == 1 and wrong in told


def test_the_command_says_odd_values(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8", "-m", "controldag.cli.main", "generate", "--service", SERVICE]
    value = "Chez\nNous \N{SLICE OF PIZZA}"
    done = subprocess.run([*command, f"OFFER(restaurant_name={value})"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0 and value in done.stdout.decode()
