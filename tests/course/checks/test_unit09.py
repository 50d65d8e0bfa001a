"""Particular checks of unit 09; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks import load
from banks.trial import unit

from minibert.course import unit09 as check
from minibert.course.checks.compare import close
from minibert.course.unit09 import bug_hunt, loss_mistakes
from minibert.course.unit09 import leaks as unit09_leaks
from minibert.data.batch import IGNORE
from minibert.data.masking import shifted

UNIT = unit("unit09")


def test_the_loss_here_is_the_objectives():
    torch = pytest.importorskip("torch")
    from minibert.objectives.base import token_loss

    forward, backward, ids, counted = check.bilm_cases(np.random.default_rng(4))[1]
    tokens = np.where(counted, ids, IGNORE)
    ours = [
        token_loss(torch.tensor(logits), torch.tensor(shifted(tokens, by))).item()
        for logits, by in ((forward, 1), (backward, -1))
    ]
    assert loss_mistakes.bilm_loss(forward, backward, ids, counted) == pytest.approx(sum(ours) / 2, rel=1e-6)


@pytest.mark.parametrize("layers, leaks", [(1, False), (2, True)])
def test_two_layers_that_hide_each_token_from_itself_leak_and_one_does_not(layers, leaks):
    model = unit09_leaks.random_model(~np.eye(5, dtype=bool), layers, 9, np.random.default_rng(0))
    found = unit09_leaks.leakage(model, np.arange(5), np.arange(5), 9)
    assert (found == leaks).all()


def test_the_reader_in_the_notebook_is_ours():
    read = load(UNIT.cells["reader"].source, "read")
    for x, real, weights in bug_hunt.cases(np.random.default_rng(0)):
        assert close(read(x, real, weights[0]["forward"]), bug_hunt.read(x, real, weights[0]["forward"]))
