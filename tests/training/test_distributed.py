"""Several processes train as one does, and when one of them is lost, the run ends, says so, and can go on."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import many
import numpy as np
import psutil
import pytest
import torch
from conftest import ROOT
from patience import HANG, STILL, processor_time, waited
from tiny import CONFIG, documents

from minibert.model import Encoder
from minibert.training.config import TrainConfig
from minibert.training.distributed import Team, join, team
from minibert.training.log import read_log
from minibert.training.step import Step

HERE = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("", "tests")),
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(scope="module")
def together():
    """A function (count, action, folder, wait=None) that runs an action of many.py in `count` processes and
    returns (exit status, stdout, stderr) of each, or of the first `wait`, without waiting for the others."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork; the processes of a run do not need it, but these tests do")
    server = subprocess.Popen(
        [sys.executable, many.__file__],
        env=HERE,
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def run(count, action, folder, wait=None):
        folder.mkdir(exist_ok=True)
        print(json.dumps([action, str(folder), count, wait or count]), file=server.stdin, flush=True)
        return [
            (status, *((folder / f"{rank}.{name}").read_text() for name in ("out", "err")))
            for rank, status in enumerate(json.loads(server.stdout.readline()))
        ]

    yield run
    server.stdin.close()
    server.wait(HANG)
    server.stdout.close()


@pytest.fixture(scope="module")
def alone(together, tmp_path_factory):
    """{name: (log, weights)} of one process."""
    folder = tmp_path_factory.mktemp("alone")
    ((status, _, err),) = together(1, "curves", folder)
    assert status == 0, err
    return {
        name: (json.loads((folder / f"{name}.json").read_text()), np.load(folder / f"{name}-0.npy"))
        for name in many.TASKS
    }


def assert_same_curve(log, expected):
    assert [entry["step"] for entry in log] == [entry["step"] for entry in expected]
    for entry, other in zip(log, expected):
        for name in other.keys() - {"seconds"}:
            assert entry[name] == pytest.approx(other[name], rel=1e-5, abs=1e-7), (
                f"{name} of step {entry['step']}"
            )


@pytest.mark.parametrize("count", [2, 3])
def test_several_processes_have_the_curve_and_the_weights_of_one(count, alone, together, tmp_path):
    ended = together(count, "curves", tmp_path)
    assert [status for status, _, _ in ended] == [0] * count, ended[0][2] + ended[1][2]
    for name in many.TASKS if count == 2 else ("bert", "few"):
        log, weights = alone[name]
        assert_same_curve(json.loads((tmp_path / f"{name}.json").read_text()), log)
        theirs = [np.load(tmp_path / f"{name}-{rank}.npy") for rank in range(count)]
        assert all(np.array_equal(theirs[0], other) for other in theirs[1:])
        assert np.abs(theirs[0] - weights).max() < 1e-5
        # one a step, and one after the last: was anyone asked to stop since?
        assert (tmp_path / f"{name}-0.reductions").read_text() == str(many.SETTINGS["steps"] + 1)


LOST = "process 0 of 2 lost its connection to another one .*number of processes, to resume from the last"


def test_a_run_that_loses_a_process_ends_and_goes_on_with_another_number_of_them(alone, together, tmp_path):
    ended = together(2, "killed", tmp_path / "run")
    assert [status for status, _, _ in ended] == [1, -signal.SIGKILL]
    assert re.search(LOST, ended[0][2]), ended[0][2]
    assert [path.name for path in (tmp_path / "run").glob("step-*")] == ["step-00000003"]
    for count in (1, 3):
        folder = shutil.copytree(tmp_path / "run", tmp_path / str(count))
        assert [status for status, _, _ in together(count, "resumed", folder)] == [0] * count
        assert_same_curve(read_log(folder / "log.jsonl"), alone["bert"][0])
        assert np.abs(np.load(folder / "weights.npy") - alone["bert"][1]).max() < 1e-5


def test_a_process_that_says_nothing_counts_as_lost_after_a_while(together, tmp_path):
    # it sleeps for far longer than it is waited for
    ((status, _, err),) = together(2, "silent", tmp_path / "run", wait=1)
    assert status == 1 and re.search(LOST, err), err


def test_an_interrupt_of_one_process_stops_all_after_the_same_step_with_a_checkpoint(together, tmp_path):
    ended = together(2, "interrupted", tmp_path / "run")
    assert all(status and "KeyboardInterrupt" in err for status, _, err in ended), ended
    assert "interrupted after step 5" in ended[0][2] and "interrupted after" not in ended[1][2]
    assert max(path.name for path in (tmp_path / "run").glob("step-*")) == "step-00000005"
    assert len(read_log(tmp_path / "run" / "log.jsonl")) == 5


def test_processes_take_turns_agree_and_share_errors(together, tmp_path):
    ended = together(3, "talk", tmp_path)
    assert [(status, out) for status, out, _ in ended][1:] == [(0, "")] * 2, ended[1][2]
    assert ended[0][0] == 0
    assert "3 processes, " in ended[0][1]
    assert ended[0][1].endswith("each; gradients by gloo\nthis is 0\n")
    said = [json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(3)]
    assert [s["first"] for s in said] == [True, False, False]
    for s in said:
        assert (s["in_turn"], s["once"], s["any"], s["size"]) == ("0, 1", 0, [True, False], 3)
        assert (s["sums"], s["gradient"], s["unused"]) == ([1.5, 3.0], [[3.0, 3.0]], True)
        assert s["stop"] is True
        assert s["error"] == "the disk of process 1 is full"
        assert (
            s["steps"] == "the processes would resume after different steps [0, 0, 1]: all must see the same "
            "checkpoint folder"
        )


def test_processes_share_the_parts_of_a_file_and_the_first_writes_the_same_answers(together, tmp_path):
    (tmp_path / "text.conll").write_text(
        "\n".join(f"Eva _\nsaw _\n{word} _\n" for word in ("Bo", "us", "Ada", "it", "X"))
    )
    for count in (1, 2, 3):
        ended = together(count, "answers", tmp_path)
        assert [status for status, *_ in ended] == [0] * count, ended
        assert [said.splitlines()[-1:] for _, said, _ in ended] == [["5"]] + [[]] * (count - 1)
    one, *others = ((tmp_path / f"{count}.conll").read_text() for count in (1, 2, 3))
    assert others == [one, one] and one.count("\n\n") == 5 and one.endswith("X B-LOC\n\n")


STEPS = 250
TORCHRUN = [
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--standalone",
    "--nproc-per-node",
    "2",
    "-m",
    "minibert",
    "pretrain",
    *"--preset tiny --vocab-size 150 --max-length 32 --batch-size 5 --device cpu".split(),
    "--steps",
    str(STEPS),
]


@pytest.fixture
def torchrun(tmp_path):
    """() -> context of a running torchrun; its workers end with it, or are killed and the test fails."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(
        "\n\n".join(
            f"{name} walks to the town .\nthere {name} buys a {thing} .\nthe {thing} is old ."
            for name in ("mira", "joel", "ada", "finn")
            for thing in ("bell", "lamp", "boat")
        )
    )

    @contextmanager
    def running():
        command = [
            *TORCHRUN,
            "--corpus",
            str(corpus),
            "--cache",
            str(tmp_path / "texts"),
            "--out",
            str(tmp_path / "out"),
        ]
        process = subprocess.Popen(
            command, env=HERE, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        workers = []
        try:
            yield process, workers
        finally:
            workers = workers or psutil.Process(process.pid).children() if process.poll() is None else workers
            process.kill()
            process.communicate()
            left = psutil.wait_procs(workers, timeout=STILL)[1]
            for worker in left:
                worker.kill()
        assert not left

    return running


def until_it_trains(process, workers, log):
    """Waits for three steps; fills in the workers."""

    def steps():
        return len(log.read_text().splitlines()) if log.is_file() else 0

    waited(lambda: steps() >= 3 or process.poll() is not None, lambda: (steps(), processor_time(process.pid)))
    assert process.poll() is None and steps() >= 3, process.communicate()
    workers += psutil.Process(process.pid).children()
    assert len(workers) == 2


@pytest.mark.slow
def test_torchrun_ends_all_when_a_worker_dies_or_someone_interrupts_and_the_same_command_finishes(
    torchrun, tmp_path
):
    out = tmp_path / "out"
    folder = out / "training" / "phase-1"
    with torchrun() as (process, workers):
        until_it_trains(process, workers, folder / "log.jsonl")
        workers[1].kill()
        _, err = process.communicate(timeout=HANG)
    assert process.returncode == 1 and "SIGKILL" in err and not list(folder.glob("step-*"))
    (folder / "log.jsonl").unlink()
    with torchrun() as (process, workers):
        until_it_trains(process, workers, folder / "log.jsonl")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG)
    assert process.returncode and err.count("interrupted after step") == 1
    assert [path.name for path in folder.glob("step-*")] == [
        f"step-{len(read_log(folder / 'log.jsonl')):08d}"
    ]
    with torchrun() as (process, _):
        said, err = process.communicate(timeout=HANG)
    assert process.returncode == 0, err
    assert said.count("12 documents, ") == said.count("2 processes, ") == said.count("Held out: ") == 1
    assert (out / "model.safetensors").is_file() and not (out / "training").exists()
    assert [entry["step"] for entry in read_log(out / "log.jsonl")] == list(range(1, STEPS + 1))


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
    steps = [Step(model, objective, None, config, torch.float32, Team(rank=rank)) for rank in (0, 0, 1)]
    losses = [many.backward(step, batch, 3)[0] for step in steps]
    assert losses[0] == losses[1] != losses[2]


def test_several_processes_need_a_device_that_can_speak_to_others(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="device 'mps': several processes can train together only on cpu"):
        join("mps")
