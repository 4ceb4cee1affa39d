"""The engine's case folding against `str.lower`, over all of Unicode."""

import sys

from controldag import _core


def test_equals_str_lower_for_every_single_code_point() -> None:
    for code in range(sys.maxunicode + 1):
        if 0xD800 <= code <= 0xDFFF:
            continue
        letter = chr(code)
        expected = letter.lower() if len(letter.lower()) == 1 else letter
        assert _core.fold_case(letter.encode()).decode() == expected, hex(code)


def test_leaves_invalid_utf8_alone() -> None:
    assert _core.fold_case(b"A\xff\xc3B\xe2\x82") == b"a\xff\xc3b\xe2\x82"
