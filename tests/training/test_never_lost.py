"""A run that is killed, interrupted, out of disk space or fed damaged files loses nothing that was saved."""

import errno
import itertools
import json
import multiprocessing
import os
import random
import re
import signal
import sys

import killable
import numpy as np
import pytest
import torch
from killable import pretrained
from patience import HANG
from tiny import CONFIG, SPECIALS, fit

from minibert.model import Encoder
from minibert.model.checkpoints import tensors
from minibert.objectives import MLM
from minibert.training import device, storage
from minibert.training.checkpoint import Checkpoints, load_model, model_tensors
from minibert.training.config import TrainConfig
from minibert.training.device import choose_precision
from minibert.training.log import Log, read_log
from minibert.training.pretraining import forget
from minibert.training.recipes import growing_phases

CONFIG = CONFIG.replace(hidden_dropout_prob=0.1)
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="no forkserver on Windows")


def config(**changes):
    return TrainConfig(**{"steps": 12, "batch_size": 4, "save_every": 3, **changes})


def run(folder, settings=None, act=lambda step: None, seed=0, **options):
    """Train the same tiny model; act(number of the call) is called before each step. Returns (model, log)."""
    torch.manual_seed(seed)
    encoder = Encoder(CONFIG)
    task, calls = killable.mlm(None, 24), itertools.count(1)
    model, step = task.model(encoder), task.step

    def acting(*arguments):
        act(next(calls))
        return step(*arguments)

    task.step = acting
    return model, fit(model, task, settings or config(), checkpoint=folder, **options)


def same(first, second):
    return all(
        torch.equal(a, b)
        for a, b in zip(first.state_dict().values(), second.state_dict().values(), strict=True)
    )


def timeless(log):
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in log]


def stop_at(number):
    def act(call):
        if call == number:
            raise RuntimeError("stopped")

    return act


def in_phases(folder, phases=3, settings=None, **options):
    """Pretrain in the first of three phases of 2, 4 and 6 steps. Returns (model, log)."""
    parts = growing_phases(settings or config(), 24, 2, short_length=12)
    return pretrained(parts[:phases], checkpoint=folder, **options)


def stopped(folder, number, settings=None):
    """A run that ends before its step `number`."""
    with pytest.raises(RuntimeError, match="stopped"):
        run(folder, settings, stop_at(number))


def names(folder):
    """What is in a folder, but for the lock, which stays on some systems."""
    return sorted(path.name for path in folder.iterdir() if path.name != "lock")


@pytest.fixture(scope="module")
def processes():
    """Fresh processes that have everything imported, so that many of them cost little."""
    context = multiprocessing.get_context("forkserver")
    # a first optimiser imports the latter, slowly
    context.set_forkserver_preload(["killable", "torch._dynamo"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        finish(context, killable.imported)  # starts the server
    return context


def finish(processes, target, *arguments):
    """Run in a process of its own, which must end well."""
    process = processes.Process(target=target, args=arguments)
    process.start()
    process.join(HANG)
    assert process.exitcode == 0


def check_equal(folder, other):
    first, second = (torch.load(path / "model.pt") for path in (folder, other))
    assert list(first) == list(second) and all(torch.equal(first[name], second[name]) for name in first)
    logs = [torch.load(path / "log.pt") for path in (folder, other)]
    assert timeless(logs[0]) == timeless(logs[1])
    assert [entry["step"] for entry in logs[0]] == list(range(1, len(logs[0]) + 1))


@needs_posix
@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_a_run_killed_at_random_moments_ends_as_one_never_stopped(optimizer, processes, tmp_path):
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    finish(processes, killable.run, tmp_path / "whole", optimizer)
    draw, kills = random.Random(optimizer), 0
    while not (tmp_path / "killed" / "log.pt").is_file():
        process = processes.Process(
            target=killable.run_with_slow_saves, args=(tmp_path / "killed", optimizer)
        )
        process.start()
        process.join(draw.uniform(0.1, 0.3) if kills < 4 else 60)
        kills += process.exitcode is None
        process.kill()
        process.join()
    assert kills >= 3
    check_equal(tmp_path / "whole", tmp_path / "killed")


@needs_posix
def test_a_run_killed_before_any_change_of_the_disk_ends_as_one_never_stopped(processes, tmp_path):
    whole, log = killable.short(tmp_path / "whole")
    for count in itertools.count():
        folder = tmp_path / str(count)
        process = processes.Process(target=killable.short_until_call, args=(folder, count))
        process.start()
        process.join(HANG)
        if process.exitcode == 0:
            break
        assert process.exitcode == -signal.SIGKILL
        model, again = killable.short(folder)
        assert same(model, whole) and timeless(again) == timeless(log)
        assert names(folder) == ["log.jsonl", "step-00000002"]
    assert count > 20


def test_a_finished_phase_is_not_trained_again(tmp_path):
    lengths = []

    class Counting(MLM):
        def step(self, *arguments):
            if len(lengths) == 13:
                raise RuntimeError("stopped")
            lengths.append(self.max_length)
            return super().step(*arguments)

    def counting(_, length):
        return Counting(SPECIALS, CONFIG.vocab_size, length)

    lengths += [0] * 5
    with pytest.raises(RuntimeError, match="stopped"):
        in_phases(tmp_path / "training", make_objective=counting)
    assert lengths[5:] == [12] * 2 + [24] * 6
    lengths.clear()
    _, log = in_phases(tmp_path / "training", make_objective=counting)
    assert len(log) == 12 and lengths == [24] * 6  # the last phase begins anew: it had not saved yet
    forget(tmp_path / "training")
    assert not (tmp_path / "training").exists()


def test_the_folder_holds_the_latest_few_checkpoints_and_the_log_and_nothing_half_written(tmp_path):
    run(tmp_path / "c", config(keep=3))
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000006", "step-00000009", "step-00000012"]
    assert names(tmp_path / "c" / "step-00000012") == [
        "model.safetensors",
        "optimizer.safetensors",
        "state.json",
    ]
    state = json.loads((tmp_path / "c" / "step-00000012" / "state.json").read_text())
    assert state["step"] == 12
    assert state["config"]["save_every"] == 3
    assert state["config"]["precision"] == "float32"


def test_the_best_checkpoint_stays_and_can_be_loaded(tmp_path):
    scores, seen = iter([1, 5, 2, 3]), []

    def score(model):
        assert not model.training
        seen.append({name: tensor.clone() for name, tensor in model_tensors(model).items()})
        return next(scores)

    model, log = run(tmp_path / "c", config(keep=1), score=score)
    store = Checkpoints(tmp_path / "c", config())
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000006", "step-00000012"]
    assert store.best().name == "step-00000006"
    load_model(store.best(), model)
    assert all(torch.equal(tensor, seen[1][name]) for name, tensor in model_tensors(model).items())
    assert timeless(log) == timeless(run(None)[1])  # a score changes no step


def test_without_scores_there_is_no_best_one(tmp_path):
    run(tmp_path / "c")
    assert Checkpoints(tmp_path / "c", config()).best() is None


STRANGE = {  # values of a state that no run has written, and what is said of each
    "step in words": ({"step": "x"}, "not a checkpoint: its step is 'x'"),
    "sums in a list": ({"crc32": []}, "not a checkpoint: its crc32 is []"),
    "sums in words": (
        {"crc32": {"model.safetensors": "x"}},
        "not a checkpoint: its crc32 is {'model.safetensors': 'x'}",
    ),
    "no settings": ({"config": None}, "not a checkpoint: its config is None"),
    "too late": ({"step": 1000}, "does not belong to this checkpoint: step "),
    "another step": ({"step": 2, "position": 2}, "does not belong to this checkpoint: step "),
    "too far": ({"position": 99999}, "does not belong to this checkpoint: step "),
    "before the start": ({"epoch": -5}, "not a checkpoint: its epoch is -5"),
    "scaler in words": ({"scaler": "x"}, "not a checkpoint: its scaler is 'x'"),
}


def damage(path, how):
    """Spoil a checkpoint in one of the ways a disk, a copy or a user does."""
    weights, state = path / "model.safetensors", path / "state.json"
    if how == "truncated":
        weights.write_bytes(weights.read_bytes()[:-100])
    elif how == "one bit":
        data = bytearray(weights.read_bytes())
        data[-50] ^= 1
        weights.write_bytes(data)
    elif how == "no optimiser":
        (path / "optimizer.safetensors").unlink()
    elif how == "half a state":
        state.write_text(state.read_text()[:40])
    elif how == "no state":
        state.unlink()
    elif how == "foreign state":
        state.write_text('{"step": 9, "model": "another program"}')
    elif how == "list":
        state.write_text("[]")
    elif how in STRANGE:
        state.write_text(json.dumps({**json.loads(state.read_text()), **STRANGE[how][0]}))
    elif how == "another model":
        tensors.write_tensors(weights, {"w": torch.zeros(3)})
        values = json.loads(state.read_text())
        values["crc32"]["model.safetensors"] = storage.checksum(weights)
        state.write_text(json.dumps(values))


DAMAGES = {
    "truncated": "model.safetensors: truncated or damaged",
    "one bit": "model.safetensors: truncated or damaged",
    "no optimiser": "optimizer.safetensors: no such file",
    "half a state": "state.json: truncated or not a checkpoint",
    "no state": "state.json: truncated or not a checkpoint",
    "foreign state": "state.json: not a checkpoint: it has no config, crc32, epoch, position",
    "list": "not a checkpoint: it has no",
    "another model": "model.safetensors: from another model; 43 tensors cannot be loaded; the first is",
    **{how: f"state.json: {message}" for how, (_, message) in STRANGE.items()},
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_bad_checkpoint_is_named_and_set_aside_and_the_one_before_it_used(how, tmp_path, capsys):
    whole, log = run(None)
    stopped(tmp_path / "c", 8)
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000003", "step-00000006"]
    damage(tmp_path / "c" / "step-00000006", how)
    resumed, again = run(tmp_path / "c")
    told = capsys.readouterr().err
    assert DAMAGES[how] in told and "renamed to step-00000006.refused; resuming from step-00000003" in told
    assert same(whole, resumed) and timeless(log) == timeless(again)
    assert "step-00000006.refused" in names(tmp_path / "c")


@pytest.mark.parametrize("how", DAMAGES)
def test_where_no_checkpoint_is_good_the_run_does_not_begin_anew_by_itself(how, tmp_path):
    stopped(tmp_path / "c", 5)
    damage(tmp_path / "c" / "step-00000003", how)
    with pytest.raises(ValueError, match=f"{re.escape(DAMAGES[how])}.*; to start over, delete .*c$"):
        run(tmp_path / "c")
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000003"]


def test_a_checkpoint_of_another_configuration_is_refused_unless_it_changes_no_weight(tmp_path):
    stopped(tmp_path / "c", 5)
    with pytest.raises(ValueError, match="step-00000003: made with a different seed, steps"):
        run(tmp_path / "c", config(steps=20, seed=3))
    resumed, _ = run(tmp_path / "c", config(save_every=5, keep=4))
    assert same(resumed, run(None)[0])


def test_what_the_run_is_about_must_be_the_same_when_it_goes_on(tmp_path):
    with pytest.raises(RuntimeError, match="stopped"):
        run(tmp_path / "c", act=stop_at(5), about={"corpus": "a.txt", "mask_rate": 0.15, "steps": 700})
    with pytest.raises(ValueError, match="step-00000003: made with a different mask_rate"):
        run(tmp_path / "c", about={"corpus": "a.txt", "mask_rate": 0.3, "steps": 700})
    assert len(run(tmp_path / "c", about={"corpus": "a.txt", "mask_rate": 0.15, "steps": 700})[1]) == 12


def test_a_disk_that_takes_no_log_at_the_start_is_named(tmp_path, monkeypatch):
    from minibert.training import log as module

    def full(path, log):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module, "write_log", full)
    with pytest.raises(OSError, match="the log cannot be written: No space left on device: '.*log.jsonl'"):
        run(tmp_path / "c")


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "c").write_text("")
    with pytest.raises(ValueError, match="c: this is a file, but checkpoints are kept in a folder"):
        run(tmp_path / "c")


@pytest.fixture
def autocast_dtypes(monkeypatch):
    """Let every forward pass of a pretraining note its dtype in the list that is returned."""
    used, step = [], MLM.step

    def noting(self, *arguments):
        used.append(torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else torch.float32)
        return step(self, *arguments)

    monkeypatch.setattr(MLM, "step", noting)
    return used


@pytest.mark.parametrize("first, then", [(True, False), (False, True)])
def test_a_run_that_resumes_on_another_processor_continues_in_its_precision_in_all_phases(
    first, then, autocast_dtypes, tmp_path, monkeypatch
):
    expected = torch.bfloat16 if first else torch.float32
    monkeypatch.setattr(device, "multiplies_bfloat16", lambda: first)
    in_phases(tmp_path / "c", 1, precision="auto")
    monkeypatch.setattr(device, "multiplies_bfloat16", lambda: then)
    in_phases(tmp_path / "c", precision="auto")
    assert set(autocast_dtypes) == {expected} and len(autocast_dtypes) == config().steps
    said = []
    assert choose_precision("auto", torch.device("cpu"), tmp_path / "c", said.append) in str(expected)
    assert said == [f"Precision {str(expected)[6:]}, as at the start of this run"]


def test_a_run_that_resumes_in_another_precision_is_refused_and_loses_nothing(tmp_path):
    in_phases(tmp_path / "c", 1, precision="bfloat16")
    with pytest.raises(ValueError, match="made with a different precision; use the same settings as before"):
        in_phases(tmp_path / "c")
    in_phases(tmp_path / "c", precision="bfloat16")


def test_a_damaged_precision_is_that_of_another_run(tmp_path):
    run(tmp_path / "c", config(steps=3))
    path = tmp_path / "c" / "step-00000003" / "state.json"
    for precision in ("floaty", [], None):
        state = json.loads(path.read_text())
        state["config"]["precision"] = precision
        path.write_text(json.dumps(state))
        with pytest.raises(ValueError, match="made with a different precision"):
            run(tmp_path / "c", config(steps=3))


def test_a_second_process_does_not_train_into_the_same_folder(tmp_path):
    def act(call):
        with pytest.raises(ValueError, match="another process is already using the folder .*c for training$"):
            run(tmp_path / "c")

    assert len(run(tmp_path / "c", config(steps=2), act)[1]) == 2
    assert len(run(tmp_path / "c", config(steps=2))[1]) == 2, "the lock ends with the run"


@needs_posix
def test_a_process_that_is_killed_leaves_no_lock(processes, tmp_path):
    process = processes.Process(target=killable.short_until_call, args=(tmp_path / "c", 3))
    process.start()
    process.join(HANG)
    assert process.exitcode == -signal.SIGKILL and (tmp_path / "c" / "lock").exists()
    assert len(killable.short(tmp_path / "c")[1]) == 2


def test_to_begin_anew_the_folder_of_the_whole_run_is_named(tmp_path):
    folder = tmp_path / "training"
    in_phases(folder)
    message = r"phase-1.*\(seed 0 before, 1 now\); to start over, delete .*training$"
    with pytest.raises(ValueError, match=message):
        in_phases(folder, settings=config(seed=1))
    forget(folder)
    message = "try a peak_rate smaller than 1e[+]30, after deleting .*training, which belongs to this"
    with pytest.raises(FloatingPointError, match=message):
        in_phases(folder, settings=config(peak_rate=1e30))


def test_when_a_checkpoint_cannot_be_written_training_goes_on_and_the_earlier_one_stays(
    tmp_path, monkeypatch, capsys
):
    calls, save = itertools.count(1), tensors.save_file

    def full(values, path, metadata):
        if next(calls) == 4:  # the optimiser of the second checkpoint
            path.write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        save(values, path, metadata)

    monkeypatch.setattr(tensors, "save_file", full)
    with pytest.raises(RuntimeError, match="stopped"):
        run(tmp_path / "c", act=stop_at(8))
    told = capsys.readouterr().err
    why = "this checkpoint cannot be written (No space left on device)"
    assert f"step-00000006: {why}; training continues" in told
    assert "the earlier checkpoints are kept" in told
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000003"]
    assert same(run(tmp_path / "c")[0], run(None)[0])


@needs_posix
def test_on_a_disk_that_is_full_from_the_start_the_run_ends_as_always(processes, tmp_path):
    for name in ("whole", "full"):
        (tmp_path / name).mkdir()
    finish(processes, killable.run, tmp_path / "whole", "adamw")
    finish(processes, killable.run_on_a_full_disk, tmp_path / "full", "adamw")
    check_equal(tmp_path / "whole", tmp_path / "full")
    for phase in (tmp_path / "full" / "training").glob("phase-*"):
        assert names(phase) == ["log.jsonl"]


def test_a_loss_or_gradient_that_is_not_finite_leaves_the_weights_and_checkpoints_of_before(tmp_path):
    class Bad(MLM):
        def step(self, *arguments):
            terms = super().step(*arguments)
            self.calls = getattr(self, "calls", 0) + 1
            return {"mlm": terms["mlm"] + self.extra(terms["mlm"])} if self.calls == 6 else terms

    for extra, message in (
        (lambda loss: loss * float("nan"), "the loss of step 6 is nan; the learning rate was"),
        (lambda loss: (loss.detach() - loss).sqrt(), "the gradient of the loss of step 6 is"),
    ):
        task, encoder = Bad(SPECIALS, CONFIG.vocab_size, 24), Encoder(CONFIG)
        task.extra, model = extra, task.model(encoder)
        with pytest.raises(FloatingPointError, match=message):
            fit(model, task, config(save_every=5), checkpoint=tmp_path / message[:12])
        saved = tensors.read_tensors(tmp_path / message[:12] / "step-00000005" / "model.safetensors")
        assert all(torch.equal(tensor, saved[name]) for name, tensor in model_tensors(model).items())


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_finishes_the_step_saves_it_and_says_how_to_go_on(request_to_end, tmp_path, capsys):
    def act(call):
        if call == 5:
            os.kill(os.getpid(), request_to_end)

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "c", act=act)
    assert "train: interrupted after step 5; to resume, make the same call again" in capsys.readouterr().err
    assert names(tmp_path / "c")[-1] == "step-00000005"
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    assert same(run(tmp_path / "c")[0], run(None)[0])


def test_a_second_ctrl_c_does_not_wait(tmp_path):
    def act(call):
        if call == 5:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "c", act=act)
    assert names(tmp_path / "c") == ["log.jsonl", "step-00000003"]


def test_without_a_folder_ctrl_c_interrupts_at_once():
    calls = []

    def act(call):
        calls.append(call)
        if call == 5:
            os.kill(os.getpid(), signal.SIGINT)
            calls.append("after")

    with pytest.raises(KeyboardInterrupt):
        run(None, act=act)
    assert calls == [1, 2, 3, 4, 5]


def test_the_log_on_disk_is_the_log_returned_and_has_each_step_once(tmp_path):
    stopped(tmp_path / "c", 8)
    assert len(read_log(tmp_path / "c" / "log.jsonl")) == 7  # beyond the checkpoint of step 6
    with open(tmp_path / "c" / "log.jsonl", "a") as file:
        file.write('{"step": 8, "lo')  # killed while it wrote
    _, log = run(tmp_path / "c")
    assert read_log(tmp_path / "c" / "log.jsonl") == log
    assert [entry["step"] for entry in log] == list(range(1, 13))
    assert set(log[0]) == {"step", "loss", "mlm", "rate", "tokens", "seconds"}


def test_a_checkpoint_does_not_grow_with_the_log(tmp_path):
    run(tmp_path / "c")
    sizes = [
        sum(file.stat().st_size for file in (tmp_path / "c" / name).iterdir())
        for name in ("step-00000009", "step-00000012")
    ]
    assert abs(sizes[0] - sizes[1]) < 20


def test_a_lost_log_is_told_and_does_not_stop_the_run(tmp_path, capsys):
    stopped(tmp_path / "c", 8)
    (tmp_path / "c" / "log.jsonl").unlink()
    _, log = run(tmp_path / "c")
    assert [entry["step"] for entry in log] == list(range(7, 13))
    assert "log.jsonl: contains only 0 of the 6 steps trained so far" in capsys.readouterr().err


@pytest.mark.parametrize("line", [b"garbage", b"\xff\xfe", b"[7]", b'{"step": "x"}'])
def test_a_spoiled_line_of_the_log_is_left_out_and_stops_no_run(line, tmp_path, capsys):
    stopped(tmp_path / "c", 8)
    log = tmp_path / "c" / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([lines[0], line + b"\n", *lines[2:]]))
    resumed, again = run(tmp_path / "c")
    assert same(resumed, run(None)[0]) and [entry["step"] for entry in again] == [1, *range(3, 13)] == [
        entry["step"] for entry in read_log(log)
    ]
    assert "log.jsonl:2: not a log entry; 1 such line dropped" in capsys.readouterr().err


def test_a_lost_line_of_one_phase_does_not_change_the_numbers_of_the_next(tmp_path):
    in_phases(tmp_path, 2)
    (tmp_path / "phase-1" / "log.jsonl").unlink()
    assert [entry["step"] for entry in in_phases(tmp_path)[1]] == list(range(3, 13))


def test_a_line_that_is_no_entry_is_named(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"step": 1}\n7\n')
    with pytest.raises(ValueError, match="log.jsonl:2: not a log entry"):
        read_log(tmp_path / "log.jsonl")


def test_a_log_that_could_not_be_written_for_a_while_has_no_gap_and_says_so_once(
    tmp_path, capsys, monkeypatch
):
    from minibert.training import log as module

    log, append = Log(tmp_path / "log.jsonl"), module.append
    log.append({"step": 1})

    def full(data, path, lasting):
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(module, "append", full)
    log.append({"step": 2})
    log.append({"step": 3})
    assert capsys.readouterr().err.count("the log cannot be written (No space left); training continues") == 1
    monkeypatch.setattr(module, "append", append)
    log.append({"step": 4})
    assert [entry["step"] for entry in read_log(tmp_path / "log.jsonl")] == [1, 2, 3, 4]


def test_bytes_are_appended_all_or_none(tmp_path, monkeypatch):
    from minibert.training import log as module

    path = tmp_path / "log.jsonl"
    module.append(b"one\n", path, lasting=True)

    def fail(handle):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(module.os, "fsync", fail)
    with pytest.raises(OSError, match="broken"):
        module.append(b"two\n", path, lasting=True)
    assert path.read_bytes() == b"one\n"


def test_every_tensor_is_stored_once_under_its_name(tmp_path):
    model, _ = run(tmp_path / "c")
    saved = tensors.read_tensors(tmp_path / "c" / "step-00000012" / "model.safetensors")
    assert np.sum([tensor.numel() for tensor in saved.values()]) == sum(p.numel() for p in model.parameters())
    moments = tensors.read_tensors(tmp_path / "c" / "step-00000012" / "optimizer.safetensors")
    assert "encoder.embeddings.word.weight/exp_avg" in moments
