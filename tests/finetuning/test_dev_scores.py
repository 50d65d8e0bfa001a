"""Dev scores while a model is fine-tuned: early stopping with the best weights, going on, TensorBoard."""

import json
import sys
from types import ModuleType

import pytest
import torch
from test_approaches import SENTENCES, encoder
from test_approaches import tuned as finetuned

from minibert.cli import main as cli
from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning import dev_scores
from minibert.model import Model
from minibert.model.checkpoints.published import save_model
from minibert.tasks.tagging import Tagging
from minibert.tokenizer.fast import FastWordPiece


@pytest.fixture
def tokenizer():
    return FastWordPiece([*SPECIAL_TOKENS, *sorted({word.lower() for s in SENTENCES for word in s.words})])


@pytest.fixture
def scripted(monkeypatch):
    """A function that sets the F1 of each scoring; it returns a list of the weights at each."""

    def script(*scores):
        seen, left = [], list(scores)

        def answer(task, model, examples, batch_size=32):
            seen.append(model.heads["tags"].classifier.weight.detach().clone())
            return []

        def metric(task, examples, answers):
            score = left.pop(0)
            if score is None:
                raise KeyboardInterrupt
            return {"precision": 100.0 - score, "F1": score}

        monkeypatch.setattr(Tagging, "answer", answer)
        monkeypatch.setattr(Tagging, "metric", metric)
        return seen

    return script


def tuned(tokenizer, approach="full", **options):
    return finetuned(tokenizer, approach, **{"score_every": 3, "dev": SENTENCES, **options})


@pytest.mark.parametrize("approach", ["full", "frozen"])
def test_training_stops_when_patience_ends_and_the_best_weights_are_back(tokenizer, scripted, approach):
    seen = scripted(10.0, 50.0, 40.0, 50.0)
    result, log = tuned(tokenizer, approach, patience=2)
    assert len(log) == 12 and len(seen) == 4
    weight = result.model.heads["tags"].classifier.weight
    assert torch.equal(weight, seen[1]) and not torch.equal(weight, seen[3]) and not result.model.training


def test_without_patience_scores_are_shown_and_the_last_weights_stay(tokenizer, scripted, capsys):
    seen = scripted(*(90.0 - i for i in range(5)))
    result, log = tuned(tokenizer, score_every=7, progress=True)
    assert len(log) == 30 and torch.equal(result.model.heads["tags"].classifier.weight, seen[-1])
    said = capsys.readouterr()
    assert "finetune, step 7: dev precision 10.0, F1 90.0\n" in said.err
    assert said.err.count("dev precision") == 5
    assert "finetune: 30 steps, loss" in said.out


def test_patience_alone_scores_once_an_epoch(tokenizer, scripted):
    seen = scripted(*range(5))
    tuned(tokenizer, score_every=None, patience=9, steps=15)  # 12 sentences in batches of 4
    assert len(seen) == 5


def test_an_interrupted_run_stops_early_where_one_never_interrupted_does(tokenizer, scripted, tmp_path):
    options = {"patience": 2, "checkpoint": tmp_path / "a", "save_every": 3}
    scripted(10.0, 50.0, None)
    with pytest.raises(KeyboardInterrupt):
        tuned(tokenizer, **options)
    scripted(40.0, 30.0)  # goes on from step 6, which was scored
    again, log = tuned(tokenizer, **options)
    scripted(10.0, 50.0, 40.0, 30.0)
    whole, expected = tuned(tokenizer, **options | {"checkpoint": tmp_path / "b"})
    torch.testing.assert_close(again.model.state_dict(), whole.model.state_dict())
    files = [(tmp_path / name / "dev_scores.jsonl").read_text() for name in "ab"]
    assert len(log) == len(expected) == 12 and files[0] == files[1]
    assert [json.loads(line)["F1"] for line in files[0].splitlines()] == [10.0, 50.0, 40.0, 30.0]


def test_tensorboard_gets_each_loss_and_each_dev_score(tokenizer, scripted, tmp_path, monkeypatch):
    scripted(10.0, 50.0)
    written = []

    class SummaryWriter:
        def __init__(self, folder):
            written.append(folder)

        def add_scalar(self, name, value, step):
            written.append((name, step))

        def close(self):
            written.append("closed")

    fake = ModuleType("torch.utils.tensorboard")
    fake.SummaryWriter = SummaryWriter
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", fake)
    monkeypatch.setattr(dev_scores, "find_spec", lambda name: name)
    tuned(tokenizer, steps=6, tensorboard=tmp_path / "curves")
    assert written[0] == str(tmp_path / "curves") and written[-1] == "closed"
    assert written.count(("train/loss", 6)) == 1 and ("train/learning rate", 1) in written
    assert [entry for entry in written if entry[0] == "dev/F1"] == [("dev/F1", 3), ("dev/F1", 6)]


def test_without_the_package_tensorboard_says_how_to_install_it(tokenizer, monkeypatch, tmp_path):
    monkeypatch.setattr(dev_scores, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="TensorBoard is not installed; run `pip install tensorboard`"):
        tuned(tokenizer, tensorboard=tmp_path)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"patience": 0}, "patience=0 must be at least 1"),
        ({"score_every": 0}, "score_every=0 must be at least 1"),
        ({"patience": 1, "dev": []}, "patience=1 needs dev examples to score on"),
    ],
)
def test_settings_that_cannot_work_are_named(tokenizer, options, message):
    with pytest.raises(ValueError, match=message):
        tuned(tokenizer, **options)


def test_the_command_scores_stops_cuts_and_saves_as_asked(tokenizer, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.conll").write_text(
        "".join(f"{word} {tag}\n" for s in SENTENCES for word, tag in zip(s.words, s.tags))
    )
    trunk = encoder(tokenizer)
    save_model(Model(trunk, {}), tmp_path / "bert", tokenizer)
    run = (
        "finetune ner --train a.conll --dev a.conll --model bert --epochs 99 --batch-size 4 "
        "--peak-rate 5e-3 --out m"
    ).split()
    assert cli.main([*run, *"--patience 2 --score-every 5 --max-length 12 --save-every 10".split()]) == 0
    said = capsys.readouterr()
    scores = [json.loads(line) for line in (tmp_path / "m" / "dev_scores.jsonl").read_text().splitlines()]
    steps = len((tmp_path / "m" / "log.jsonl").read_text().splitlines())
    assert len(scores) == steps / 5 == said.err.count(": dev ") and scores[-1]["F1"] <= scores[-3]["F1"]
    assert json.loads((tmp_path / "m" / "task.json").read_text())["max_length"] == 12
    assert f"F1 {max(entry['F1'] for entry in scores):.1f}" in said.out
    assert cli.main([*run, "--tensorboard", "curves"]) == 2
    assert "pip install tensorboard" in capsys.readouterr().err
