"""Measure BERT-base on a CUDA GPU: compared with Hugging Face, in several precisions, and attention kernels.

    PYTHONPATH=. python benchmarks/gpu.py        # writes gpu.json and gpu.md; a few minutes

Nothing else should use the GPU meanwhile.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import places
import torch
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from minibert.bench import material
from minibert.bench.clock import Spread, take_turns, times_faster
from minibert.bench.gpu import gpu, name_of, wait
from minibert.bench.table import BenchmarkReport
from minibert.config import preset
from minibert.training.config import TrainConfig
from minibert.training.device import choose_device
from minibert.training.loop import train
from minibert.training.pretraining import bert_objective, new_model

STEPS, FIRST = 16, 4  # steps of a run, and the number of first steps that are not timed, because they compile
WAYS = {
    "float32": (torch.float32, {}),
    "float16": (torch.float16, {}),
    "bfloat16": (torch.bfloat16, {}),
    "bfloat16, compiled": (torch.bfloat16, {"compile": True}),
    "bfloat16, accumulated over 4 parts": (torch.bfloat16, {"accumulate": 4}),
    "bfloat16, layers recomputed": (torch.bfloat16, {"recompute": True}),
    "bfloat16, Muon": (torch.bfloat16, {"optimizer": "muon", "muon_share": 1.0}),
}
SHAPE = (64, 12, 512, 64)  # sequences, heads, tokens, head size: a batch of BERT-base
KERNELS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
    "the formula, kernel by kernel": SDPBackend.MATH,
}


def full_pairs(tokenizer, count, length, rng):
    """Return `count` full pairs of random ids and their labels, so that all steps have the same shapes."""
    ids = rng.integers(len(tokenizer.specials.ids), len(tokenizer), (count, length - 3))
    return [(row[: length // 2].tolist(), row[length // 2 :].tolist()) for row in ids], rng.integers(
        0, 2, count
    ).tolist()


def ways(report, tokenizer, device, config, rows, length):
    """Report the speed, memory and loss of our training loop for each way to compute the same steps."""
    objective = bert_objective(tokenizer, length)
    section = f"Our training loop, {rows} sequences a step ({name_of(device)})"
    still = config.replace(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    for name, (precision, options) in WAYS.items():
        model = new_model(still, objective, 0).to(device)
        if device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(device)
        settings = TrainConfig(**{"steps": STEPS, "batch_size": rows, "peak_rate": 1e-4, **options})
        log = train(
            model,
            objective,
            lambda rng: full_pairs(tokenizer, rows * STEPS, length, rng),
            settings,
            precision=precision,
            progress=False,
        )
        speeds = np.array([entry["tokens"] / entry["seconds"] for entry in log[FIRST:]])
        memory = torch.cuda.max_memory_allocated(device) / 1e9 if device.type == "cuda" else 0.0
        report.add(
            section,
            f"{length} tokens",
            name,
            Spread.of(speeds),
            "tokens/s",
            f"{memory:.1f} GB at most; loss {log[0]['loss']:.4f}, then {log[-1]['loss']:.4f}",
        )
        del model


def attention(report, device, rounds):
    """Report the time of each attention kernel, forward and backward."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(SHAPE, device=device, dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
    mask = torch.ones(SHAPE[0], 1, SHAPE[2], SHAPE[2], dtype=torch.bool, device=device)

    def both_ways(kernel, mask=None):
        with sdpa_kernel(kernel):
            F.scaled_dot_product_attention(q, k, v, mask).sum().backward()
        wait(device)

    runs = {name: partial(both_ways, kernel) for name, kernel in KERNELS.items()}
    runs["memory-efficient, with a mask"] = partial(both_ways, SDPBackend.EFFICIENT_ATTENTION, mask)
    seconds = take_turns(runs, rounds, warm=2)
    shape = "{} sequences, {} heads, {} tokens, {} numbers a head".format(*SHAPE)
    for name, some in seconds.items():
        ratio = times_faster(seconds["flash"], some).median
        report.add(
            f"Attention, forward and backward ({name_of(device)})",
            shape,
            name,
            Spread.of(1e3 * some),
            "ms",
            "" if name == "flash" else f"flash is {ratio:.1f} times as fast",
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=places.RESULTS)
    parser.add_argument("--device", default="cuda", help="cuda (default), or cpu to try the script")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--config", default="base", help="base (default), or a smaller one to try the script")
    parser.add_argument("--rows", type=int, default=256, help="sequences per step")
    a = parser.parse_args()
    device, config = choose_device(a.device), preset(a.config)
    report = BenchmarkReport(a.out, "gpu")
    tokenizer, _ = material.language(1500, preset("class").vocab_size)
    attention(report, device, a.rounds)
    for length, rows in ((128, a.rows), (512, a.rows // 4)):
        ways(report, tokenizer, device, config, rows, length)
    gpu(report, tokenizer, device, a.rounds, config=config, tokens=a.rows * 128)


if __name__ == "__main__":
    main()
