"""Write cpp/src/fold_case_table.inc: runs of code points whose lower case is a constant offset away.

Usage: python tools/make_fold_table.py > cpp/src/fold_case_table.inc
The table is what `str.lower` says of single code points; a test compares the two over all of Unicode.
"""

import sys


def runs() -> list[tuple[int, int, int, int]]:
    """(first, last, stride, offset) of every run of lowered code points beyond ASCII, in order."""
    found: list[tuple[int, int, int, int]] = []
    for code in range(0x80, sys.maxunicode + 1):
        if 0xD800 <= code <= 0xDFFF:
            continue
        lowered = chr(code).lower()
        if len(lowered) != 1 or ord(lowered) == code:
            continue
        offset = ord(lowered) - code
        if found:
            first, last, stride, run_offset = found[-1]
            step = code - last
            if run_offset == offset and step in (1, 2) and (first == last or step == stride):
                found[-1] = (first, code, step, offset)
                continue
        found.append((code, code, 1, offset))
    return found


if __name__ == "__main__":
    print("// Made by tools/make_fold_table.py: {first, last, stride, offset}, ascending.")
    for run in runs():
        print("{{0x{:X}, 0x{:X}, {}, {}}},".format(*run))
