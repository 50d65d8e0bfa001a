"""Compare training speed (tokens per second) of one and several processes, in turns, on the same batches.

    python benchmarks/scaling.py --processes 1 2 --rounds 3

The losses must therefore be equal. All runs share the same cores. One process with a single thread shows the
best that all cores together could reach. The work that every process repeats, and the time of the sums that
they wait for, are measured separately.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import torch

from minibert.config import preset
from minibert.data.batch import Specials
from minibert.generated import World
from minibert.objectives import MLM, NSP, Sum
from minibert.training.config import TrainConfig
from minibert.training.distributed import join
from minibert.training.loop import train
from minibert.training.pretraining import new_model
from minibert.training.threads import cores

WARM = 5  # first steps, which are not timed: memory is allocated and kernels are chosen
ROOT = Path(__file__).resolve().parent.parent


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    p.add_argument("--rounds", type=int, default=3, help="number of rounds (default: %(default)s)")
    p.add_argument("--steps", type=int, default=25, help="timed steps per turn (default: %(default)s)")
    p.add_argument("--preset", default="class", help="size of the model (default: %(default)s)")
    p.add_argument(
        "--batch-size", type=int, default=32, help="sequences of the global batch (default: %(default)s)"
    )
    p.add_argument(
        "--max-length", type=int, default=128, help="maximum tokens per sequence (default: %(default)s)"
    )
    p.add_argument(
        "--precision",
        default="float32",
        choices=["float32", "bfloat16"],
        help="equal losses are most visible in float32",
    )
    p.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    return p.parse_args()


def documents():
    """Return documents as lists of sentences of ids, and the number of ids; each word is a token."""
    texts = [document.sentences for document in World(0).documents(400, seed=1)]
    words = sorted({word for text in texts for sentence in text for word in sentence.split()})
    ids = {word: number for number, word in enumerate(words, len(Specials().ids))}
    encoded = [[[ids[word] for word in sentence.split()] for sentence in text] for text in texts]
    return encoded, len(ids) + len(Specials().ids)


def work(a):
    """Run one process; the first one prints its measurements as JSON."""
    us = join("cpu")
    docs, vocab_size = documents()
    objective = Sum(NSP(Specials(), vocab_size, a.max_length), MLM(Specials(), vocab_size, a.max_length))
    config = preset(
        a.preset, vocab_size=vocab_size, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    model = new_model(config, objective, seed=0)
    log = train(
        model,
        objective,
        lambda rng: objective.build(docs, rng),
        TrainConfig(a.steps + WARM, a.batch_size),
        precision=getattr(torch, a.precision),
        progress=False,
    )
    rows, labels = objective.build(docs, np.random.default_rng(0))
    some = rows[: a.batch_size], labels[: a.batch_size]
    draw = milliseconds(lambda: objective.corrupt(objective.collate(*some), np.random.default_rng(0)))
    send = milliseconds(lambda: us.sum(model, torch.zeros(1)))
    print(
        json.dumps(
            {
                "losses": [entry["loss"] for entry in log],
                "draw": draw,
                "send": send,
                "threads": torch.get_num_threads(),
                "speed": sum(e["tokens"] for e in log[WARM:]) / sum(e["seconds"] for e in log[WARM:]),
                "step": 1000 * statistics.median(e["seconds"] for e in log[WARM:]),
                "parameters": sum(p.numel() for p in model.parameters()),
            }
        )
    )


def milliseconds(call, times=15):
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def turn(processes, threads):
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        str(processes),
        __file__,
        *sys.argv[1:],
        "--work",
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    a = arguments()
    if a.work:
        work(a)
        return
    kinds = list(dict.fromkeys([(1, 1), *((n, max(1, cores() // n)) for n in a.processes)]))
    results = {kind: [] for kind in kinds}
    for number in range(a.rounds):
        for kind in kinds:
            results[kind].append(turn(*kind))
            print(
                f"round {number + 1}: {kind[0]} x {kind[1]}: {results[kind][-1]['speed']:,.0f} tokens/s",
                file=sys.stderr,
            )
    report(a, results)


def report(a, results):
    """Print the table; losses and speeds are compared with the first entry.

    results: {(processes, threads): measurements of each turn}.
    """
    first, *_ = results.values()
    print(
        f"{cores()} cores, {platform.machine()}, PyTorch {torch.__version__}; {a.preset}, {a.precision}, "
        f"{first[0]['parameters'] / 1e6:.1f}M parameters; {a.batch_size} sequences of at most "
        f"{a.max_length} tokens; {a.rounds} rounds\n"
    )
    print(
        "| processes x threads | tokens/s: median (least, most) | times as fast | step | drawn by all | "
        "sums | losses apart |"
    )
    print("|---|---|---|---|---|---|---|")
    alone = median(first, "speed")
    for (processes, threads), turns in results.items():
        speeds = [turn["speed"] for turn in turns]
        apart = max(abs(x / y - 1) for turn in turns for x, y in zip(turn["losses"], first[0]["losses"]))
        print(
            f"| {processes} x {threads} | {median(turns, 'speed'):,.0f} ({min(speeds):,.0f}, "
            f"{max(speeds):,.0f}) "
            f"| {median(turns, 'speed') / alone:.2f} | {median(turns, 'step'):.0f} ms | "
            f"{median(turns, 'draw'):.1f} ms "
            f"| {median(turns, 'send'):.1f} ms | {apart:.1e} |"
        )


def median(turns, name):
    return statistics.median(turn[name] for turn in turns)


if __name__ == "__main__":
    main()
