"""Pretraining on an emulated GPU and an emulated Mac: the losses of the processor, for every objective."""

import math
from functools import cache

import numpy as np
import pytest
import torch
from emulated import NEAR, REAL, emulated
from small import LENGTH, model_of
from test_contract import BY_NAME, CASES
from tiny import CONFIG, documents

from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import BiLSTM, FastEncoder
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.checkpoint import Checkpoints, load_model
from minibert.training.config import TrainConfig
from minibert.training.device_check import check_device
from minibert.training.feed import pad_to_multiple
from minibert.training.loop import train
from minibert.training.phases import Phase, stacking_phases
from minibert.training.pretraining import evaluate_pretraining, pretrain
from minibert.training.recipes import growing_phases

KINDS = ("cuda", "mps")
OPTIONS = (
    {"accumulate": 2},
    {"recompute": True},
    {"optimizer": "bert_adam"},
    {"optimizer": "muon"},
    {"schedule": "onecycle"},
    {"embedding_share": 0.5},
)


def beginning(case):
    """(model, objective, function that makes the sequences): the same at every call. Sequences have the
    lengths of a GPU on the processor, too, so that both mask the same tokens.
    """
    objective = case.make()
    collate = objective.collate
    objective.collate = lambda *rows: pad_to_multiple(collate(*rows), 8, LENGTH, objective.specials.pad)
    rows = objective.build(documents(), np.random.default_rng(1))
    return model_of(objective, BiLSTM if case.name == "bilm" else FastEncoder), objective, lambda rng: rows


def log_of(name, kind, steps=3, precision=torch.float32, checkpoint=None, **options):
    """The log of a short run on a device that is emulated already, or on the processor."""
    model, objective, rows = beginning(BY_NAME[name])
    config = TrainConfig(steps=steps, batch_size=4, peak_rate=5e-3, **options)
    return train(
        model.to(kind), objective, rows, config, precision=precision, progress=False, checkpoint=checkpoint
    )


@cache
def on_the_processor(name, **options):
    return log_of(name, "cpu", **options)


def check_same(found, expected, rtol=NEAR):
    """The logs of two runs say the same, but for the time they took."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert a.keys() == b.keys()
        assert [a[key] for key in a if key != "seconds"] == pytest.approx(
            [b[key] for key in b if key != "seconds"], rel=rtol
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BY_NAME)
def test_every_objective_trains_as_on_the_processor(name, kind):
    with emulated(kind):
        found = log_of(name, kind)
    if name == "rtd":  # another device draws other words
        assert all(math.isfinite(entry[key]) for entry in found for key in ("loss", "mlm", "rtd"))
    else:
        check_same(found, on_the_processor(name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    "name",
    [
        "BERT",
        pytest.param("plm", marks=pytest.mark.slow),
        pytest.param("NSP and span boundary", marks=pytest.mark.slow),
        pytest.param("denoise", marks=pytest.mark.slow),
    ],
)
def test_every_way_to_compute_trains_as_on_the_processor(name, options, kind):
    with emulated(kind):
        found = log_of(name, kind, **options)
    check_same(found, on_the_processor(name, **options))


@pytest.mark.parametrize("precision", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["BERT", "plm", "bilm", "denoise", "NSP and span boundary"])
def test_a_gpu_trains_in_lower_precision_near_to_what_float32_gives(name, precision):
    with emulated("cuda"):
        found = log_of(name, "cuda", precision=precision)
    check_same(
        [{"loss": entry["loss"]} for entry in found],
        [{"loss": entry["loss"]} for entry in on_the_processor(name)],
        rtol=0.03,
    )
    assert [entry["loss"] for entry in found] != [entry["loss"] for entry in on_the_processor(name)]


@pytest.mark.parametrize(
    "kind, bfloat16, chosen",
    [("cuda", True, "bfloat16"), ("cuda", False, "float16"), ("mps", True, "float32")],
)
def test_the_precision_is_that_of_the_device(kind, bfloat16, chosen, tmp_path):
    if REAL and not bfloat16:
        pytest.skip("this machine's GPU has bfloat16")
    with emulated(kind, bfloat16):
        log_of("BERT", kind, precision="auto", checkpoint=tmp_path)
    assert f'"precision": "{chosen}"' in (tmp_path / "step-00000003" / "state.json").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_the_check_of_a_device_finds_nothing_wrong(kind):
    with emulated(kind) as device:
        assert [str(result) for result in check_device(device.device) if not result.fine] == []


# Runs that go on.


@pytest.mark.parametrize(
    "begun, ended",
    [
        ("cuda", "cuda"),
        ("mps", "mps"),
        ("cuda", "cpu"),
        ("cpu", "cuda"),
        ("mps", "cpu"),
        ("cpu", "mps"),
        ("mps", "cuda"),
    ],
)
@pytest.mark.parametrize("optimizer", ["adamw", "bert_adam", "muon"])
def test_a_run_goes_on_on_any_device(begun, ended, optimizer, tmp_path, monkeypatch):
    options = {"steps": 4, "save_every": 2, "optimizer": optimizer}

    def leg(kind, stop=None):
        with monkeypatch.context() as patch:
            if stop:
                save = Checkpoints.save

                def save_and_stop(self, model, optimizer, state):
                    save(self, model, optimizer, state)
                    raise KeyboardInterrupt

                patch.setattr(Checkpoints, "save", save_and_stop)
            if kind == "cpu":
                return log_of("BERT", "cpu", checkpoint=tmp_path, **options)
            with emulated(kind):
                return log_of("BERT", kind, checkpoint=tmp_path, **options)

    with pytest.raises(KeyboardInterrupt):
        leg(begun, stop=2)
    check_same(leg(ended), on_the_processor("BERT", **options))


def test_a_run_in_float16_goes_on_with_its_scale(tmp_path):
    with emulated("cuda"):
        whole = log_of("BERT", "cuda", precision=torch.float16, steps=4)
        half = {"steps": 4, "save_every": 2, "checkpoint": tmp_path, "precision": torch.float16}
        log_of("BERT", "cuda", **half)
        again = log_of("BERT", "cuda", **half)
    check_same(again, whole)


def test_the_best_checkpoint_is_loaded_into_a_model_on_the_device(tmp_path):
    for kind in KINDS:
        with emulated(kind) as device:
            log_of("BERT", kind, checkpoint=tmp_path / kind)
            model = beginning(BY_NAME["BERT"])[0].to(kind)
            load_model(tmp_path / kind / "step-00000003", model)
            assert all(weight.device == device.device for weight in model.parameters())


# From documents to a model.


def tokenizer():
    return FastWordPiece(
        [*SPECIAL_TOKENS, *(f"w{i}" for i in range(5, 61)), *(f"##x{i}" for i in range(61, 97))]
    )


def pretrained(kind, phases, **options):
    model, log = pretrain(
        documents(),
        tokenizer(),
        CONFIG.replace(num_hidden_layers=4),
        phases,
        kind,
        precision=torch.float32,
        progress=False,
        **options,
    )
    return log, evaluate_pretraining(model, tokenizer(), documents(seed=9), 32)


CONFIG_4 = TrainConfig(steps=4, batch_size=4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "phases",
    [
        lambda: growing_phases(CONFIG_4, 32, 4, 16),
        lambda: stacking_phases(CONFIG_4, 32, 4, 1, (0.5,)),
        lambda: [Phase(CONFIG_4, 32)],
    ],
    ids=["growing", "stacking", "plain"],
)
def test_a_model_is_pretrained_in_phases_and_evaluated(kind, phases, tmp_path):
    with emulated(kind):
        log, scores = pretrained(kind, phases(), checkpoint=tmp_path)
        again, _ = pretrained(kind, phases(), checkpoint=tmp_path)  # loads each phase
    assert len(log) == 4 and all(math.isfinite(entry["loss"]) for entry in log) and 0 <= scores["mlm"] <= 100
    check_same(again, log)


@pytest.mark.parametrize("kind", KINDS)
def test_a_pretrained_model_is_evaluated_as_on_the_processor(kind):
    model, _, _ = beginning(BY_NAME["BERT"])
    expected = evaluate_pretraining(model, tokenizer(), documents(seed=9), 32)
    with emulated(kind):
        scores = evaluate_pretraining(model.to(kind), tokenizer(), documents(seed=9), 32)
    assert scores == pytest.approx(expected)


def test_every_objective_is_in_the_list():
    assert {case.name for case in CASES} == set(BY_NAME)
