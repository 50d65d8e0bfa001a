"""Memory reuse: memory that one training step frees is kept in the process for the next step.

By default, the memory of a large tensor is returned to the system as soon as it is freed, and the system
clears and maps every page again when the next step needs it. For the gradient of 30,522 word embeddings of
size 384 that took 13 ms, compared with 0.5 ms for writing the values. Two limits of the GNU C library control
this (M_MMAP_THRESHOLD and M_TRIM_THRESHOLD, see mallopt(3)); other C libraries have no such limits.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TRIM, MMAP = -1, -3  # the numbers of the two limits in glibc's malloc.h
KEPT = {MMAP: 2**30, TRIM: 2**31 - 1}  # bytes; the second is the largest value that mallopt accepts
USUAL = {MMAP: 2**25, TRIM: 2**26}  # the maximum of glibc's own adjustment, which mallopt switches off


@contextmanager
def kept_memory() -> Iterator[None]:
    """Keep freed memory for reuse inside this context, and return it to the system at the end."""
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
    """Return the GNU C library of this process, or None if the process uses another C library."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
