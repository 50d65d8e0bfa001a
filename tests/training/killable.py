"""A tiny pretraining for a process of its own, which can be killed; and how to die at a chosen moment."""

import os
import signal
import sys
import time

import torch
from tiny import CONFIG, SPECIALS, documents, fit

from minibert.model import Encoder
from minibert.model.checkpoints import tensors
from minibert.objectives import MLM
from minibert.training import checkpoint, log, storage
from minibert.training.config import TrainConfig
from minibert.training.pretraining import pretrain
from minibert.training.recipes import growing_phases

CONFIG = CONFIG.replace(hidden_dropout_prob=0.1)  # so that going on must restore dropout, too


class Vocabulary:
    """As much of a tokenizer as `pretrain` asks for."""

    specials = SPECIALS
    vocab = [f"x{i}" for i in range(CONFIG.vocab_size)]

    def __len__(self):
        return CONFIG.vocab_size


def imported():
    """Nothing: the process has started."""


def mlm(tokenizer, length):
    return MLM(SPECIALS, CONFIG.vocab_size, length)


def pretrained(phases, config=CONFIG, **options):
    """Pretrain in these phases, in silence; returns (model, log)."""
    options = {"make_objective": mlm, "precision": torch.float32, "progress": False, **options}
    return pretrain(documents(), Vocabulary(), config, phases, "cpu", **options)


def run(folder, optimizer, steps=20):
    """Pretrain in growing phases of 4, 6 and 10 steps; leaves model.pt and log.pt in the folder."""
    torch.set_num_threads(1)
    config = TrainConfig(steps=steps, batch_size=4, save_every=3, optimizer=optimizer)
    phases = growing_phases(config, 24, 2, short_length=12)
    model, entries = pretrained(phases, checkpoint=folder / "training")
    torch.save(model.state_dict(), folder / "model.pt")
    torch.save(entries, folder / "log.pt")


def run_with_slow_saves(folder, optimizer):
    """Each file of tensors is for a while half there."""

    def slowly(values, path, metadata, save=tensors.save_file):
        save(values, path, metadata)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        time.sleep(0.05)
        path.write_bytes(whole)

    tensors.save_file = slowly
    run(folder, optimizer)


def short(folder):
    """Two steps, of which each is saved, in one phase. Returns (model, log)."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    task = mlm(None, 24)
    model = task.model(Encoder(CONFIG))
    config = TrainConfig(steps=2, batch_size=4, save_every=1, keep=1)
    return model, fit(model, task, config, checkpoint=folder)


def short_until_call(folder, count):
    """Dies just before the given call, counted from 0, of all that change the disk."""
    calls = iter(range(count))

    def dying(function):
        def call(*arguments, **options):
            if next(calls, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return call

    for module, name in (
        (tensors, "save_file"),
        (tensors, "sync"),
        (storage, "sync"),
        (checkpoint, "sync"),
        (checkpoint.os, "replace"),
        (checkpoint.shutil, "rmtree"),
        (checkpoint.Path, "rename"),
        (log, "append"),
    ):
        setattr(module, name, dying(getattr(module, name)))
    short(folder)


def run_on_a_full_disk(folder, optimizer):
    """No file may grow beyond 2,000 bytes: enough for the log, too little for tensors."""
    import resource

    sys.stdout = sys.stderr = open(os.devnull, "w")  # what is printed may end in a file, too
    finish = torch.save
    torch.save = lambda value, path: (
        resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited)),
        finish(value, path),
    )
    _, unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, unlimited))
    run(folder, optimizer)
