"""The growth of attention: bytes are counted exactly, and both computations are the same."""

import pytest
import torch

from minibert.course.unit14.experiments import long_texts
from minibert.course.unit14.experiments.long_texts import LENGTHS, NewTensors, calls, exponent, growth_run


def test_new_tensors_count_and_views_do_not():
    x = torch.zeros(10, 10)
    with NewTensors() as made:
        y = x.T[:5] + 1  # 50 numbers
        y[0]
        x.add_(1)
    assert made.total == 50 * 4


@pytest.mark.parametrize("power", [1, 2])
def test_the_exponent_of_a_power_is_found(power):
    assert exponent([3.0 * length**power for length in LENGTHS]) == pytest.approx(power)


def test_both_ways_compute_the_same():
    full, linear = (call() for call in calls(300, torch.float64).values())
    assert (full - linear).abs().max() < 1e-12


def test_memory_grows_with_the_square_or_with_the_length(monkeypatch):
    monkeypatch.setattr(long_texts, "LENGTHS", (256, 512, 1024, 2048))
    monkeypatch.setattr(long_texts, "REPEATS", 1)
    found = growth_run()
    assert 1.95 < found["full"]["bytes exponent"] < 2.05 and 0.9 < found["linear"]["bytes exponent"] < 1.05
    assert found["difference"]["float32"] < 1e-5 and found["difference"]["float64"] < 1e-12
