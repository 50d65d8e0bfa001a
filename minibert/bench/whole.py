"""Benchmarks beyond the training step: the loop with its data, the time to an accuracy, and memory."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np
import torch

from ..config import ModelConfig
from ..model import Model
from ..model.checkpoints.published import load_model
from ..tokenizer.fast import FastWordPiece
from ..training.ahead import ahead
from ..training.config import TrainConfig
from ..training.feed import AHEAD, order
from ..training.loop import train
from ..training.pretraining import bert_objective, evaluate_pretraining
from . import material
from .clock import Spread, take_turns
from .peers import WITHOUT, Peer, hugging_face, ours
from .table import BenchmarkReport

Setting = tuple[ModelConfig, int, int, int]  # a value of `MODELS` in run.py
STEPS = 16  # in one round of the pipeline
TARGET, EVERY, MOST = 20.0, 50, 2000  # accuracy in percent; steps between evaluations; most steps
HELD_OUT = 60  # documents


class Recorded:
    """A wrapper of a pretraining objective that records the batches passed to it."""

    def __init__(self, objective):
        self.objective, self.batches = objective, []

    def __getattr__(self, name):
        return getattr(self.objective, name)

    def corrupt(self, batch: Any, rng: np.random.Generator) -> Any:
        self.batches.append(batch)
        return self.objective.corrupt(batch, rng)


def pipeline(
    report: BenchmarkReport, name: str, model: Setting, tokenizer: FastWordPiece, docs: list[Any], rounds: int
) -> None:
    """Time the complete training loop, from documents to the log, and its training steps alone."""
    config, size, _, length = model
    objective = Recorded(bert_objective(tokenizer, length))
    peer = ours(config, objective.objective)
    settings = TrainConfig(steps=STEPS, batch_size=size)
    built, _ = objective.build(docs, np.random.default_rng(0))
    docs = docs[: -(-STEPS * size * len(docs) // len(built))]  # about one epoch in STEPS steps

    def loop():
        objective.batches.clear()
        train(
            peer.module,
            objective,
            partial(objective.build, docs),
            settings,
            precision=peer.precision,
            progress=False,
        )
        peer.module.train()

    loop()  # the seed is fixed, so each round has the batches of this call
    rng = np.random.default_rng(0)
    rows = [material.corrupted(objective.objective, batch, rng) for batch in objective.batches]
    bare = [material.inputs(part, range(len(part.pairs)), 1) for part in rows]
    seconds = take_turns({"loop": loop, "bare": lambda: [peer.step(batch).item() for batch in bare]}, rounds)
    tokens = sum(sum(batch.lengths) for batch in bare)
    section = "Whole pipeline: sequences, masks, batches, steps, log"
    report.add(section, name, "minibert", Spread.of(tokens / seconds["loop"]), "tokens/s")
    report.add(
        section,
        name,
        "minibert, share of the bare step",
        Spread.of(100 * seconds["bare"] / seconds["loop"]),
        "%",
        f"{STEPS} steps, about an epoch: its sequences are packed in each round",
    )


def endless(
    objective: Any, docs: list[Any], size: int, like_lengths: bool
) -> Generator[material.Inputs, None, None]:
    """Yield random batches of `size` sequences endlessly, made from documents.

    like_lengths: whether the sequences of a batch have similar lengths.
    """
    rng, multiple = np.random.default_rng(0), material.MULTIPLE if like_lengths else 1
    while True:
        rows, labels = objective.build(docs, rng)
        groups = (
            order(rows, size, rng)
            if like_lengths
            else np.array_split(rng.permutation(len(rows)), len(rows) // size)
        )
        for chosen in groups:
            batch = objective.collate([rows[i] for i in chosen], [labels[i] for i in chosen])
            yield material.inputs(material.corrupted(objective, batch, rng), range(len(chosen)), multiple)


def seconds_to_target(
    peer: Peer, feed: Generator[material.Inputs, None, None], score: Callable[[Any], float]
) -> tuple[float, int] | None:
    """Return (seconds, steps) of training until `score(module)` reaches TARGET, or None if it never does.

    feed: a generator of batches, which are prepared ahead. Evaluations are not timed.
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
    return None


def masked_words_right(module: Any, objective: Any, tokenizer: FastWordPiece, docs: list[Any]) -> float:
    """Return the percentage of masked tokens of held-out documents that are predicted correctly."""
    with tempfile.TemporaryDirectory() as folder:
        if not isinstance(module, Model):
            module.save_pretrained(folder)
        model = module if isinstance(module, Model) else load_model(folder, objective.heads)
        result = evaluate_pretraining(model, tokenizer, docs, objective.max_length)["mlm"]
    module.train()
    return result


def accuracy(
    report: BenchmarkReport, name: str, model: Setting, tokenizer: FastWordPiece, docs: list[Any]
) -> None:
    """Time training until TARGET percent of masked tokens are predicted correctly."""
    section, (config, size, _, length) = f"Seconds to {TARGET:.0f}% masked-token accuracy", model
    objective, found = bert_objective(tokenizer, length), []
    first = ours(config, objective)
    peers: dict[str, Peer] = {"minibert": first}
    try:
        peers["Hugging Face, default (float32)"] = hugging_face(first, torch.float32)
    except ModuleNotFoundError:
        report.add(section, name, "Hugging Face", None, "", WITHOUT)
    for contestant, peer in peers.items():
        result = seconds_to_target(
            peer,
            endless(objective, docs[HELD_OUT:], size, contestant == "minibert"),
            partial(masked_words_right, objective=objective, tokenizer=tokenizer, docs=docs[:HELD_OUT]),
        )
        if result is None:
            report.add(section, name, contestant, None, "", f"not reached in {MOST} steps")
            return
        found.append(result[0])
        report.add(section, name, contestant, Spread.of(found[-1:]), "s", f"{result[1]} steps, one run")
    if len(found) == 2:
        ratio = Spread.of([found[1] / found[0]])
        report.add(section, name, "minibert over Hugging Face's default", ratio, "times", "one run each")


def memory(report: BenchmarkReport, models: Sequence[str]) -> None:
    """Measure the peak memory of training, with each compared model in a separate process."""
    section = "Peak memory of training, in addition to that used before the model was built"
    for name in models:
        for contestant in ("minibert", "hugging-face", "hugging-face-bf16"):
            command = [sys.executable, "-m", "minibert.bench.memory", contestant, name]
            done = subprocess.run([*command, str(torch.get_num_threads())], capture_output=True, text=True)
            if done.returncode:
                reason = (done.stderr.strip() or "failed").splitlines()[-1]
                report.add(section, name, contestant, None, "", reason)
            else:
                value = float(done.stdout.split()[-1])
                report.add(section, name, contestant, Spread(value, value, value), "MB")
