"""Several processes train as one does, and when one of them is lost, the run ends, says so, and can go on."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import many
import numpy as np
import psutil
import pytest
import torch
from conftest import ROOT
from tiny import CONFIG, documents

from minibert.model import Encoder
from minibert.training import TrainConfig, choose_device, join, read_log
from minibert.training.distributed import Team, team
from minibert.training.step import Step

LIMIT = 90                                  # seconds: far more than any of these takes, on a machine with other things to do
HERE = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("", "tests"))}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


@contextmanager
def started(commands, environments, **options):
    """Processes that are gone at the end, whatever happens."""
    processes = [subprocess.Popen(command, env={**HERE, **environment}, cwd=ROOT, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, **options) for command, environment in zip(commands, environments)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def together(count, action, folder, wait=None):
    """Run many.py in `count` processes; returns (exit status, stdout, stderr) of each, or only of the first `wait`."""
    port = free_port()
    environments = [{"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count),
                     "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port} for rank in range(count)]
    command = [sys.executable, str(Path(many.__file__)), action, str(folder)]
    with started([command] * count, environments) as processes:
        ended = []
        for process in processes[:wait]:
            out, err = process.communicate(timeout=LIMIT)
            ended.append((process.returncode, out, err))
        return ended


@pytest.fixture(scope="module")
def alone():
    """{name: (log, weights)} of one process."""
    return {name: many.run(name) for name in many.TASKS}


def assert_same_curve(log, expected):
    assert [entry["step"] for entry in log] == [entry["step"] for entry in expected]
    for entry, other in zip(log, expected):
        for name in other.keys() - {"seconds"}:
            assert entry[name] == pytest.approx(other[name], rel=1e-5, abs=1e-7), f"{name} of step {entry['step']}"


@pytest.mark.parametrize("count", [2, 3])
def test_several_processes_have_the_curve_and_the_weights_of_one(count, alone, tmp_path):
    ended = together(count, "curves", tmp_path)
    assert [status for status, _, _ in ended] == [0] * count, ended[0][2] + ended[1][2]
    for name in many.TASKS if count == 2 else ("bert", "few"):
        log, weights = alone[name]
        assert_same_curve(json.loads((tmp_path / f"{name}.json").read_text()), log)
        theirs = [np.load(tmp_path / f"{name}-{rank}.npy") for rank in range(count)]
        assert all(np.array_equal(theirs[0], other) for other in theirs[1:])
        assert np.abs(theirs[0] - weights).max() < 1e-5


def test_the_runs_that_are_compared_have_processes_without_rows_or_labels():
    rows, _ = many.rows_of_tags(None)
    assert len(rows) % many.SETTINGS["batch_size"] == 0 or len(rows) % many.SETTINGS["batch_size"] < 3


LOST = "process 0 of 2 lost another one .*number of processes, goes on from the last checkpoint"


def test_a_run_that_loses_a_process_ends_and_goes_on_with_another_number_of_them(alone, tmp_path):
    ended = together(2, "killed", tmp_path / "run")
    assert [status for status, _, _ in ended] == [1, -signal.SIGKILL]
    assert re.search(LOST, ended[0][2]), ended[0][2]
    assert [path.name for path in (tmp_path / "run").glob("step-*")] == ["step-00000003"]
    shutil.copytree(tmp_path / "run", tmp_path / "again")
    log, weights = many.run("bert", tmp_path / "again")
    assert_same_curve(log, alone["bert"][0])
    assert np.abs(weights - alone["bert"][1]).max() < 1e-5
    assert [status for status, _, _ in together(3, "resumed", tmp_path / "run")] == [0] * 3
    assert_same_curve(read_log(tmp_path / "run" / "log.jsonl"), alone["bert"][0])
    assert np.abs(np.load(tmp_path / "run" / "weights.npy") - alone["bert"][1]).max() < 1e-5


def test_a_process_that_says_nothing_counts_as_lost_after_a_while(tmp_path):
    (status, _, err), = together(2, "silent", tmp_path / "run", wait=1)         # it sleeps for longer than LIMIT
    assert status == 1 and re.search(LOST, err), err


def test_an_interrupt_of_one_process_stops_all_after_the_same_step_with_a_checkpoint(tmp_path):
    ended = together(2, "interrupted", tmp_path / "run")
    assert all(status and "KeyboardInterrupt" in err for status, _, err in ended), ended
    assert "interrupted after step 5" in ended[0][2] and "interrupted after" not in ended[1][2]
    assert max(path.name for path in (tmp_path / "run").glob("step-*")) == "step-00000005"
    assert len(read_log(tmp_path / "run" / "log.jsonl")) == 5


def test_processes_take_turns_agree_and_share_errors(tmp_path):
    ended = together(3, "talk", tmp_path)
    assert [(status, out) for status, out, _ in ended][1:] == [(0, "")] * 2, ended[1][2]
    assert ended[0][0] == 0 and "3 processes, " in ended[0][1] and ended[0][1].endswith("each; gradients by gloo\nthis is 0\n")
    said = [json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(3)]
    assert [s["first"] for s in said] == [True, False, False]
    for s in said:
        assert (s["in_turn"], s["once"], s["any"], s["size"]) == ("0, 1", 0, [True, False], 3)
        assert (s["sums"], s["gradient"], s["unused"]) == ([1.5, 3.0], [[3.0, 3.0]], True)
        assert s["error"] == "the disk of process 1 is full"
        assert s["steps"] == "the processes would go on after steps [0, 0, 1]: all must see the same folder of checkpoints"


TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "minibert", "pretrain",
            "--preset", "tiny", "--vocab-size", "150", "--max-length", "32", "--batch-size", "5", "--device", "cpu"]


@pytest.fixture
def torchrun(tmp_path):
    """A function (steps) -> context of a running torchrun, whose workers are gone afterwards."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n\n".join(f"{name} walks to the town .\nthere {name} buys a {thing} .\nthe {thing} is old ."
                                  for name in ("mira", "joel", "ada", "finn") for thing in ("bell", "lamp", "boat")))

    @contextmanager
    def running(steps):
        command = [*TORCHRUN, "--corpus", str(corpus), "--out", str(tmp_path / "out"), "--steps", str(steps)]
        with started([command], [{}]) as (process,):
            workers = []
            try:
                yield process, workers
            finally:
                for worker in workers:
                    if worker.is_running():
                        worker.kill()
    return running


def until_it_trains(process, workers, log):
    """Waits for three steps; fills in the workers."""
    limit = time.monotonic() + LIMIT
    while not log.is_file() or len(log.read_text().splitlines()) < 3:
        assert process.poll() is None and time.monotonic() < limit, process.communicate()
        time.sleep(0.05)
    workers += psutil.Process(process.pid).children()
    assert len(workers) == 2


def test_torchrun_pretrains_with_one_voice(torchrun, tmp_path):
    with torchrun(steps=3) as (process, _):
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert out.count("12 documents") == out.count("2 processes, ") == out.count("Held out: ") == 1
    assert (tmp_path / "out" / "model.safetensors").is_file() and len(read_log(tmp_path / "out" / "log.jsonl")) == 3


def test_torchrun_ends_all_processes_when_one_dies_or_someone_interrupts(torchrun, tmp_path):
    folder = tmp_path / "out" / "training" / "phase-1"
    with torchrun(steps=10**6) as (process, workers):
        until_it_trains(process, workers, folder / "log.jsonl")
        workers[1].kill()
        _, err = process.communicate(timeout=LIMIT)
        assert process.returncode == 1 and "SIGKILL" in err
        assert psutil.wait_procs(workers, timeout=5)[1] == []
    with torchrun(steps=10**6) as (process, workers):
        (folder / "log.jsonl").unlink()
        until_it_trains(process, workers, folder / "log.jsonl")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        assert process.returncode and "interrupted after step" in err
        assert psutil.wait_procs(workers, timeout=5)[1] == []
    steps = len(read_log(folder / "log.jsonl"))
    assert [path.name for path in folder.glob("step-*")] == [f"step-{steps:08d}"]


def test_without_torchrun_a_process_is_alone(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    us = join("cpu")
    assert us == team() == Team() and us.first
    assert us.in_turn(lambda: 5) == us.once(lambda: 5) == 5 and us.any(True) and not us.any(False)


def test_each_process_drops_other_units():
    objective = many.bert()
    torch.manual_seed(0)
    model = objective.model(Encoder(CONFIG.replace(hidden_dropout_prob=0.5))).train()
    batch = objective.collate(*objective.build(documents(count=2), np.random.default_rng(0)))
    config = TrainConfig(steps=1)
    losses = [Step(model, objective, None, config, torch.float32, Team(rank=rank)).gradient(batch, 3)[0] for rank in (0, 0, 1)]
    assert losses[0] == losses[1] != losses[2]


def test_several_processes_need_a_device_that_can_speak_to_others(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="device 'mps': several processes train together on cpu or cuda only"):
        join("mps")


def test_each_process_has_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert choose_device() == choose_device("cuda") == torch.device("cuda:1") and choose_device("cuda:0") == torch.device("cuda:0")
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(ValueError, match="process 3 of this machine finds 2 GPUs: each needs one, so start 2"):
        choose_device("cuda")
