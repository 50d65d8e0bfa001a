"""The lab of lesson 5: any loop that takes the right steps trains the same model; a wrong one is replaced."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.course.unit05.views import loop_lab
from minibert.course.unit05.views.loop_lab import LoopLab, plain_loop
from minibert.objectives import MLM, NSP, Sum
from minibert.training.pretraining import new_model
from minibert.training.schedule import learning_rate

OBJECTIVE = Sum(NSP(SPECIALS, 97, 24), MLM(SPECIALS, 97, 24))


def right(model, optimizer, loss_of, batches, rates):
    """
    >>> 1 + 1
    2
    """
    return plain_loop(model, optimizer, loss_of, batches, rates)


def wrong(model, optimizer, loss_of, batches, rates):
    """
    >>> 1 + 1
    3
    """


@pytest.fixture
def lab(monkeypatch):
    monkeypatch.setattr(loop_lab, "SEQUENCES", 48)
    monkeypatch.setattr(loop_lab, "HELD_OUT", 3)

    def lab(loop):
        return LoopLab(
            loop,
            lambda seed: new_model(CONFIG, OBJECTIVE, seed),
            OBJECTIVE,
            documents(count=12),
            learning_rate,
        )

    return lab


def test_all_batch_sizes_read_as_much_and_a_wrong_loop_is_replaced(lab):
    own, other = lab(right), lab(wrong)
    assert own.own and not other.own
    runs = [one.run(batch_size=8) for one in (own, other)]
    assert runs[0].losses == runs[1].losses and len(runs[0].losses) == 6
    assert np.isfinite(runs[0].dev_loss) and 3 < own.baseline < 6
    assert len(own.run(batch_size=16).losses) == 3


def test_adam_moves_each_weight_by_one_learning_rate_in_step_1(lab):
    assert lab(right).run(batch_size=8).moves[1] == pytest.approx(1, abs=0.05)


def test_a_seed_is_trained_once(lab):
    one = lab(right)
    first = one.three_seeds(batch_size=16)
    again = one.three_seeds(batch_size=16, rate=3e-3)
    assert [run.seed for run in first] == [0, 1, 2] and first == again and len(one.trained) == 3


def test_the_button_trains_with_the_sliders_and_draws(lab):
    one = lab(right)
    one.batch_size.value, one.warmup.value = 8, 0
    assert one.plan.value.count("6 steps of 8 sequences") == 1 and "starts at 0.003" in one.plan.value
    one.button.click()
    one.button.click()
    assert [run.seed for run in one.runs] == [0, 1]
    assert "<svg" in one.view.value and "your loop" in one.view.value and one.view.value.count("<tr>") == 3


def test_an_error_of_the_loop_is_shown(lab):
    one = lab(right)

    def broken(*given):
        raise TypeError("no such batch")

    one.loop = broken
    one.train()
    assert "TypeError: no such batch" in one.view.value and not one.button.disabled


def test_the_plain_loop_clears_and_clips():
    w = torch.nn.ParameterList([torch.tensor(2.0)])
    sgd = torch.optim.SGD(w.parameters(), lr=99)
    steps = [0, 0, 0, 16, 16], [2, 4, 0, 4, 0]
    losses = plain_loop(w, sgd, lambda w, batch: (w[0] - batch) ** 2 / 8, *steps)
    assert losses == pytest.approx([0.5, 0.125, 0, 32, 18], abs=1e-4)
