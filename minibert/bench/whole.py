"""Beyond the step: the loop with its data, the time to an accuracy, and memory."""
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial

import numpy as np
import torch

from ..model import Model, load_pretrained
from ..training import TrainConfig, bert_objective, evaluate_pretraining, train
from ..training.ahead import ahead
from ..training.feed import AHEAD, order
from . import material
from .clock import Spread, take_turns
from .peers import WITHOUT, hugging_face, ours

STEPS = 16                                                  # of one round of the pipeline
TARGET, EVERY, MOST = 20.0, 50, 2000  # accuracy in percent; steps between evaluations, and at most
HELD_OUT = 60                                               # documents


class Recorded:
    """An objective that remembers the batches it was given."""

    def __init__(self, objective):
        self.objective, self.batches = objective, []

    def __getattr__(self, name):
        return getattr(self.objective, name)

    def prepare(self, batch, rng):
        self.batches.append(batch)
        return self.objective.prepare(batch, rng)


def pipeline(report, name, model, tokenizer, docs, rounds):
    """The whole loop, from documents to the log, against the bare step on the very batches it had."""
    config, size, _, length = model
    task = Recorded(bert_objective(tokenizer, length))
    peer = ours(config, task.objective)
    settings = TrainConfig(steps=STEPS, batch_size=size)
    rows, _ = task.build(docs, np.random.default_rng(0))
    # an epoch of about as many steps: each pays for its rows
    docs = docs[:-(-STEPS * size * len(docs) // len(rows))]

    def loop():
        task.batches.clear()
        train(peer.module, task, partial(task.build, docs), settings, precision=peer.precision,
              progress=False)
        peer.module.train()
    loop()                                                  # the seed decides: each round has these batches
    rng = np.random.default_rng(0)
    rows = [material.corrupted(task.objective, batch, rng) for batch in task.batches]
    bare = [material.inputs(part, range(len(part.pairs)), 1) for part in rows]
    seconds = take_turns({"loop": loop, "bare": lambda: [peer.step(batch).item() for batch in bare]}, rounds)
    tokens = sum(sum(batch.lengths) for batch in bare)
    section = "Whole pipeline: rows, masks, batches, steps, log"
    report.add(section, name, "minibert", Spread.of(tokens / seconds["loop"]), "tokens/s")
    report.add(section, name, "minibert, share of the bare step",
               Spread.of(100 * seconds["bare"] / seconds["loop"]), "%",
               f"{STEPS} steps, about an epoch: its rows are packed in each round")


def endless(objective, docs, size, like_lengths):
    """Fresh Inputs for ever: epochs of rows in random order, those of like length together or as they
    come.
    """
    rng, multiple = np.random.default_rng(0), material.MULTIPLE if like_lengths else 1
    while True:
        rows, labels = objective.build(docs, rng)
        groups = order(rows, size, rng) if like_lengths else np.array_split(rng.permutation(len(rows)),
                                                                            len(rows) // size)
        for chosen in groups:
            batch = objective.collate([rows[i] for i in chosen], [labels[i] for i in chosen])
            yield material.inputs(material.corrupted(objective, batch, rng), range(len(chosen)), multiple)


def seconds_to_target(peer, feed, score):
    """(seconds, steps) of training until `score(module)` reaches TARGET, evaluations not counted; None where
    it never does.

    Batches are made ahead, as our loop makes them, for whoever trains.
    """
    spent, start = 0.0, time.perf_counter()
    with closing(ahead(feed, AHEAD)) as batches:
        for number, batch in enumerate(batches, 1):
            peer.step(batch)
            if number % EVERY == 0:
                spent += time.perf_counter() - start
                if score(peer.module) >= TARGET:
                    return spent, number
                if number >= MOST:
                    return None
                start = time.perf_counter()


def hidden_words_right(module, objective, tokenizer, docs):
    """Percent of the hidden words of held-out documents; a model of Hugging Face is read by way of its
    files.
    """
    with tempfile.TemporaryDirectory() as folder:
        if not isinstance(module, Model):
            module.save_pretrained(folder)
        model = module if isinstance(module, Model) else load_pretrained(folder, objective.heads)
        result = evaluate_pretraining(model, tokenizer, docs, objective.max_length)["mlm"]
    module.train()
    return result


def accuracy(report, name, model, tokenizer, docs):
    """Time until TARGET percent of the hidden words of held-out documents are right; evaluations do not
    count.
    """
    section, (config, size, _, length) = f"Seconds to {TARGET:.0f}% of hidden words right", model
    objective, found = bert_objective(tokenizer, length), []
    first = ours(config, objective)
    peers = {"minibert": first}
    try:
        peers["Hugging Face, default (float32)"] = hugging_face(first, torch.float32)
    except ModuleNotFoundError:
        report.add(section, name, "Hugging Face", None, "", WITHOUT)
    for contestant, peer in peers.items():
        result = seconds_to_target(peer, endless(objective, docs[HELD_OUT:], size, contestant == "minibert"),
                                   partial(hidden_words_right, objective=objective, tokenizer=tokenizer,
                                           docs=docs[:HELD_OUT]))
        if result is None:
            report.add(section, name, contestant, None, "", f"not reached in {MOST} steps")
            return
        found.append(result[0])
        report.add(section, name, contestant, Spread.of(found[-1:]), "s", f"{result[1]} steps, one run")
    if len(found) == 2:
        ratio = Spread.of([found[1] / found[0]])
        report.add(section, name, "minibert over Hugging Face's default", ratio, "times", "one run each")


def memory(report, models):
    """Peak memory of training, each contestant in a process of its own."""
    section = "Peak memory of training, above what the process held before the model"
    for name in models:
        for contestant in ("minibert", "hugging-face", "hugging-face-bf16"):
            done = subprocess.run([sys.executable, "-m", "minibert.bench.memory", contestant, name,
                                   str(torch.get_num_threads())],
                                  capture_output=True, text=True)
            if done.returncode:
                report.add(section, name, contestant, None, "",
                           (done.stderr.strip() or "failed").splitlines()[-1])
            else:
                value = float(done.stdout.split()[-1])
                report.add(section, name, contestant, Spread(value, value, value), "MB")
