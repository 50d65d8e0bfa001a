"""Lesson 9's models predict at the right position, see what they may, and predict as much as is said."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, B, T, documents, ragged

from minibert.course.models.elmo_gpt_bert import training as elmo_gpt_bert
from minibert.data.batch import visible_all
from minibert.generated.posterior.reachable import HiddenRow
from minibert.model import Encoder
from minibert.model.bilstm import BiLSTM
from minibert.objectives import CLM, MLM, BiLM

V = 97
ROW = HiddenRow(
    np.array([1, 10, 20, 30, 40, 2]), np.array([False, False, True, False, True, False]), ("syntax", "left")
)
OFTEN = torch.full((V,), 1 / V).log()


def says(place, piece):
    """Logits (1, T, V): at one place all for one piece, elsewhere nothing."""
    logits = torch.zeros(1, len(ROW.ids), V)
    logits[0, place, piece] = 9.0
    return logits


class Says(torch.nn.Module):
    """A model that gives the same logits to whoever asks, and keeps what it was shown."""

    def __init__(self, **logits):
        super().__init__()
        self.logits, self.weight = logits, torch.nn.Parameter(torch.zeros(1))

    def forward(self, input_ids, visible, token_type_ids):
        self.seen = input_ids, visible, token_type_ids
        return self.logits


def test_a_model_is_asked_on_the_device_where_it_is():
    model = Says(tokens=says(1, 20)).to("meta")
    elmo_gpt_bert.log_probs(model, ROW.ids, visible_all)
    assert [x.device.type for x in model.seen] == ["meta"] * 3


def test_gpt_is_asked_at_the_place_before_and_sees_the_left_side_only():
    model = Says(tokens=says(1, 20))
    assert [right for right, _ in elmo_gpt_bert.gpt_answers(model, ROW)] == [1.0, 0.0]
    ids, visible, _ = model.seen
    assert ids[0].tolist() == ROW.ids.tolist() and not visible[0].triu(1).any()


@pytest.mark.parametrize("direction, expected", [("left", [1.0, 0.0]), ("right", [0.0, 1.0])])
def test_elmo_is_asked_before_by_the_left_and_after_by_the_right_lstm(direction, expected):
    model = Says(next=says(1, 20), previous=says(5, 40))
    assert [right for right, _ in elmo_gpt_bert.elmo_answers(model, OFTEN, direction, ROW)] == expected


def test_the_product_is_what_bayes_says_of_two_independent_sides():
    rng = np.random.default_rng(0)
    word, left, right = (
        rng.dirichlet(np.ones(size), count) for size, count in ((4, 1), (5, 4), (3, 4))
    )  # (1, W), (W, side)
    joint = word[0][:, None, None] * left[:, :, None] * right[:, None, :]  # (W, left, right)
    given = [joint[:, 2].sum(1), joint[:, :, 1].sum(1), joint[:, 2, 1]]  # (W,) each, not yet summing to 1
    p_left, p_right, p_both = (torch.from_numpy(p / p.sum())[None].log() for p in given)
    found = elmo_gpt_bert.product(p_left, p_right, torch.from_numpy(word[0]).log())
    assert torch.allclose(found, p_both) and not torch.allclose((p_left + p_right).log_softmax(-1), p_both)


@pytest.mark.parametrize(
    "name, heads", [("ELMo", {"next": 1, "previous": 3}), ("GPT", {"tokens": 1}), ("BERT", {"tokens": 2})]
)
def test_a_gap_is_asked_where_a_model_predicts_it(name, heads):
    model, gap = Says(**{head: says(place, 20) for head, place in heads.items()}), ROW.ids.copy()
    gap[2] = SPECIALS.mask
    probs = elmo_gpt_bert.gap_probs(name, model, gap, 2, OFTEN)
    assert probs.argmax() == 20 and probs.sum().item() == pytest.approx(1)
    ids, visible, _ = model.seen
    assert ids[0, 2] == SPECIALS.mask and bool(visible[0].triu(1).any()) == (name != "GPT")


def test_the_truths_share_stands_beside_the_verdict():
    (right, share), _ = elmo_gpt_bert.gpt_answers(Says(tokens=says(1, 20)), ROW)
    assert right == 1.0 and share == pytest.approx(np.exp(9) / (np.exp(9) + V - 1))


def test_questions_grow_with_what_was_read_and_differ_by_objective():
    docs, log = documents(), [{"tokens": 1000}, {"tokens": 500}]
    asked = {
        kind: elmo_gpt_bert.questions_of(log, kind(SPECIALS, V, 24), docs, np.random.default_rng(0))
        for kind in (CLM, BiLM, MLM)
    }
    assert 1200 < asked[CLM] < 1500 and asked[BiLM] == pytest.approx(2 * asked[CLM], rel=0.05)
    assert asked[MLM] == pytest.approx(0.15 * asked[CLM], rel=0.3)


def hidden(ids, bilstm):
    """(B, T, D) of a LeftToRightEncoder that does not change from call to call."""
    torch.manual_seed(1)
    both_sides = Encoder(CONFIG.replace(initializer_range=0.5))
    encoder = elmo_gpt_bert.LeftToRightEncoder(both_sides, bilstm).double().eval()
    real, types = ragged()[1:]
    return encoder(torch.from_numpy(ids), torch.from_numpy(visible_all(real)), torch.from_numpy(types))[
        "hidden"
    ].detach()


@pytest.mark.parametrize("bilstm", [False, True])
def test_a_left_to_right_encoder_does_not_look_ahead_unless_a_bilstm_does(bilstm):
    ids = ragged()[0]
    changed = ids.copy()
    changed[:, 5] = np.where(ids[:, 5] == 50, 51, 50)
    moved = (hidden(ids, bilstm) - hidden(changed, bilstm)).abs().amax(-1) > 1e-12  # (B, T)
    assert moved[:, 5].all() and moved[:, 1:5].all() == moved[:, 1:5].any() == bilstm


@pytest.mark.parametrize("bilstm", [False, True])
def test_at_its_first_place_stands_what_the_last_real_token_knows(bilstm):
    found = hidden(ragged()[0], bilstm)
    assert all(torch.equal(found[b, 0], found[b, length - 1]) for b, length in enumerate((11, 7, 9)))
    assert found.shape == (B, T, CONFIG.hidden_size) and not torch.equal(found[0, 0], found[0, 1])


def test_the_padding_changes_nothing_for_a_left_to_right_encoder_with_a_bilstm():
    ids = ragged()[0]
    changed = np.where(ragged()[1], ids, 60)
    real = torch.from_numpy(ragged()[1])
    assert torch.allclose(hidden(ids, True)[real], hidden(changed, True)[real])


@pytest.mark.parametrize("kind", [Encoder, BiLSTM])
def test_a_feature_encoder_trains_a_sum_of_layers_and_leaves_the_encoder_as_it_is(kind):
    torch.manual_seed(1)
    whole = kind(CONFIG.replace(initializer_range=0.5))
    features = elmo_gpt_bert.FeatureEncoder(whole).train()
    ids, real, types = ragged()
    inputs = torch.from_numpy(ids), torch.from_numpy(visible_all(real)), torch.from_numpy(types)
    out = features(*inputs)["hidden"]
    assert out.shape == (B, T, CONFIG.hidden_size)
    out.square().sum().backward()
    assert features.mix.weights.grad.abs().min() > 0 and features.lstm.weight_ih_l0.grad.abs().max() > 0
    assert all(weights.grad is None for weights in whole.parameters())
