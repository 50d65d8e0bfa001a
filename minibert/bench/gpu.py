"""A benchmark of BERT-base on a GPU: a training step compared with Hugging Face's and with the GPU's peak.

All sequences are full, and all models multiply in bfloat16. "Compiled" means that each layer of the encoder
is compiled, for both packages.
"""

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from ..config import ModelConfig, preset
from ..tokenizer.fast import FastWordPiece
from ..training.pretraining import bert_objective
from . import material
from .clock import Spread, take_turns, times_faster
from .peers import WITHOUT, Peer, hugging_face, ours
from .products import useful_work
from .table import BenchmarkReport

BASE = preset("base")
LENGTHS = (128, 512)  # tokens per sequence
TOKENS = 32768  # per step
ROOM = 40e9  # bytes; on a card with less memory, a step has a quarter of the tokens
SIDE = 8192  # size of the square matrices whose product measures the card's rate
STEPS = 5  # per turn, because a single step is too short to time


def gpu(
    report: BenchmarkReport,
    tokenizer: FastWordPiece,
    device: torch.device,
    rounds: int = 5,
    config: ModelConfig = BASE,
    lengths: Sequence[int] = LENGTHS,
    tokens: int = TOKENS,
    side: int = SIDE,
) -> None:
    """Time training steps of BERT-base on one GPU, and add the measurements to the report.

    lengths: the sequence lengths to measure, each with batches of `tokens` tokens. side: the size of the
    square matrices that measure the GPU's peak speed.
    """
    section = f"BERT-base on a GPU, full sequences ({name_of(device)})"
    if device.type == "cuda" and torch.cuda.get_device_properties(device).total_memory < ROOM:
        tokens //= 4
    for length in lengths:
        rows = tokens // length
        batch = material.as_they_come(
            material.full_rows(tokenizer, rows, length, np.random.default_rng(0)), rows
        )[0]
        work = useful_work(config, batch.lengths, batch.predicted, read=sum(batch.lengths))
        peers: dict[str, Peer] = {}
        for compiled in (True, False) if device.type == "cuda" else (False,):
            peers |= contestants(config, bert_objective(tokenizer, length), device, compiled)
        batch = batch.to(device)
        batch.model["visible"] = None  # no padding, so no attention mask: this allows a flash kernel
        seconds = take_turns(
            {name: partial(several, peer.step, batch, device) for name, peer in peers.items()}
            | {"rate": square_product(side, device)},
            rounds,
            warm=2,
        )  # the first warm-up round compiles
        rate = 2 * side**3 / seconds.pop("rate")  # (rounds,) operations per second
        model = f"{rows} sequences of {length}"
        report.add(section, model, "bfloat16 products of large squares", Spread.of(rate / 1e12), "TFLOP/s")
        best = next(iter(peers))
        for name, some in seconds.items():
            note = (
                ""
                if name == best
                else f"{best} is {times_faster(seconds[best], some).median:.2f} times as fast"
            )
            report.add(section, model, name, Spread.of(STEPS * length * rows / some), "tokens/s", note)
            report.add(
                section,
                model,
                f"{name}: share of that rate",
                Spread.of(100 * STEPS * work / some / rate),
                "%",
            )
        if "Hugging Face" not in peers:
            report.add(section, model, "Hugging Face", None, "", WITHOUT)


def contestants(config: ModelConfig, objective: Any, device: torch.device, compiled: bool) -> dict[str, Peer]:
    """Return a dict of the models to compare, with equal weights. compiled: whether to compile the layers."""
    first = ours(config, objective, torch.bfloat16)
    found: dict[str, Peer] = {"minibert": first}
    with contextlib.suppress(ModuleNotFoundError):  # `gpu` adds a row that says so
        found["Hugging Face"] = hugging_face(first, torch.bfloat16)
    found = {name: peer.to(device) for name, peer in found.items()}
    if not compiled:
        return found
    first.module.encoder.layer_pass = torch.compile(first.module.encoder.layer_pass)
    for layer in found["Hugging Face"].module.bert.encoder.layer if "Hugging Face" in found else ():
        layer.compile()
    return {f"{name}, compiled": peer for name, peer in found.items()}


def several(step: Callable[[material.Inputs], Any], batch: material.Inputs, device: torch.device) -> None:
    for _ in range(STEPS):
        step(batch)
    wait(device)


def square_product(side: int, device: torch.device) -> Callable[[], None]:
    """Return a function that multiplies two (side, side) bfloat16 matrices and waits for the result."""
    a, b = (torch.randn(side, side, device=device, dtype=torch.bfloat16) for _ in range(2))

    def product():
        a @ b
        wait(device)

    return product


def wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def name_of(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
