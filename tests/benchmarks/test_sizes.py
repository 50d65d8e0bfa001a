"""The benchmark over the number of labels: every run is made once, with about as many steps whatever its
labels.
"""

import json

import pytest


@pytest.fixture
def sizes(script):
    return script("sizes")


@pytest.fixture
def start(sizes, tmp_path, monkeypatch):
    """Run the script with further arguments; returns (task, labelled, epochs, seed, start) of each run that
    it made.
    """
    made = []

    def run(a, task, seed, start, rate):
        made.append((task, a.labelled, a.epochs, seed, start))
        return {"Matthews": 10.0 * seed}

    monkeypatch.setattr(sizes.transfer, "run", run)
    (tmp_path / "model.safetensors").write_bytes(b"weights")

    def start(*more):
        made.clear()
        monkeypatch.setattr(
            "sys.argv",
            [
                "sizes.py",
                "--model",
                str(tmp_path),
                "--tasks",
                "cola",
                "--sizes",
                "32",
                "64",
                "--out",
                str(tmp_path / "sizes.json"),
                "--steps",
                "40",
                *more,
            ],
        )
        sizes.main()
        return list(made)

    return start


def test_few_labels_are_read_more_often(start):
    assert {(labelled, epochs) for _, labelled, epochs, _, _ in start("--seeds", "1")} == {(32, 20), (64, 10)}


def test_a_finished_run_is_not_made_again(start, tmp_path):
    assert len(start("--seeds", "1")) == 4
    made = [(seed, start) for _, _, _, seed, start in start("--seeds", "2")]
    assert made == [(1, "scratch"), (1, "pretrained")] * 2
    runs = json.loads((tmp_path / "sizes.json").read_text())["runs"]
    assert len(runs) == 8 and runs[-1] == {
        "task": "cola",
        "labelled": 64,
        "seed": 1,
        "start": "pretrained",
        "score": 10.0,
    }


def test_other_settings_begin_anew(start):
    start("--seeds", "1")
    assert len(start("--seeds", "1", "--peak-rate", "0.5")) == 4
