"""The loop learns, repeats itself to the bit, resumes exactly, and says clearly what went wrong."""

import itertools
import math
import os

import numpy as np
import pytest
import torch
from conftest import ROOT
from tiny import CONFIG, SPECIALS, documents

from minibert.model import Encoder, Model
from minibert.objectives import MLM
from minibert.training.config import TrainConfig
from minibert.training.feed import order
from minibert.training.log import write_log
from minibert.training.loop import train
from minibert.training.schedule import learning_rate

CONFIG = CONFIG.replace(hidden_dropout_prob=0.1)  # so that resuming must restore dropout, too


@pytest.fixture
def objective():
    return MLM(SPECIALS, CONFIG.vocab_size, 24)


def fresh(objective):
    torch.manual_seed(0)
    encoder = Encoder(CONFIG)
    return Model(encoder, objective.heads(encoder))


def run(objective, steps=12, model=None, **options):
    model = model or fresh(objective)
    config = TrainConfig(steps=steps, batch_size=4, save_every=5)
    log = train(
        model,
        objective,
        lambda rng: objective.build(documents(), rng),
        config,
        precision=torch.float32,
        progress=False,
        **options,
    )
    return model, log


def test_it_is_the_only_loop_of_the_library():
    """A timing and a check of a device compute single gradients besides; course and bench are not library."""
    library = [
        path.relative_to(ROOT / "minibert")
        for path in (ROOT / "minibert").rglob("*.py")
        if ".backward(" in path.read_text(encoding="utf-8")
    ]
    found = {str(path) for path in library if path.parts[0] not in ("course", "bench")}
    assert found == {f"training{os.sep}{name}" for name in ("loop.py", "device_check.py")}


def test_the_loss_falls(objective):
    _, log = run(objective, steps=80)
    assert np.mean([e["loss"] for e in log[-10:]]) < np.mean([e["loss"] for e in log[:10]]) - 0.3


def test_two_runs_are_equal_to_the_bit(objective):
    first, second = run(objective)[0].state_dict(), run(objective)[0].state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


class Stop(Exception):
    pass


@pytest.mark.parametrize("stop_after", [3, 5, 8])
def test_an_interrupted_run_that_resumes_is_equal_to_the_bit(objective, stop_after, tmp_path):
    whole, _ = run(objective)
    calls = itertools.count(1)
    interrupted = MLM(SPECIALS, CONFIG.vocab_size, 24)
    step = interrupted.step

    def stopping(*args):
        if next(calls) > stop_after:
            raise Stop
        return step(*args)

    interrupted.step = stopping
    with pytest.raises(Stop):
        run(interrupted, checkpoint=tmp_path / "c")
    resumed, log = run(objective, checkpoint=tmp_path / "c")
    assert [e["step"] for e in log] == list(range(1, 13))
    assert all(torch.equal(a, b) for a, b in zip(whole.state_dict().values(), resumed.state_dict().values()))


def test_a_loss_that_is_not_finite_stops_the_run_with_the_step_and_the_rate(objective):
    objective.loss = lambda outputs, labels: {"mlm": outputs["tokens"].sum() * float("nan")}
    with pytest.raises(FloatingPointError, match="the loss of step 1 is nan; the learning rate was"):
        run(objective)


def test_an_epoch_reads_every_row_once_and_batches_rows_of_like_length():
    rng = np.random.default_rng(0)
    rows = [([5] * rng.integers(1, 60), None) for _ in range(203)]
    cut = order(rows, 8, rng)
    assert sorted(i for group in cut for i in group) == list(range(203))
    spread = np.mean([np.ptp([len(rows[i][0]) for i in group]) for group in cut])
    assert spread < 10


def test_the_rate_warms_up_and_decays_to_nothing():
    rates = [learning_rate(s, 100, 1.0, 10) for s in range(100)]
    assert np.argmax(rates) in (9, 10) and rates[0] == 0.1 and 0 < rates[-1] < 0.02
    assert (np.diff(rates[:10]) > 0).all() and (np.diff(rates[10:]) < 0).all()


@pytest.mark.parametrize(
    "change, message",
    [
        ({"steps": 0}, "steps=0"),
        ({"peak_rate": 0.0}, "peak_rate=0.0"),
        ({"warmup": 2.0}, "warmup=2.0"),
        ({"clip": math.inf}, "clip=inf must be finite"),
        ({"peak_rate": math.nan}, "peak_rate=nan must be finite and greater than 0"),
        ({"embedding_share": math.nan}, "embedding_share=nan"),
        ({"muon_share": 0}, "muon_share=0"),
        ({"weight_decay": math.nan}, "weight_decay=nan must be finite and at least 0"),
        ({"weight_decay": -0.1}, "weight_decay=-0.1"),
    ],
)
def test_settings_outside_their_range_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig(**{"steps": 1, **change})


def test_no_rows_is_an_error(objective):
    with pytest.raises(ValueError, match="there are no sequences to train on"):
        train(fresh(objective), objective, lambda rng: ([], None), TrainConfig(steps=1), progress=False)


def test_the_log_is_written_a_line_a_step(objective, tmp_path):
    _, log = run(objective)
    write_log(tmp_path / "log.jsonl", log)
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 12
