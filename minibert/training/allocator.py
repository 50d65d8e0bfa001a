"""Keep the memory that a step frees in the process, for the next step to use.

A large tensor's memory goes back to the system as soon as it is freed, and each of its pages is cleared and
mapped anew when the next step asks for as much: for the gradient of 30,522 word embeddings of 384 numbers
that took 13 ms, where writing it took 0.5. Two limits of the GNU C library decide what goes back (mallopt(3),
M_MMAP_THRESHOLD and M_TRIM_THRESHOLD); others have no such limits. Its environment variables of these names
do the same (2,900 page faults a step by either, 5,700 to 12,600 without), but must be set before Python
starts, and nobody who opens a notebook does that.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TRIM, MMAP = -1, -3  # the limits' numbers in glibc's malloc.h
KEPT = {MMAP: 2**30, TRIM: 2**31 - 1}  # bytes; the second is the largest that mallopt takes
USUAL = {MMAP: 2**25, TRIM: 2**26}  # the most that glibc adjusts them to by itself; mallopt ends that


@contextmanager
def kept_memory() -> Iterator[None]:
    """In this context, freed memory is kept for later use; at the end it goes back to the system."""
    library = glibc()
    if library is None:
        yield
        return
    for limit, size in KEPT.items():
        library.mallopt(limit, size)
    try:
        yield
    finally:
        for limit, size in USUAL.items():
            library.mallopt(limit, size)
        library.malloc_trim(0)


def glibc() -> ctypes.CDLL | None:
    """Return the GNU C library of this process, or None where it uses another one."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
