"""What test_distributed starts several times at once, as torchrun would: python many.py ACTION FOLDER."""
import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.model import Encoder, Model
from minibert.objectives import MLM, NSP, RTD, Sum, WordStructure
from minibert.tasks import Tagging
from minibert.training import TrainConfig, distributed, join, train

SETTINGS = {"steps": 9, "batch_size": 5, "save_every": 3, "warmup": 0.5}     # neither 2 nor 3 divides 5
LENGTH = 24


class Few(MLM):
    """Of most batches only one row has anything to predict: the other processes count nothing."""

    def candidates(self, batch):
        return super().candidates(batch) & (np.arange(len(batch.real)) == 0)[:, None]


class Tags(Tagging):
    """Tags for rows of ids, so that no tokenizer is needed."""

    def __init__(self):
        self.specials, self.max_length, self.tags = SPECIALS, LENGTH, ["O", "B-X", "I-X"]


def bert():
    return Sum(NSP(SPECIALS, CONFIG.vocab_size, LENGTH), MLM(SPECIALS, CONFIG.vocab_size, LENGTH))


def rows_of_tags(rng):
    rows = [(row, None) for document in documents(count=1) for row in document]
    return rows[:-1], [[-100, *(i % 3 if i % 5 else -100 for i in row), -100] for row, _ in rows[:-1]]


TASKS = {
    "bert": bert,
    "rtd": lambda: RTD(SPECIALS, CONFIG.vocab_size, LENGTH),
    "order": lambda: WordStructure(SPECIALS, CONFIG.vocab_size, LENGTH),
    "few": lambda: Few(SPECIALS, CONFIG.vocab_size, LENGTH),
    "tags": Tags,
}


def run(name, checkpoint=None, task=None):
    """(log, weights) of a run of the named task, without dropout."""
    task = task or TASKS[name]()
    torch.manual_seed(os.getpid())                              # the first process's weights are everyone's
    if int(os.environ.get("RANK", 0)) == 0:
        torch.manual_seed(0)
    encoder = Encoder(CONFIG)
    model = Model(encoder, task.heads(encoder)) if name == "tags" else task.model(encoder)
    make_rows = rows_of_tags if name == "tags" else lambda rng: task.build(documents(count=3), rng)
    log = train(model.double(), task, make_rows, TrainConfig(**SETTINGS), checkpoint=checkpoint, precision=torch.float32,
                progress=False)
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
    for name in TASKS if team.size == 2 else ("bert", "few"):
        log, weights = run(name)
        np.save(folder / f"{name}-{team.rank}.npy", weights)
        if team.first:
            (folder / f"{name}.json").write_text(json.dumps(log))


def killed(team, folder):
    run("bert", folder, stopping(lambda: os.kill(os.getpid(), signal.SIGKILL), at=5))


def silent(team, folder):
    run("bert", folder, stopping(lambda: time.sleep(100), at=5))


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
    if team.rank < 2:                                           # the last has nothing to count
        (used.weight.sum() * (team.rank + 1)).backward()
    sums = team.sum(model, [torch.tensor(0.5), torch.tensor(float(team.rank))])
    said = {"sums": [value.item() for value in sums], "gradient": used.weight.grad.tolist(), "unused": unused.weight.grad is None,
            "in_turn": team.in_turn(make), "once": team.once(lambda: team.rank), "any": [team.any(team.rank == 2), team.any(False)],
            "size": team.size, "first": team.first}
    print("this is", team.rank)
    for name, call in (("error", lambda: team.in_turn(fail)), ("steps", lambda: team.start(torch.nn.Linear(1, 1), team.rank // 2))):
        try:
            call()
        except (OSError, ValueError) as error:
            said[name] = str(error)
    (folder / f"{team.rank}.json").write_text(json.dumps(said))


if __name__ == "__main__":
    action, folder = sys.argv[1:]
    globals()[action](join("cpu", timeout=3.0 if action == "silent" else 30.0), Path(folder))
