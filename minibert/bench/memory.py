"""Peak memory of a few training steps of one model, measured in a separate process.

python -m minibert.bench.memory CONTESTANT MODEL THREADS
"""

import sys

import numpy as np
import torch

from ..config import preset
from ..training.pretraining import bert_objective
from . import material
from .peers import HuggingFace, Peer, ours
from .run import BF16, F32, MODELS


def held(key: str) -> float:
    """Return the memory of this process in megabytes, now (key "VmRSS") or at its peak ("VmHWM").

    Raises OSError on a system without /proc.
    """
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024


def peak(contestant: str, name: str) -> float:
    """Return the peak memory of training in megabytes, minus the memory used before creating the model.

    contestant: the implementation to train, "minibert" or another. name: the model, a key of MODELS.
    """
    config, size, count, length = MODELS[name]
    tokenizer, docs = material.language(300, preset("class").vocab_size)
    objective = bert_objective(tokenizer, length)
    rows = material.natural_rows(tokenizer, docs, size * count, length, np.random.default_rng(0))
    if contestant != "minibert":
        import transformers

        make = transformers.BertForPreTraining, transformers.BertConfig(**config.to_dict())
    before = held("VmRSS")
    if contestant == "minibert":
        peer: Peer = ours(config, objective)
        feed = material.by_length(rows, size)
    else:
        peer = HuggingFace(make[0](make[1]).train(), BF16 if contestant.endswith("bf16") else F32)
        feed = material.as_they_come(rows, size)
    for batch in feed:
        peer.step(batch)
    return held("VmHWM") - before


if __name__ == "__main__":
    torch.set_num_threads(int(sys.argv[3]))
    print(f"{peak(sys.argv[1], sys.argv[2]):.0f}")
