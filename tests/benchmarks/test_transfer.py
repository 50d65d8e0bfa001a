"""The benchmark of all tasks: a finished run is never made again, and what was cut off is."""

import json
import shutil

import pytest
from safetensors.numpy import load_file, save_file
from tiny import CONFIG

from minibert.model.checkpoints.published import save_model
from minibert.tokenizer import FastWordPiece, count_words, train_wordpiece
from minibert.training.pretraining import bert_objective, new_model


@pytest.fixture
def transfer(script):
    return script("transfer")


@pytest.fixture
def start(transfer, tmp_path, monkeypatch):
    """Run the script with further arguments; returns the runs that it made, by task, seed and start."""
    tokenizer = FastWordPiece(train_wordpiece(count_words(["abcdefghijklmnopqrstuvwxyz"]), 90))
    model = new_model(
        CONFIG.replace(vocab_size=len(tokenizer), max_position_embeddings=128),
        bert_objective(tokenizer, 32),
        seed=0,
    )
    save_model(model, tmp_path / "bert", tokenizer.vocab)
    made, run = [], transfer.run
    monkeypatch.setattr(transfer, "run", lambda a, *key: made.append(key[:3]) or run(a, *key))

    def start(*more):
        made.clear()
        monkeypatch.setattr(
            "sys.argv",
            [
                "transfer.py",
                "--model",
                str(tmp_path / "bert"),
                "--labelled",
                "8",
                "--test",
                "6",
                "--epochs",
                "1",
                "--rates",
                "1e-3",
                "--out",
                str(tmp_path),
                "--data",
                str(tmp_path / "data"),
                *more,
            ],
        )
        transfer.main()
        return list(made)

    return start


def test_a_second_start_goes_on_where_the_first_was_stopped(start, tmp_path, capsys):
    log = tmp_path / "transfer.jsonl"
    keys = [
        (task, seed, how) for seed in (0, 1) for task in ("cola", "qa") for how in ("scratch", "pretrained")
    ]
    assert start("--tasks", "cola", "qa", "--seeds", "1") == keys[:4]
    log.write_text(log.read_text()[:-30])  # as after a power cut
    assert start("--tasks", "cola", "qa", "--seeds", "2") == keys[3:]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["task"], line["seed"], line["start"]) for line in lines] == keys
    assert start("--tasks", "cola", "qa", "--seeds", "2") == [] and len(log.read_text().splitlines()) == 8
    assert json.loads((tmp_path / "transfer.json").read_text())["runs"] == lines
    assert (
        start("--tasks", "cola", "--seeds", "1", "--batch-size", "4") == keys[:2]
    )  # other settings, other runs


def test_seeds_take_the_pretrained_models_in_turn(start, tmp_path):
    second = tmp_path / "second"
    shutil.copytree(tmp_path / "bert", second)
    weights = load_file(second / "model.safetensors")
    save_file({name: 2 * weight for name, weight in weights.items()}, second / "model.safetensors")
    start("--tasks", "cola", "--seeds", "3", "--model", str(tmp_path / "bert"), str(second))
    runs = json.loads((tmp_path / "transfer.json").read_text())["runs"]
    first, other, again = ({run["weights"] for run in runs if run["seed"] == seed} for seed in range(3))
    assert len(first) == len(other) == 1 and first == again != other


def test_each_start_gets_the_rate_that_does_best_on_the_dev_file(transfer, start, tmp_path, monkeypatch):
    asked = []

    def run(a, name, seed, how, rate):
        asked.append((seed, how, rate))
        return {"Matthews": 10 * (rate == (1e-3 if how == "scratch" else 1e-4)), "one answer": 0}

    monkeypatch.setattr(transfer, "run", run)
    start("--tasks", "cola", "--seeds", "2", "--rates", "1e-3", "1e-4")
    choice = transfer.RATE_SEED
    assert asked == [
        (choice, "scratch", 1e-3),
        (choice, "scratch", 1e-4),
        (0, "scratch", 1e-3),
        (choice, "pretrained", 1e-3),
        (choice, "pretrained", 1e-4),
        (0, "pretrained", 1e-4),
        (1, "scratch", 1e-3),
        (1, "pretrained", 1e-4),
    ]
    assert (
        "| 10.0 ± 0.0 | 10.0 ± 0.0 | +0.0 (+0.0 to +0.0) | 2 | 8 | 1 | 0.001, 0.0001 |"
        in (tmp_path / "transfer.md").read_text()
    )
    asked.clear()
    start("--tasks", "cola", "--seeds", "2", "--rates", "1e-3", "1e-4")
    assert not asked


def test_the_rate_is_chosen_on_the_dev_file_and_the_table_is_of_the_test_file(transfer, start, monkeypatch):
    files, examples = [], transfer.examples
    monkeypatch.setattr(
        transfer,
        "examples",
        lambda a, name, split, *key: files.append(split) or examples(a, name, split, *key),
    )
    start("--tasks", "cola", "--seeds", "1", "--rates", "1e-3", "1e-4")
    assert files == ["train", "dev", "train", "dev", "train", "test"] * 2


def test_the_table_shows_means_deviations_and_paired_differences(transfer):
    runs = [
        {
            "task": "mrpc",
            "seed": seed,
            "start": how,
            "peak_rate": 5e-4,
            "labelled": 1000,
            "epochs": 8,
            "scores": {"accuracy": score, "one answer": 60.0},
        }
        for how, scores in (("scratch", (50, 54)), ("pretrained", (70, 80, 99)))
        for seed, score in enumerate(scores)
    ]
    row = (
        "| mrpc | accuracy | 60.0 | 52.0 ± 2.8 | 75.0 ± 7.1 | +23.0 (+20.0 to +26.0) | 2 | 1,000 | 8 | "
        "0.0005, 0.0005 |"
    )
    assert transfer.table(runs).removesuffix(transfer.NOTE).splitlines()[2:] == [row]
    assert len(transfer.table(runs[:1]).removesuffix(transfer.NOTE).splitlines()) == 2
