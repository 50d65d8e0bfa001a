"""BERT-base on a GPU: the training step beside Hugging Face's in the same settings, and the share of the card's bfloat16 rate.

Full rows: nothing is padding for anyone. All multiply in bfloat16 by autocast; compiled means each layer of the trunk, as our loop
does it, on both sides.
"""
from functools import partial

import numpy as np
import torch

from ..config import preset
from ..training import bert_objective
from . import material
from .clock import Spread, take_turns, times_faster
from .peers import hugging_face, ours
from .products import useful_work

BASE = preset("base")
TOKENS = {128: 32768, 512: 32768}           # of a step, by the length of its rows
ROOM = 40e9                                 # bytes of a card below which a step has a quarter of them
SIDE = 8192                                 # of the square matrices whose product is the card's rate
STEPS = 5                                   # of one turn: a single one is too short to time


def gpu(report, tokenizer, device, rounds=5, config=BASE, tokens=TOKENS, side=SIDE):
    """Adds the rows of one card to the Report. tokens: {tokens of a row: tokens of a step}."""
    section = f"BERT-base on a GPU, full rows ({name_of(device)})"
    share = 1 if device.type != "cuda" or torch.cuda.get_device_properties(device).total_memory > ROOM else 4
    for length, count in tokens.items():
        rows = count // share // length
        batch = material.as_they_come(material.full_rows(tokenizer, rows, length, np.random.default_rng(0)), rows)[0]
        work = useful_work(config, batch.lengths, batch.predicted)
        peers = contestants(config, bert_objective(tokenizer, length), device)
        batch = batch.to(device)
        seconds = take_turns({name: partial(several, peer.step, batch, device) for name, peer in peers.items()}
                             | {"rate": square_product(side, device)}, rounds, warm=2)     # compiled in the first
        rate = 2 * side**3 / seconds.pop("rate")                                            # (rounds,) operations a second
        model = f"{rows} rows of {length}"
        report.add(section, model, "bfloat16 products of large squares", Spread.of(rate / 1e12), "TFLOP/s")
        best = next(iter(peers))
        for name, some in seconds.items():
            note = "" if name == best else f"{best} is {times_faster(seconds[best], some).median:.2f} times as fast"
            report.add(section, model, name, Spread.of(STEPS * length * rows / some), "tokens/s", note)
            report.add(section, model, f"{name}: share of that rate", Spread.of(100 * STEPS * work / some / rate), "%")


def contestants(config, objective, device):
    """{name: Peer} of the same weights; on a GPU compiled, and without."""
    def pair():
        first = ours(config, objective, torch.bfloat16)
        theirs = hugging_face(first, torch.bfloat16)
        return first.to(device), theirs.to(device)
    mine, theirs = pair()
    found = {"minibert, compiled": mine, "Hugging Face, compiled": theirs} if device.type == "cuda" else {}
    if found:
        for layer in [*mine.module.encoder.layers, *theirs.module.bert.encoder.layer]:
            layer.compile()
        mine, theirs = pair()
    return found | {"minibert": mine, "Hugging Face": theirs}


def several(step, batch, device):
    """STEPS steps, to their end."""
    for _ in range(STEPS):
        step(batch)
    wait(device)


def square_product(side, device):
    """() -> one product of two square matrices in bfloat16, to its end."""
    a, b = (torch.randn(side, side, device=device, dtype=torch.bfloat16) for _ in range(2))

    def product():
        a @ b
        wait(device)
    return product


def wait(device):
    """Until the device has done what it was given."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def name_of(device):
    """The card's name, or the processor."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
