"""What was freed goes back to the system, whatever stands beside it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_CODE = """
import ctypes, sys
from benchmarks.engine.sweeps import resident_mb
from controldag.serving.heap import keep_small
c = ctypes.CDLL(None)
c.malloc.restype, c.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
if sys.argv[1] == "small":
    keep_small()
c.free(c.malloc(4 << 20))  # what the C library would learn from
begin = resident_mb()
taken = []
for _ in range(20):
    taken.append(c.malloc(2 << 20))
    ctypes.memset(taken[-1], 1, 2 << 20)
    c.malloc(100_000)  # stays
for each in taken:
    c.free(each)
print(resident_mb() - begin)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library keeps memory otherwise")
def test_large_pieces_are_not_kept_under_small_ones() -> None:
    kept = {
        how: float(
            subprocess.run([sys.executable, "-c", _CODE, how], capture_output=True, text=True, check=True).stdout
        )
        for how in ("small", "as it is")
    }
    assert kept["small"] < 5 < 30 < kept["as it is"]
