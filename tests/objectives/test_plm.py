"""The permutation language model: what a prediction may depend on is what comes before it in the order."""

import math

import numpy as np
import pytest
import torch
from small import LENGTH, V, batch_of, loud, model_of, token_logits
from tiny import CONFIG, SPECIALS

from minibert.data.batch import IGNORE, Batch, visible_all, visible_causal
from minibert.data.permutation import permutation_visible
from minibert.model import attention_fast
from minibert.model.two_stream import attend, two_stream_layer
from minibert.objectives import PLM
from minibert.training.micro_batch import loss_of_batch


@pytest.fixture
def plm():
    return PLM(SPECIALS, V, LENGTH)


@pytest.fixture
def batch(plm):
    return batch_of(plm, count=3)


@pytest.fixture
def model(plm):
    return model_of(plm).double()


def test_another_seed_gives_another_order(plm, batch):
    first, other = (plm.corrupt(batch, np.random.default_rng(seed))[0]["visible"] for seed in (7, 8))
    assert not np.array_equal(first, other)


def test_one_ordinary_token_in_six_is_predicted_and_nothing_is_masked(plm, batch):
    inputs, labels = plm.corrupt(batch, np.random.default_rng(0))
    counted = labels["tokens"] != IGNORE
    ordinary = (batch.real & ~np.isin(batch.input_ids, SPECIALS.ids)).sum(1)
    assert np.array_equal(counted.sum(1), np.maximum(1, np.round(ordinary / 6)))
    assert not (counted & ~batch.real).any() and not np.isin(batch.input_ids[counted], SPECIALS.ids).any()
    assert np.array_equal(labels["tokens"][counted], batch.input_ids[counted])
    assert np.array_equal(inputs["input_ids"], batch.input_ids)


def test_what_stands_in_the_padding_is_never_predicted(plm, batch):
    filled = Batch(np.where(batch.real, batch.input_ids, 77), batch.token_type_ids, batch.real)
    for seed in range(20):
        (_, labels), (_, expected) = (plm.corrupt(b, np.random.default_rng(seed)) for b in (filled, batch))
        assert np.array_equal(labels["tokens"], expected["tokens"])


def test_a_predicted_token_sees_the_special_tokens_and_all_that_is_not_predicted(plm, batch):
    inputs, labels = plm.corrupt(batch, np.random.default_rng(0))
    counted = labels["tokens"] != IGNORE
    given = batch.real & ~counted
    for b, t in np.argwhere(counted):
        assert inputs["query_visible"][b, t, given[b]].all() and not inputs["query_visible"][b, t, t]


def test_a_token_moves_the_predictions_after_it_in_the_order_and_no_other(plm, batch, model):
    model = loud(model)
    inputs, _ = plm.corrupt(batch, np.random.default_rng(3))
    before = token_logits(model, inputs)
    row = 0
    size = int(batch.real[row].sum())
    order = inputs["query_visible"][row].sum(-1)  # how many come before: the place in the order
    for t in range(size):
        changed = inputs["input_ids"].copy()
        changed[row, t] = 50 if changed[row, t] != 50 else 51
        moved = (token_logits(model, {**inputs, "input_ids": changed}) - before).abs().amax(-1)
        later = torch.from_numpy(order[:size] > order[t])
        assert moved[row, :size][~later].max() == 0, t
        assert not later.any() or moved[row, :size][later].min() > 1e-6, t
        assert moved[row + 1 :].max() == 0


def test_the_first_query_predicts_from_its_position_alone(plm, batch, model):
    order = np.where(
        batch.real, (np.arange(batch.real.shape[1]) - 5) % batch.real.shape[1], 99
    )  # begins at position 5
    inputs, _ = plm.corrupt(batch, np.random.default_rng(0))
    inputs["visible"], inputs["query_visible"] = permutation_visible(batch.real, order)
    other = {**inputs, "input_ids": (batch.input_ids + 7) % V}
    a, b = token_logits(loud(model), inputs), token_logits(model, other)
    moved = (a - b).abs().amax(-1)
    assert torch.isfinite(a).all()
    assert moved[:, 5].max() == 0
    assert moved[torch.from_numpy(batch.real[:, 6]), 6].min() > 1e-6


def strict(q, k, v, visible=None, dropout=0.0):
    """A kernel that gives nan for a query that sees nothing, as some do."""
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("kernel", [attention_fast, strict])
def test_a_query_that_sees_nothing_has_finite_gradients(plm, batch, kernel, monkeypatch):
    monkeypatch.setattr("minibert.model.two_stream.attention_fast", kernel)
    model = model_of(plm)
    loss, _ = loss_of_batch(plm, model, batch, np.random.default_rng(0))
    loss.backward()
    assert all(torch.isfinite(value.grad).all() for value in model.parameters() if value.grad is not None)
    assert model.start.grad.abs().max() > 0


def test_two_positions_that_see_the_same_are_told_apart(plm, model):
    real = np.ones((1, 6), bool)
    order = np.array([[0, 1, 2, 3, 4, 5]])
    visible, query_visible = permutation_visible(real, order)
    query_visible[0, 5] = query_visible[0, 4]
    ids = np.array([[2, 10, 11, 12, 13, 3]])
    logits = token_logits(
        model,
        {
            "input_ids": ids,
            "token_type_ids": np.zeros_like(ids),
            "visible": visible,
            "query_visible": query_visible,
        },
    )
    assert (logits[0, 5] - logits[0, 4]).abs().max() > 1e-3


def test_in_reading_order_the_content_stream_is_a_causal_encoder(batch, model):
    order = np.tile(np.arange(batch.real.shape[1]), (len(batch.real), 1))
    arguments = [
        torch.from_numpy(a)
        for a in (batch.input_ids, *permutation_visible(batch.real, order), batch.token_type_ids)
    ]
    content, _ = model.streams(*arguments)
    causal = model.encoder(arguments[0], torch.from_numpy(visible_causal(batch.real)), arguments[3])["hidden"]
    assert (content - causal)[torch.from_numpy(batch.real)].abs().max() < 1e-12


def test_both_streams_run_through_the_same_layer(batch, model):
    torch.manual_seed(1)
    x, visible = (
        torch.randn(*batch.real.shape, CONFIG.hidden_size).double(),
        torch.from_numpy(visible_all(batch.real)),
    )
    layer = loud(model).encoder.layers[0]
    content, query = two_stream_layer(layer, x, x, visible, visible)
    assert (content - layer(x, visible)[0]).abs().max() < 1e-12 and (content - query).abs().max() < 1e-12
    assert (attend(layer.attention, x, x, visible) - layer.attention(x, visible)[0]).abs().max() < 1e-12
