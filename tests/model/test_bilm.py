"""ELMo whole: neither direction sees what it is to predict, and both learn."""

import dataclasses
import math

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.data.batch import IGNORE
from minibert.model import BiLSTM, Model
from minibert.objectives import BiLM
from minibert.training.config import TrainConfig
from minibert.training.loop import train
from minibert.training.micro_batch import loss_of_batch

V, LENGTH = CONFIG.vocab_size, 32


@pytest.fixture
def bilm():
    return BiLM(SPECIALS, V, LENGTH)


@pytest.fixture
def batch(bilm):
    return bilm.collate(*bilm.build(documents(count=3), np.random.default_rng(1)))


def elmo(bilm, large=False):
    """A fresh model; large: in float64 and with weights so large that a leak cannot hide in rounding."""
    torch.manual_seed(0)
    trunk = BiLSTM(CONFIG)
    model = Model(trunk, bilm.heads(trunk)).eval()
    if large:
        with torch.no_grad():
            for value in model.double().parameters():
                value.copy_(torch.randn_like(value) / 2)
    return model


@torch.no_grad()
def logits(bilm, model, batch):
    inputs, _ = bilm.corrupt(batch, np.random.default_rng(0))
    return model(**{name: torch.from_numpy(array) for name, array in inputs.items()})


@pytest.mark.parametrize("place", [1, 9, 20])
def test_next_is_predicted_from_the_left_and_previous_from_the_right(bilm, batch, place):
    """A token moves `next` from its place on and `previous` up to it, but not where it is predicted."""
    ids = batch.input_ids.copy()
    ids[:, place] = np.where(ids[:, place] == 50, 51, 50)
    model = elmo(bilm, large=True)
    a, b = (logits(bilm, model, each) for each in (batch, dataclasses.replace(batch, input_ids=ids)))
    rows = batch.real.all(1)
    assert rows.any()
    for name, source, seen in (
        ("next", place - 1, slice(place, None)),
        ("previous", place + 1, slice(0, place + 1)),
    ):
        moved = (a[name] - b[name])[rows].abs().amax((0, 2))  # (T,)
        assert moved[source] == 0 and (moved[seen] > 1e-12).all(), name
        assert moved.count_nonzero() == len(moved[seen]), name


def test_each_direction_has_the_label_of_the_token_it_does_not_see(bilm, batch):
    _, labels = bilm.corrupt(batch, np.random.default_rng(0))
    for name, step in (("next", 1), ("previous", -1)):
        b, t = np.nonzero(labels[name] != IGNORE)
        assert len(b) and np.array_equal(labels[name][b, t], batch.input_ids[b, t + step]), name


def test_an_untrained_loss_is_that_of_guessing_in_both_directions(bilm, batch):
    model = elmo(bilm)
    total, _ = loss_of_batch(bilm, model, batch, np.random.default_rng(0))
    _, labels = bilm.corrupt(batch, np.random.default_rng(0))
    outputs = logits(bilm, model, batch)
    halves = [
        torch.nn.functional.cross_entropy(
            outputs[name].flatten(0, 1), torch.from_numpy(labels[name]).flatten(), ignore_index=IGNORE
        ).item()
        for name in ("next", "previous")
    ]
    assert all(abs(half - math.log(V)) < 0.1 * math.log(V) for half in halves)
    assert abs(total.item() - sum(halves) / 2) < 1e-5


def test_it_learns_a_batch_by_heart_with_both_directions(bilm, batch):
    rows, labels = bilm.build(documents(count=3), np.random.default_rng(1))
    model = elmo(bilm)
    config = TrainConfig(steps=300, batch_size=len(rows), peak_rate=2e-2, warmup=0.1)
    log = train(model, bilm, lambda rng: (rows, labels), config, precision=torch.float32, progress=False)
    assert log[-1]["loss"] < 0.35 * log[0]["loss"]
    outputs, (_, labels) = logits(bilm, model.eval(), batch), bilm.corrupt(batch, np.random.default_rng(0))
    for name in ("next", "previous"):
        counted = labels[name] != IGNORE
        assert (outputs[name].argmax(-1).numpy() == labels[name])[counted].mean() > 0.5, name


def test_in_bfloat16_it_learns_on_any_processor(bilm, batch, monkeypatch):
    """Where a processor lacks bfloat16, PyTorch has no LSTM in it: there it computes in float32."""
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: False, raising=False)
    model = elmo(bilm)
    with torch.autocast("cpu", torch.bfloat16):
        loss, _ = loss_of_batch(bilm, model, batch, np.random.default_rng(0))
    loss.backward()
    grad = model.encoder.forward_layers[0].weight_hh_l0.grad
    assert grad.dtype == torch.float32 and grad.abs().sum() > 0
