"""Freed memory stays while a run lasts, and goes back at its end.

Measured in new processes: in an older one there may be large gaps below small pieces, and what is freed in a
gap stays there under any limits. The context itself leaves gaps, since a tensor's address is rounded up: the
pieces of some bytes before and after it stay in the library's cache, where each size has seven places, and as
long as there is one, the next tensor may find the gap too small. So the first few tensors of the context may
enter new pages, 8 of 10 at worst, and it is the later ones that tell. A tensor of four times the size, which
fits into no gap, tells whether the limits are back.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import torch

from minibert.training.allocator import glibc, kept_memory

resource = pytest.importorskip("resource", reason="page faults are counted on Unix only")
LARGE = 3 * 2**22  # elements of a tensor of 48 MB, above every limit that the library sets by itself
PAGES = 4 * LARGE // resource.getpagesize()
THP_DISABLE = 41  # of prctl(2)
ROUNDS = 5  # of ten tensors, more than the library's cache has places

pytestmark = pytest.mark.skipif(glibc() is None, reason="the limits are those of the GNU C library, on Linux")


def in_a_new_process(measure):
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measure).result()


def faults(size):
    """Pages that were entered while a tensor of `size` elements was made and freed ten times."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        torch.zeros(size)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def held():
    """Bytes of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def faults_before_within_and_after():
    # huge pages, where a machine gives them to all, are entered 512 at a time
    glibc().prctl(THP_DISABLE, 1, 0, 0, 0)
    before = faults(LARGE)
    with kept_memory():
        within = [faults(LARGE) for _ in range(ROUNDS)]
    return before, within, faults(4 * LARGE)


def held_before_within_and_after():
    before = held()
    try:
        with kept_memory():
            torch.zeros(2**26)
            within = held()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        return before, within, held()


def test_what_is_freed_is_taken_again_without_new_pages():
    before, within, after = in_a_new_process(faults_before_within_and_after)
    assert min(within) < PAGES
    assert before > 9 * PAGES and after > 9 * 4 * PAGES


def test_what_is_left_goes_back_also_after_an_error():
    before, within, after = in_a_new_process(held_before_within_and_after)
    assert within > before + 2**27
    assert after < before + 2**25


def test_a_library_without_limits_is_left_alone(monkeypatch):
    monkeypatch.setattr("minibert.training.allocator.glibc", lambda: None)
    with kept_memory():
        assert torch.zeros(3).sum() == 0
