"""Two registers of English, and a model that is pretrained further on one of them.

The registers are questions to a bank (Casanueva et al., 2020, arXiv 2003.04807) and sentences of film reviews
(Pang and Lee, 2005). The English model has read neither. After further pretraining on one register, it is
scored on held-out sentences of both: the other register shows whether the gain belongs to the register, or
to training as such. Both are trained on as many sentences in the same number of steps.
"""

import copy
import csv
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from minibert.data.batch import IGNORE
from minibert.data.languages import fertility
from minibert.english.model import english
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.objectives import MLM
from minibert.readers.sentiment import iter_sst2
from minibert.training.config import TrainConfig
from minibert.training.loop import train

REGISTERS = ("bank", "films")
NEITHER = "neither"  # the English model as it is
WORDS = range(6, 26)  # of a sentence
TRAIN, TEST, LONGEST = 1200, 240, 40  # sentences, and tokens of a sentence
STEPS, BATCH, RATE = 40, 16, 1e-4
TEST_SEED, SHARE = 14, 0.15  # of the tokens are masked in the test


def bank_questions(path: Path) -> list[str]:
    """Return the questions of a CSV file with columns `text` and `category`."""
    with open(path, encoding="utf-8", newline="") as file:
        return [" ".join(row["text"].split()) for row in csv.DictReader(file)]


@cache
def sentences(data: Path, register: str, part: str) -> list[str]:
    """Return sentences without labels, in an order that is the same for each run. part: "train" or "test"."""
    if register == "bank":
        found = bank_questions(data / "cls" / "banking77" / f"{part}.csv")
    else:
        name = {"train": "train", "test": "dev"}[part]
        found = [one.first for one in iter_sst2(data / "cls" / "sentence_polarity" / f"{name}.pos")]
    found = [text.lower() for text in found if len(text.split()) in WORDS]
    order = np.random.default_rng(TEST_SEED).permutation(len(found))
    return [found[i] for i in order[: TRAIN if part == "train" else TEST]]


def objective(model: Pretrained) -> MLM:
    return MLM(model.tokenizer.specials, len(model.tokenizer), LONGEST)


def rows(model: Pretrained, texts: list[str]) -> list[tuple[list[int], None]]:
    return [(model.tokenizer.encode(text).ids[: LONGEST - 2], None) for text in texts]


@torch.no_grad()
def right(model: Pretrained, net: Any, texts: list[str]) -> float:
    """Return how many masked tokens are predicted correctly, in percent; the masks are always the same."""
    size = len(model.tokenizer)
    mlm = MLM(model.tokenizer.specials, size, LONGEST, rate=SHARE, to_mask=1, to_random=0)
    inputs, labels = mlm.corrupt(mlm.collate(rows(model, texts)), np.random.default_rng(TEST_SEED))
    wanted = torch.from_numpy(labels["tokens"])
    chosen: Tensor = wanted != IGNORE  # (B, T)
    given = {name: torch.from_numpy(value) for name, value in inputs.items()}
    logits = net.eval()(**given, counted=chosen)["tokens"]
    return 100 * float((logits.argmax(-1) == wanted[chosen]).float().mean())


def register_run(
    data: Path, register: str, seed: int, steps: int = STEPS, model: Pretrained | None = None
) -> dict[str, Any]:
    """Pretrain the English model further, and return its scores on both registers, and their fertility.

    register: that it reads, one of REGISTERS or NEITHER.
    """
    model = model or english()
    net = copy.deepcopy(model.model)
    if register != NEITHER:
        read = rows(model, sentences(data, register, "train"))
        config = TrainConfig(steps=steps, batch_size=BATCH, peak_rate=RATE, seed=seed)
        train(net, objective(model), lambda rng: (read, None), config, progress=False, precision="float32")
    tested = {name: sentences(data, name, "test") for name in REGISTERS}
    return {
        "right": {name: round(right(model, net, texts), 2) for name, texts in tested.items()},
        "fertility": {
            name: round(fertility(lambda text: model.tokenizer.encode(text).ids, texts), 3)
            for name, texts in tested.items()
        },
    }
