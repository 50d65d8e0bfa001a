"""What a model answers on rows of the generated language is what its logits say, row by row."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS

from minibert.generated.posterior.needs import Need
from minibert.generated.posterior.reachable import HiddenRow, scored
from minibert.objectives import MLM
from minibert.training.pretraining import model_answers, new_model


def row(length, hidden):
    ids = np.array([SPECIALS.cls, *range(7, 5 + length), SPECIALS.sep])
    chosen = np.isin(np.arange(length), hidden)
    return HiddenRow(ids, chosen, tuple(Need(0, 1, "syntax", False) for _ in hidden))


@pytest.fixture
def model():
    return new_model(CONFIG, MLM(SPECIALS, CONFIG.vocab_size, 32), seed=0).eval()


def test_an_answer_for_each_hidden_place_is_right_where_the_likeliest_piece_is_the_truth(model):
    given = row(9, [2, 5, 6])
    seen = torch.from_numpy(np.where(given.hidden, SPECIALS.mask, given.ids))[None]  # (1, T)
    with torch.no_grad():
        logits = model(
            seen,
            torch.ones(1, 9, 9, dtype=torch.bool),
            torch.zeros_like(seen),
            counted=torch.ones(1, 9, dtype=torch.bool),
        )["tokens"]  # (T, V)
    wanted = [
        (float(logits[at].argmax() == given.ids[at]), logits[at].softmax(-1)[given.ids[at]].item())
        for at in (2, 5, 6)
    ]
    assert np.allclose(model_answers(model, SPECIALS)(given), wanted, atol=1e-6)


def test_a_model_that_is_sure_of_one_piece_is_right_there_and_nowhere_else(model):
    with torch.no_grad():
        for parameter in model.heads.parameters():
            if parameter.shape == (CONFIG.vocab_size,):
                parameter[9] = 100.0
    score = scored([row(9, [3, 5]), row(6, [2])], model_answers(model, SPECIALS))["all"]
    truths = [row(9, [3, 5]).ids[3], row(9, [3, 5]).ids[5], row(6, [2]).ids[2]]
    assert score.count == 3 and score.right == truths.count(9) == 1
