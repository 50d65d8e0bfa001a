"""What test_distributed runs in several processes at once, with the environment that torchrun would give
them.

A server, which loads PyTorch once and then forks: a line of JSON in, [action, folder, count, how many to wait
for], a line out, their exit statuses. What process R says is in the folder, as R.out and R.err. No process
outlives its request.
"""

import atexit
import json
import os
import signal
import socket
import sys
import time
import traceback
from functools import partial
from pathlib import Path

import numpy as np
import torch
import torch._dynamo  # noqa: F401  every optimiser loads it, and here it is loaded once
from echo import capitals
from patience import STILL, processor_time, waited
from tiny import CONFIG, SPECIALS, documents

from minibert.finetuning import predict
from minibert.model import Encoder, Model
from minibert.objectives import MLM, NSP, RTD, Sum, WordStructure
from minibert.tasks.choice import MultipleChoice
from minibert.tasks.tagging import Tagging
from minibert.training import distributed
from minibert.training.config import TrainConfig
from minibert.training.distributed import join
from minibert.training.loop import train

SETTINGS = {"steps": 9, "batch_size": 5, "save_every": 3, "warmup": 0.5}  # neither 2 nor 3 divides 5
LENGTH = 24


class Few(MLM):
    """Of most batches only one row has anything to predict: the other processes count nothing."""

    def candidates(self, batch):
        return super().candidates(batch) & (np.arange(len(batch.real)) == 0)[:, None]


class Tags(Tagging):
    """Tags for rows of ids, so that no tokenizer is needed."""

    def __init__(self):
        self.specials, self.max_length, self.tags = SPECIALS, LENGTH, ["O", "B-X", "I-X"]


class Options(MultipleChoice):
    """Options for rows of ids."""

    def __init__(self):
        self.specials, self.max_length = SPECIALS, LENGTH


def bert():
    return Sum(NSP(SPECIALS, CONFIG.vocab_size, LENGTH), MLM(SPECIALS, CONFIG.vocab_size, LENGTH))


def backward(step, batch, number):
    """The loss of a step and its terms, after the backward pass, as `train` computes them; step: a Step."""
    step.seed_dropout(number)
    step.model.zero_grad()
    for micro_batch in step.micro_batches(batch, number):
        with step.autocast():
            means = step.objective.step(step.model, *micro_batch.to(step.model))
        step.loss_of(micro_batch, means).backward()
    return step.gather()


def rows_of_tags(rng):
    rows = [(row, None) for document in documents(count=1) for row in document]
    return rows[:-1], [[-100, *(i % 3 if i % 5 else -100 for i in row), -100] for row, _ in rows[:-1]]


def rows_of_options(rng):
    rows = [row for document in documents(count=2) for row in document]
    return [tuple((context, [i]) for i in (5, 6, 7)) for context in rows[:9]], [
        -100 if i % 4 == 3 else i % 3 for i in range(9)
    ]


ROWS = {"tags": rows_of_tags, "options": rows_of_options}  # of tasks; objectives build theirs from documents
TASKS = {
    "bert": bert,
    "rtd": lambda: RTD(SPECIALS, CONFIG.vocab_size, LENGTH),
    "order": lambda: WordStructure(SPECIALS, CONFIG.vocab_size, LENGTH),
    "few": lambda: Few(SPECIALS, CONFIG.vocab_size, LENGTH),
    "tags": Tags,
    "options": Options,
}


def run(name, checkpoint=None, task=None):
    """(log, weights) of a run of the named task, without dropout."""
    task = task or TASKS[name]()
    torch.manual_seed(int(os.environ["RANK"]))  # the first process's weights become everyone's
    encoder = Encoder(CONFIG)
    model = Model(encoder, task.heads(encoder)) if name in ROWS else task.model(encoder)
    make_rows = ROWS.get(name, lambda rng: task.build(documents(count=3), rng))
    options = {"checkpoint": checkpoint, "precision": torch.float32, "progress": False}
    log = train(model.double(), task, make_rows, TrainConfig(**SETTINGS), **options)
    return log, torch.cat([p.detach().flatten() for p in model.parameters()]).numpy()


def stopping(how, at):
    """bert() that calls how() in the second process when it comes to step `at`."""
    task, seen = bert(), []
    step = task.step

    def counted(*arguments):
        seen.append(1)
        if len(seen) == at and os.environ["RANK"] == "1":
            how()
        return step(*arguments)

    task.step = counted
    return task


def curves(team, folder):
    reductions, reduce = [], distributed.dist.all_reduce
    distributed.dist.all_reduce = lambda tensor: reductions.append(1) or reduce(tensor)
    for name in TASKS if team.size < 3 else ("bert", "few"):
        reductions.clear()
        log, weights = run(name)
        (folder / f"{name}-{team.rank}.reductions").write_text(str(len(reductions)))
        np.save(folder / f"{name}-{team.rank}.npy", weights)
        if team.first:
            (folder / f"{name}.json").write_text(json.dumps(log))


def killed(team, folder):
    run("bert", folder, stopping(lambda: os.kill(os.getpid(), signal.SIGKILL), at=5))


def silent(team, folder):
    run("bert", folder, stopping(lambda: time.sleep(10 * STILL), at=5))


def interrupted(team, folder):
    run("bert", folder, stopping(lambda: os.kill(os.getpid(), signal.SIGINT), at=5))


def resumed(team, folder):
    log, weights = run("bert", folder)
    if team.first:
        np.save(folder / "weights.npy", weights)


def talk(team, folder):
    """Who says what, from each process, as a file."""
    made = folder / "made"

    def make():
        if not made.exists():
            time.sleep(0.3)
            made.write_text(f"{team.rank}, {distributed.team().size}")
        return made.read_text()

    def fail():
        if team.rank == 1:
            raise OSError("the disk of process 1 is full")

    used, unused = model = torch.nn.ModuleList([torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)])
    if team.rank < 2:  # the last has nothing to count
        (used.weight.sum() * (team.rank + 1)).backward()
    sums, stop = team.sum(model, torch.tensor([0.5, float(team.rank)]), team.rank == 1)
    said = {
        "sums": sums,
        "stop": stop,
        "gradient": used.weight.grad.tolist(),
        "unused": unused.weight.grad is None,
        "in_turn": team.in_turn(make),
        "once": team.once(lambda: team.rank),
        "any": [team.any(team.rank == 2), team.any(False)],
        "size": team.size,
        "first": team.first,
    }
    print("this is", team.rank)
    for name, call in (
        ("error", lambda: team.in_turn(fail)),
        ("steps", lambda: team.start(torch.nn.Linear(1, 1), team.rank // 2)),
    ):
        try:
            call()
        except (OSError, ValueError) as error:
            said[name] = str(error)
    (folder / f"{team.rank}.json").write_text(json.dumps(said))


def answers(team, folder):
    """A file answered by all, a sentence at a time."""
    predict.chunks = partial(predict.chunks, at_once=1)
    print(predict.predict_file(capitals(), folder / "text.conll", folder / f"{team.size}.conll"))


def work(action, folder, rank):
    """What one process does; returns its exit status."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / f"{rank}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank))
    try:
        globals()[action](join("cpu", timeout=3.0 if action == "silent" else STILL), folder)
        status = 0
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def answer(action, folder, count, wait):
    """Exit statuses of the first `wait` processes, signals as negative numbers; None if it stood still."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    os.environ.update(
        WORLD_SIZE=str(count), LOCAL_WORLD_SIZE=str(count), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)
    )
    children = []
    for rank in range(count):
        children.append(os.fork())
        if not children[-1]:
            os._exit(work(action, Path(folder), rank))
    statuses = {}

    def ended():
        for child in children:
            if child not in statuses and (found := os.waitpid(child, os.WNOHANG))[0]:
                statuses[child] = os.waitstatus_to_exitcode(found[1])
        return len(statuses.keys() & set(children[:wait])) == wait

    waited(ended, lambda: (len(statuses), *map(processor_time, children)), pause=0.01)
    for child in children:
        if child not in statuses:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return [statuses.get(child) for child in children[:wait]]


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)
