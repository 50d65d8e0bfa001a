"""--compile on a GPU, seen on a processor: a backend that compiles nothing counts what it is asked to."""

from functools import partial

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents, fit

from minibert.model import FastEncoder, heads
from minibert.model.bilstm import BiLSTM
from minibert.objectives import MLM, PLM, RTD, BiLM, Denoise
from minibert.training import step
from minibert.training.config import TrainConfig
from minibert.training.micro_batch import loss_of_batch

V = CONFIG.vocab_size
OBJECTIVES = {
    "mlm": MLM(SPECIALS, V, 24),
    "rtd": RTD(SPECIALS, V, 24),
    "plm": PLM(SPECIALS, V, 24),
    "denoise": Denoise(SPECIALS, V, 24, noise=lambda ids, rng: ids),
}
# functions that run a layer, each compiled for sequences of one length and of any, with a mask and without
LAYERS = {
    "mlm": ["fast_layer"],
    "rtd": ["fast_layer"],
    "plm": ["two_stream_layer"],
    "denoise": ["fast_layer", "run_layer"],
}
VARIANTS = 4


@pytest.fixture
def compiled(monkeypatch):
    """The names of the functions that were compiled, each time that one was."""
    names = []

    def backend(graph, inputs, name):
        names.append(name)
        return graph

    def compile(function, real=torch.compile):
        return real(function, backend=partial(backend, name=function.__name__))

    torch._dynamo.reset()
    monkeypatch.setattr(torch, "compile", compile)
    monkeypatch.setattr(step, "compiles", lambda model: True)
    monkeypatch.setattr(heads, "tokens_read", lambda *arguments: None)  # as on a GPU
    yield names
    torch._dynamo.reset()


def run(name, tmp_path=None, score=None, **changes):
    objective = OBJECTIVES[name]
    torch.manual_seed(0)
    model = objective.model(FastEncoder(CONFIG))
    log = fit(
        model,
        objective,
        TrainConfig(**{"steps": 6, "batch_size": 6, "save_every": 2, **changes}),
        checkpoint=tmp_path,
        score=score,
    )
    return [entry["loss"] for entry in log]


@pytest.mark.every(4)
@pytest.mark.parametrize("recompute", [False, True])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_each_network_compiles_its_layers_a_few_times_and_trains_as_before(name, recompute, compiled):
    expected = run(name)
    assert not compiled
    assert run(name, compile=True, recompute=recompute) == pytest.approx(expected, rel=1e-5)
    assert sorted({*compiled}) == LAYERS[name]
    assert len(compiled) <= VARIANTS * len(LAYERS[name]) * (1 + (name == "rtd"))  # two widths in RTD
    before = list(compiled)
    run(name, compile=True, recompute=recompute, steps=12)
    assert len(compiled) <= 2 * len(before)  # not with the number of steps or layers


def test_scoring_in_between_compiles_nothing(compiled, tmp_path):
    objective, seen = OBJECTIVES["mlm"], []

    def score(model):
        before = len(compiled)
        rows, _ = objective.build(documents(), np.random.default_rng(0))
        with torch.no_grad():
            for count in range(3, 21, 2):
                loss_of_batch(objective, model, objective.collate(rows[:count]), np.random.default_rng(0))
        seen.append(len(compiled) - before)
        return 0.0

    run("mlm", tmp_path / "c", score, compile=True)
    assert compiled and seen == [0, 0, 0]


@pytest.mark.parametrize("changes", [{"compile": True}, {"recompute": True}])
def test_an_encoder_without_such_layers_is_told_and_trains(changes, compiled, capsys):
    objective = BiLM(SPECIALS, V, 24)
    model = objective.model(BiLSTM(CONFIG))
    fit(model, objective, TrainConfig(steps=1, batch_size=6, **changes))
    assert "recompute, compile: not supported by BiLSTM; this run trains without" in capsys.readouterr().err
    assert not compiled
