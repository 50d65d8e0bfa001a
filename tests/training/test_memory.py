"""Freed memory stays while a run lasts, and goes back at its end."""
import pytest
import torch

from minibert.training.memory import glibc, kept_memory

resource = pytest.importorskip("resource", reason="page faults are counted on Unix only")
PAGES = 2**26 // resource.getpagesize()     # of a tensor of 64 MB, above every limit that the library sets by itself
THP_DISABLE = 41                            # of prctl(2)

pytestmark = pytest.mark.skipif(glibc() is None, reason="the limits are those of the GNU C library, on Linux")


def faults(times):
    """Pages that were entered while a large tensor was made and freed `times` times."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        torch.zeros(2**24)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def held():
    """Bytes of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.fixture(autouse=True)
def small_pages():
    """Huge ones, where a machine gives them to all, are entered 512 at a time."""
    glibc().prctl(THP_DISABLE, 1, 0, 0, 0)
    yield
    glibc().prctl(THP_DISABLE, 0, 0, 0, 0)


def test_what_is_freed_is_taken_again_without_new_pages():
    with kept_memory():
        faults(10)      # small pieces of a long-lived process may lie in the way of the first ones
        assert faults(10) < 5 * PAGES
    assert faults(10) > 9 * PAGES


def test_what_is_left_goes_back_also_after_an_error():
    before = held()
    with pytest.raises(KeyboardInterrupt), kept_memory():
        torch.zeros(2**26)
        assert held() > before + 2**27
        raise KeyboardInterrupt
    assert held() < before + 2**25


def test_a_library_without_limits_is_left_alone(monkeypatch):
    monkeypatch.setattr("minibert.training.memory.glibc", lambda: None)
    with kept_memory():
        assert torch.zeros(3).sum() == 0
