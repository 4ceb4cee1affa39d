"""How the C library keeps memory: a service's threads take and free tables of megabytes, again and again."""

from __future__ import annotations

import ctypes
from contextlib import suppress

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
# Larger pieces are mapped alone and go back to the system when they are freed. Left to itself the C library raises this
# to what was freed last, up to 32 MB, and then keeps such pieces under whatever small one was taken after them.
_MAPPED_ALONE = 1 << 20
# Heaps that all threads share; else up to eight a core, each as large as it ever was.
_HEAPS = 2


def keep_small() -> None:
    """Of the GNU C library; elsewhere nothing changes."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, _MAPPED_ALONE)
        library.mallopt(_ARENA_MAX, _HEAPS)


def give_back() -> None:
    """What was freed and is still kept goes back to the system."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
