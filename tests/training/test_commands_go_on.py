"""`pretrain` and `finetune`, interrupted: the same command goes on; another one is refused."""

import os
import signal

import pytest

from minibert.cli import main as cli
from minibert.training.log import read_log
from minibert.training.step import Step

TEXT = "\n\n".join(
    "\n".join(f"The {a} sat on the {b} of Ashby number {i}." for b in ("mat", "rug", "hat", "log", "box"))
    for i, a in enumerate(["cat", "dog", "cow", "hen", "owl", "pig", "fox", "ant"])
)
CONLL = "Mira B-PER\nlives O\nin O\nAshby B-LOC\n. O\n"
PRETRAIN = (
    "pretrain --corpus text.txt --out bert --steps 10 --batch-size 4 --vocab-size 120 "
    "--max-length 32 --optimizer bert_adam"
)
FINETUNE = "finetune ner --train ner.conll --dev ner.conll --model bert --epochs 6 --batch-size 1 --out ner"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "ner.conll").write_text(CONLL)
    return tmp_path


def interrupted(command, after, monkeypatch):
    """Run a command that gets Ctrl-C in a step; returns its exit status and the steps it made."""
    calls, gather = [], Step.gather

    def interrupting(self):
        calls.append(1)
        if len(calls) == after:
            os.kill(os.getpid(), signal.SIGINT)
        return gather(self)

    with monkeypatch.context() as patch:
        patch.setattr(Step, "gather", interrupting)
        return cli.main(command.split()), len(calls)


def test_interrupted_commands_go_on_where_they_stopped(files, monkeypatch, capsys):
    assert interrupted(PRETRAIN, 6, monkeypatch) == (130, 6)
    told = capsys.readouterr().err
    assert "interrupted after step 1; to resume, make the same call again: the" in told.replace(os.sep, "/")
    assert "Run the same command again to continue" in told
    assert cli.main([*PRETRAIN.split(), "--mask-rate", "0.3"]) == 2
    told = capsys.readouterr().err
    assert "made with a different mask_rate; use the same settings as before" in told
    assert "now); to start over" in told
    assert interrupted(PRETRAIN, 99, monkeypatch) == (0, 4)
    assert [entry["step"] for entry in read_log(files / "bert" / "log.jsonl")] == list(range(1, 11))
    assert not (files / "bert" / "training").exists()
    assert interrupted(FINETUNE, 4, monkeypatch) == (130, 4)
    assert interrupted(FINETUNE, 99, monkeypatch) == (0, 2)
    assert len(read_log(files / "ner" / "log.jsonl")) == 6 and not (files / "ner" / "training").exists()


def test_how_a_run_is_computed_may_change_when_it_goes_on(files, monkeypatch, capsys):
    assert interrupted(PRETRAIN, 3, monkeypatch) == (130, 3)
    assert interrupted(PRETRAIN + " --accumulate 2 --recompute", 99, monkeypatch) == (0, 7)


def test_another_text_under_the_same_name_is_refused_and_the_same_text_under_another_accepted(
    files, monkeypatch, capsys
):
    assert interrupted(PRETRAIN, 3, monkeypatch) == (130, 3)
    (files / "text.txt").rename(files / "moved.txt")
    (files / "text.txt").write_text(TEXT.replace("sat on", "fell off"))
    assert cli.main(PRETRAIN.split()) == 2
    assert "made with a different text, vocabulary; use the same settings as" in capsys.readouterr().err
    assert interrupted(PRETRAIN.replace("text.txt", "moved.txt"), 99, monkeypatch) == (0, 7)


def test_other_examples_or_another_start_are_refused_when_fine_tuning_goes_on(files, monkeypatch, capsys):
    assert cli.main(PRETRAIN.split()) == 0 and interrupted(FINETUNE, 3, monkeypatch) == (130, 3)
    (files / "more.conll").write_text(CONLL.replace("Mira", "Joel"))
    assert cli.main(FINETUNE.replace("--train ner", "--train more").split()) == 2
    assert "made with a different training_set; use the same settings as before" in capsys.readouterr().err
    assert cli.main([*PRETRAIN.split(), "--seed", "1", "--out", "other"]) == 0
    assert cli.main(FINETUNE.replace("bert", "other").split()) == 2
    assert "made with a different starting_model; use the same settings as" in capsys.readouterr().err
    (files / "ner.conll").rename(files / "moved.conll")
    (files / "bert").rename(files / "elsewhere")
    assert interrupted(
        FINETUNE.replace("ner.conll", "moved.conll").replace("bert", "elsewhere"), 99, monkeypatch
    ) == (0, 3)


@pytest.mark.parametrize(
    "command, place",
    [
        (PRETRAIN, "minibert.training.pretraining.evaluate_pretraining"),
        (FINETUNE, "minibert.finetuning.results.print_scores"),
    ],
)
def test_who_interrupts_the_evaluation_goes_on_from_the_end_of_training(
    command, place, files, monkeypatch, capsys
):
    def stop(*_, **__):
        raise KeyboardInterrupt

    if command == FINETUNE:
        assert cli.main(PRETRAIN.split()) == 0
    with monkeypatch.context() as patch:
        patch.setattr(place, stop)
        assert cli.main(command.split()) == 130
    log = read_log(next(files.glob("*/training")).parent / "log.jsonl")
    assert interrupted(command, 1, monkeypatch) == (0, 0), "nothing is trained again"
    out = files / command.split("--out ")[1].split()[0]
    assert read_log(out / "log.jsonl") == log and not (out / "training").exists()


def test_a_disk_that_is_full_at_the_end_is_tried_again(files, monkeypatch, capsys):
    from minibert.model.checkpoints import tensors
    from minibert.training import storage

    calls, waited, save = [], [], tensors.save_file

    def full(values, path, metadata):
        if not path.parent.name.startswith("step-"):  # the trained model, not a checkpoint
            calls.append(1)
            if len(calls) < 4:
                raise tensors.SafetensorError("No space left on device")
        save(values, path, metadata)

    monkeypatch.setattr(tensors, "save_file", full)
    monkeypatch.setattr(storage.time, "sleep", waited.append)
    assert cli.main(PRETRAIN.split()) == 0
    told = capsys.readouterr().err
    assert (
        told.count(
            "model.safetensors: cannot be written (No space left on device); free some space: "
            "writing is retried for 5 min"
        )
        == 1
    )
    assert waited == [10.0] * 3 and not (files / "bert" / "training").exists()
    monkeypatch.setattr(storage.write_with_retries, "__defaults__", (2, 10.0))
    calls.clear()
    assert cli.main([*PRETRAIN.split(), "--out", "again"]) == 2
    assert (files / "again" / "training").exists(), "the same command goes on from the end"
