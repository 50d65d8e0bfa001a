"""Measure how fast text becomes batches, and how much memory that takes: `python benchmarks/data.py`.

It measures encoding with one and with two processes; training with batches that are ready, prepared ahead, or
made between steps; and the peak memory for a text and for one ten times as large.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from minibert.config import preset
from minibert.data.cache import cached_documents
from minibert.generated import World, write_documents
from minibert.readers.plain_text import stream_documents
from minibert.tokenizer import train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.corpus import count
from minibert.training.device import default_precision
from minibert.training.distributed import team
from minibert.training.feed import Shards, batches, collated, epochs
from minibert.training.optimizers import make_optimizer
from minibert.training.pretraining import bert_objective, new_model
from minibert.training.step import Step

LENGTH, ROWS = 112, 24  # tokens and sequences of a batch, as in the tour


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument(
        "--documents", type=int, default=16_000, help="documents in the text; a tenth are trained on"
    )
    p.add_argument("--rounds", type=int, default=5, help="repetitions, interleaved")
    p.add_argument(
        "--peak", nargs=3, metavar=("TEXT", "VOCAB", "CACHE"), help="print the peak memory of this process"
    )
    a = p.parse_args()
    if a.peak:
        print(peak(*a.peak))
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        text = folder / "text.txt"
        write_documents(World(0).documents(a.documents, seed=1), text)
        tokenizer = FastWordPiece(train_wordpiece(count(stream_documents(text)), 4000))
        tokenizer.save(folder / "vocab.txt")
        documents = encoding(folder, text, tokenizer, a.rounds)
        feeding(documents[: len(documents) // 10], tokenizer, a.rounds)
        memory(folder, text)


def encoding(folder, text, tokenizer, rounds):
    """Encode a text file to a cache in several ways, print the speeds, and return the cached Documents."""
    speeds = {1: [], 2: []}
    for number in range(rounds):
        for workers in speeds:
            start = time.perf_counter()
            documents = cached_documents(
                folder, f"{number} {workers}", lambda: stream_documents(text), tokenizer, workers
            )
            speeds[workers].append(documents.tokens / (time.perf_counter() - start))
    print(f"\nEncoding {documents.tokens:,} tokens, {text.stat().st_size / 2**20:.1f} MB of text")
    for workers, speed in speeds.items():
        print(f"  {workers} process{'es' * (workers > 1):2}  {spread(speed)} tokens/s", flush=True)
    return documents


def feeding(documents, tokenizer, rounds):
    """Print tokens per second for one epoch: the batches alone, and training with them in three ways."""
    objective = bert_objective(tokenizer, LENGTH)
    config = TrainConfig(steps=1, batch_size=ROWS, optimizer="muon")
    rows = Shards(objective.build, documents)
    model = new_model(preset("class", vocab_size=len(tokenizer)), objective, 0).train()
    precision = default_precision(torch.device("cpu"))
    work = Step(model, objective, make_optimizer(model, config), config, precision, team())

    def inline():
        return (batch for _, _, batch in collated(objective, epochs(rows, config, 0), 0, 1))

    def made_ahead():
        return batches(objective, rows, config, {"epoch": 0, "position": 0})

    steps = len(next(epochs(rows, config, 0))[3])
    ready = list(islice(inline(), steps))
    tokens = sum(int(batch.real.sum()) for batch in ready)
    ways = {"lie ready": lambda: iter(ready), "made ahead": made_ahead, "made between steps": inline}
    alone, seconds = [], {way: [] for way in ways}
    for number in range(rounds):
        start = time.perf_counter()
        alone.append(tokens / (sum(1 for _ in islice(inline(), steps)) and time.perf_counter() - start))
        for way in sorted(ways, key=lambda way: turn_of(way, number)):
            seconds[way].append(epoch(ways[way](), steps, work))
    print(
        f"\nFeeding one epoch of {tokens:,} tokens, {steps} batches of {ROWS} sequences; preset class, "
        f"{precision}, "
        f"{torch.get_num_threads()} threads\n  batches alone           {spread(alone)} tokens/s"
    )
    for way, times in seconds.items():
        of_ready = [ready / time for ready, time in zip(seconds["lie ready"], times)]
        print(
            f"  batches {way:18}  {spread([tokens / time for time in times])} tokens/s, "
            f"{100 * np.median(of_ready):.1f}% of the bare step"
        )


def turn_of(way, number):
    """Return a sort key for the order in this round, so that no way always comes first."""
    return np.random.default_rng([number, *way.encode()]).random()


def epoch(feed, steps, work):
    """Train for one epoch, and return the time in seconds."""
    start = time.perf_counter()
    for step, batch in enumerate(islice(feed, steps)):
        work.model.zero_grad()
        for micro_batch in work.micro_batches(batch, step):
            with work.autocast():
                means = work.objective.step(work.model, *micro_batch.to(work.model))
            work.loss_of(micro_batch, means).backward()
        work.gather()
        torch.nn.utils.clip_grad_norm_(work.model.parameters(), work.config.clip)
        work.optimizer.step()
    seconds = time.perf_counter() - start
    getattr(feed, "close", lambda: None)()
    return seconds


def memory(folder, text):
    """Print the peak memory for encoding a text and feeding one epoch of it, for two sizes of text."""
    print("\nPeak memory: encode a text, then feed an epoch", flush=True)
    much = folder / "much.txt"
    with open(much, "wb") as file:
        for _ in range(10):
            file.write(text.read_bytes() + b"\n")
    for path in (text, much):
        command = [
            sys.executable,
            __file__,
            "--peak",
            path,
            folder / "vocab.txt",
            folder / f"peak of {path.stem}",
        ]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        print(
            f"  {path.stat().st_size / 2**20:6.1f} MB of text: {result.stdout.splitlines()[-1]}", flush=True
        )


def peak(text, vocab, cache):
    """Encode a text, feed one epoch of it, and return a line about the memory that this took."""
    tokenizer = FastWordPiece.load(vocab)
    before = high_water()
    documents = cached_documents(cache, "text", lambda: stream_documents(text), tokenizer)
    encoded = high_water()
    objective = bert_objective(tokenizer, LENGTH)
    rows, state = Shards(objective.build, documents), {"epoch": 0, "position": 0}
    with closing(batches(objective, rows, TrainConfig(steps=1, batch_size=ROWS), state)) as feed:
        count = sum(1 for _ in iter(lambda: next(feed) and state["epoch"] < rows.count, False))
    return (
        f"{documents.tokens:,} tokens, {rows.count} shards, {count:,} batches; {before:.0f} MB with all "
        f"imports, {encoded:.0f} MB encoding, {high_water():.0f} MB feeding"
    )


def high_water():
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def spread(values):
    return f"{np.median(values):>11,.0f} ({min(values):,.0f} to {max(values):,.0f})"


if __name__ == "__main__":
    main()
