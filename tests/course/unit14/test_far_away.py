"""The experiments on far answers and on registers: what each model can see, and what is held out."""

import numpy as np
import pytest
import torch

from minibert.course.unit14.experiments import far_away, registers
from minibert.course.unit14.experiments.far_away import ANSWERS, KINDS, QUESTION, Reader, texts


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("distance", [2, 9, 40])
def test_the_answer_is_as_far_away_as_said_and_nowhere_else(rng, distance):
    ids, answers, at = texts(5, distance, rng)
    assert (ids[:, at] == answers).all() and ((ids < ANSWERS).sum(1) == 1).all()
    assert ids.shape[1] - 1 - at == distance and (ids[:, -1] == QUESTION).all()


@pytest.mark.parametrize("name", KINDS)
def test_a_window_ends_after_depth_times_reach_and_nothing_else_does(rng, name):
    torch.manual_seed(1)
    model, kind = Reader(KINDS[name]), KINDS[name]
    wall = kind.layers * far_away.REACH if kind.reach and not kind.far else None
    for distance in (5, kind.layers * far_away.REACH, kind.layers * far_away.REACH + 1, 300):
        ids, _, at = texts(1, distance, rng)
        changed = ids.clone()
        changed[:, at] = (ids[:, at] + 1) % ANSWERS
        with torch.no_grad():
            same = torch.equal(model(ids), model(changed))
        assert same == (wall is not None and distance > wall), (name, distance)


def test_a_run_has_an_accuracy_for_each_distance_and_its_control(monkeypatch):
    monkeypatch.setattr(far_away, "DISTANCES", (4, 9))
    monkeypatch.setattr(far_away, "LONGEST", 9)
    found = far_away.far_run("window, 1 layer", 1, steps=120, test=32)
    assert found["accuracy"][0] > 60 and len(found["accuracy"]) == len(found["without answer"]) == 2
    assert max(found["without answer"]) < 50


def test_registers_are_read_in_parts_without_labels(tmp_path):
    bank, films = tmp_path / "cls" / "banking77", tmp_path / "cls" / "sentence_polarity"
    for folder in (bank, films):
        folder.mkdir(parents=True)
    for part, name in (("train", "train"), ("test", "dev")):
        (bank / f"{part}.csv").write_text(
            f'text,category\n"My {part} card, it has\nnot arrived yet",card\nshort,card\n'
        )
        for side in ("pos", "neg"):
            (films / f"{name}.{side}").write_text(f"a {part} film that is {side} and long\n")
    assert registers.sentences(tmp_path, "bank", "train") == ["my train card, it has not arrived yet"]
    assert sorted(registers.sentences(tmp_path, "films", "test")) == [
        "a test film that is neg and long",
        "a test film that is pos and long",
    ]
