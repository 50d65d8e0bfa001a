"""Particular checks of unit 05; test_units.py compares them with their bank."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch
from banks.trial import unit

from minibert.course.unit05 import step_mistakes, step_rehearsal
from minibert.course.unit05.bucket_invariants import LENGTHS, POOL, SIZE, expected_reach, mean_reach
from minibert.data import bucketing
from minibert.training import schedule
from minibert.training.feed import order

UNIT = unit("unit05")


def test_only_the_step_needs_pytorch():
    code = (
        "import sys; from minibert.course import unit05 as check\n"
        "from minibert.course.unit05.definitions import pretraining_cost\n"
        "from minibert.data.bucketing import bucket_by_length\n"
        "from minibert.training.schedule import learning_rate\n"
        "for own in (learning_rate, bucket_by_length, pretraining_cost):\n"
        "    exec(f'def answer(*args): return own(*args)')\n"
        "    try: getattr(check, own.__name__)(own)\n"
        "    except AssertionError: pass\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_rehearsal_moves_weights_as_pytorchs_optimiser_and_does_not_load_its_compiler(monkeypatch):
    code = (
        "import sys, numpy as np; from minibert.course.unit05 import step_mistakes, step_rehearsal\n"
        "step_mistakes.right_rehearsal(*step_rehearsal.cases(np.random.default_rng(0))[0])\n"
        "sys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    case = step_rehearsal.cases(np.random.default_rng(0))[1]
    ours = step_mistakes.right_rehearsal(*case)
    monkeypatch.setattr(step_rehearsal, "bare_sgd", lambda: torch.optim.SGD)
    theirs = step_mistakes.right_rehearsal(*case)
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


def test_the_loop_uses_the_same_batches():
    rows = [([7] * n, None) for n in (5, 2, 9, 4, 4, 1, 8)]
    batches = order(rows, 2, np.random.default_rng(3), pool=2)
    assert batches == bucketing.bucket_by_length([5, 2, 9, 4, 4, 1, 8], 2, 2, np.random.default_rng(3))


def test_the_rule_of_thumb_is_the_packages_one_cycle_and_pytorchs():
    steps, peak = 60, 3e-3
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)])
    theirs = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=peak, total_steps=steps, pct_start=0.1, div_factor=100, final_div_factor=100
    )
    for step in range(steps):
        rate = schedule.one_cycle_rate(step, steps, peak)
        assert np.isclose(rate, schedule.one_cycle(step, steps, 0.1, peak / 100, peak, peak / 1e4), rtol=1e-9)
        assert np.isclose(rate, theirs.get_last_lr()[0], rtol=1e-9)
        optimizer.step()
        if step + 1 < steps:
            theirs.step()


@pytest.mark.parametrize("steps", [10, 25, 0])
def test_one_cycle_wants_a_tenth_of_the_steps(steps):
    with pytest.raises(ValueError, match=f"steps={steps} must be a multiple of 10"):
        schedule.one_cycle_rate(0, steps, 1.0)


def test_how_far_lengths_reach_is_as_expected():
    for pool in (1, POOL, len(LENGTHS)):
        reach = [
            mean_reach(LENGTHS, bucketing.bucket_by_length(LENGTHS, SIZE, pool, np.random.default_rng(seed)))
            for seed in range(20)
        ]
        wanted = expected_reach(min(pool * SIZE, len(LENGTHS)))
        assert np.allclose(reach, wanted, rtol=0.1)


def test_a_loss_that_is_still_a_tensor_brings_no_warning_of_ours():
    source = UNIT.bank["training_step"].right["the solution"].replace("loss.item()", "loss")
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert "you return the loss as a tensor" in UNIT.message(
                "training_step", UNIT.answer("training_step", source)
            )
    finally:
        torch.set_warn_always(False)
    assert caught == []


def test_the_steps_passes_and_modes_are_recorded():
    case = step_rehearsal.cases(np.random.default_rng(0))[0]
    seen = step_mistakes.right_rehearsal(*case)
    assert seen["passes"].tolist() == [1] * step_rehearsal.STEPS and seen["training"].all()
