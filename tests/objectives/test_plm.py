"""The permutation language model: what a prediction may depend on is what comes before it in the order."""
import math

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.batch import IGNORE, Batch, visible_all, visible_causal
from minibert.model import Encoder, attention_fast
from minibert.model.two_stream import attend, two_stream_layer
from minibert.objectives import PLM
from minibert.reference import permutation_visible
from minibert.training import TrainConfig, train

V, LENGTH = CONFIG.vocab_size, 32


@pytest.fixture
def plm():
    return PLM(SPECIALS, V, LENGTH)


@pytest.fixture
def batch(plm):
    rows, labels = plm.build(documents(count=3), np.random.default_rng(1))
    return plm.collate(rows, labels)


@pytest.fixture
def model(plm):
    torch.manual_seed(0)
    return plm.model(Encoder(CONFIG)).double().eval()


def run(model, inputs):
    return model(**{name: torch.from_numpy(array) for name, array in inputs.items()})["tokens"]


def loud(model):
    """The same model with larger weights, so that a leak cannot hide in rounding."""
    with torch.no_grad():
        for value in model.parameters():
            value.mul_(5) if value.dim() > 1 else value.add_(0.3 * torch.randn_like(value))
    return model


def test_corrupt_is_pure_and_seeded(plm, batch):
    ids, state = batch.input_ids.copy(), np.random.get_state()[1].copy()
    (a, a_labels), (b, b_labels) = (plm.corrupt(batch, np.random.default_rng(7)) for _ in range(2))
    assert all(np.array_equal(a[name], b[name]) for name in a) and np.array_equal(a_labels["tokens"], b_labels["tokens"])
    assert np.array_equal(ids, batch.input_ids) and np.array_equal(state, np.random.get_state()[1])
    other, _ = plm.corrupt(batch, np.random.default_rng(8))
    assert not np.array_equal(a["visible"], other["visible"])


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
    before = run(model, inputs)
    row = 0
    size = int(batch.real[row].sum())
    order = inputs["query_visible"][row].sum(-1)                # how many come before: the place in the order
    for t in range(size):
        changed = inputs["input_ids"].copy()
        changed[row, t] = 50 if changed[row, t] != 50 else 51
        moved = (run(model, {**inputs, "input_ids": changed}) - before).abs().amax(-1)
        later = torch.from_numpy(order[:size] > order[t])
        assert moved[row, :size][~later].max() == 0, t
        assert not later.any() or moved[row, :size][later].min() > 1e-6, t
        assert moved[row + 1:].max() == 0


def test_the_first_query_predicts_from_its_position_alone(plm, batch, model):
    order = np.where(batch.real, (np.arange(batch.real.shape[1]) - 5) % batch.real.shape[1], 99)    # begins at position 5
    inputs, _ = plm.corrupt(batch, np.random.default_rng(0))
    inputs["visible"], inputs["query_visible"] = permutation_visible(batch.real, order)
    other = {**inputs, "input_ids": (batch.input_ids + 7) % V}
    a, b = run(loud(model), inputs), run(model, other)
    moved = (a - b).abs().amax(-1)
    assert torch.isfinite(a).all() and moved[:, 5].max() == 0 and moved[torch.from_numpy(batch.real[:, 6]), 6].min() > 1e-6


def strict(q, k, v, visible=None, dropout=0.0):
    """A kernel that gives nan for a query that sees nothing, as some do."""
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("kernel", [attention_fast, strict])
def test_a_query_that_sees_nothing_has_finite_gradients(plm, batch, kernel, monkeypatch):
    monkeypatch.setattr("minibert.model.two_stream.attention_fast", kernel)
    torch.manual_seed(0)
    model = plm.model(Encoder(CONFIG))
    loss, _ = plm.step(model, batch, np.random.default_rng(0))
    loss.backward()
    assert all(torch.isfinite(value.grad).all() for value in model.parameters() if value.grad is not None)
    assert model.start.grad.abs().max() > 0


def test_two_positions_that_see_the_same_are_told_apart(plm, model):
    real = np.ones((1, 6), bool)
    order = np.array([[0, 1, 2, 3, 4, 5]])
    visible, query_visible = permutation_visible(real, order)
    query_visible[0, 5] = query_visible[0, 4]
    ids = np.array([[2, 10, 11, 12, 13, 3]])
    logits = run(model, {"input_ids": ids, "token_type_ids": np.zeros_like(ids), "visible": visible,
                         "query_visible": query_visible})
    assert (logits[0, 5] - logits[0, 4]).abs().max() > 1e-3


def test_in_reading_order_the_content_stream_is_a_causal_encoder(batch, model):
    order = np.tile(np.arange(batch.real.shape[1]), (len(batch.real), 1))
    arguments = [torch.from_numpy(a) for a in (batch.input_ids, *permutation_visible(batch.real, order), batch.token_type_ids)]
    content, _ = model.streams(*arguments)
    causal = model.encoder(arguments[0], torch.from_numpy(visible_causal(batch.real)), arguments[3])["hidden"]
    assert (content - causal)[torch.from_numpy(batch.real)].abs().max() < 1e-12


def test_both_streams_run_through_the_same_layer(batch, model):
    torch.manual_seed(1)
    x, visible = torch.randn(*batch.real.shape, CONFIG.hidden_size).double(), torch.from_numpy(visible_all(batch.real))
    layer = loud(model).encoder.layers[0]
    content, query = two_stream_layer(layer, x, x, visible, visible)
    assert (content - layer(x, visible)[0]).abs().max() < 1e-12 and (content - query).abs().max() < 1e-12
    assert (attend(layer.attention, x, x, visible) - layer.attention(x, visible)[0]).abs().max() < 1e-12


def test_a_row_does_not_depend_on_its_neighbours_its_padding_or_its_place(plm, batch, model):
    inputs, _ = plm.corrupt(batch, np.random.default_rng(0))
    together = run(model, inputs)
    row = int(batch.real.sum(1).argmin())
    size = int(batch.real[row].sum())
    assert size < batch.real.shape[1]
    alone = run(model, {name: a[[row], :size, :size] if a.ndim == 3 else a[[row], :size] for name, a in inputs.items()})
    assert (alone[0] - together[row, :size]).abs().max() < 1e-12
    turned = run(model, {name: a[::-1].copy() for name, a in inputs.items()})
    assert (turned.flip(0) - together).abs().max() < 1e-12
    noise = {**inputs, "input_ids": np.where(batch.real, inputs["input_ids"], 77)}
    assert (run(model, noise) - together)[torch.from_numpy(batch.real)].abs().max() == 0


def test_an_untrained_loss_is_that_of_guessing(plm, batch):
    torch.manual_seed(0)
    _, parts = plm.step(plm.model(Encoder(CONFIG)).eval(), batch, np.random.default_rng(0))
    assert abs(parts["plm"].item() - math.log(V)) < 0.1 * math.log(V)


def test_the_loss_of_counted_positions_is_the_loss_of_all(plm, batch, model):
    inputs, labels = plm.corrupt(batch, np.random.default_rng(0))
    everywhere = plm.loss({"tokens": run(model, inputs)}, {"tokens": torch.from_numpy(labels["tokens"])})
    assert abs(everywhere.item() - plm.step(model, batch, np.random.default_rng(0))[0].item()) < 1e-5


def test_it_learns_one_batch_by_heart(plm):
    rows, labels = plm.build(documents(count=3), np.random.default_rng(1))
    torch.manual_seed(0)
    model = plm.model(Encoder(CONFIG))
    once = type("Fixed", (), {"collate": plm.collate,
                              "step": lambda self, m, b, rng: plm.step(m, b, np.random.default_rng(0))})()
    config = TrainConfig(steps=150, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    log = train(model, once, lambda rng: (rows, labels), config, precision=torch.float32, progress=False)
    assert log[-1]["loss"] < 0.35 * log[0]["loss"]
