"""The settings for fine-tuning that lesson 6 compares; `benchmarks/sizes.py` stores their scores."""

import copy
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any

import torch

from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.model import Encoder
from minibert.tokenizer import WordPiece

from ..models.class_model import WORLD_SEED

LABELLED, HELD_OUT = 1000, 500  # sentences to learn from, and in the dev and in the test set
STEPS = 300
SEEDS = range(5)
SCRATCH = "from scratch"
SETTINGS: dict[str, dict[str, Any]] = {
    f"{SCRATCH}, 3e-4": {"peak_rate": 3e-4},
    f"{SCRATCH}, 1e-3": {"peak_rate": 1e-3},
    f"{SCRATCH}, 3e-3": {"peak_rate": 3e-3},
    "frozen, head 3e-3": {"peak_rate": 3e-3, "approach": "frozen"},
    "all, 1e-4": {"peak_rate": 1e-4},
    "all, 1e-3": {"peak_rate": 1e-3},
    "all, 1e-2": {"peak_rate": 1e-2},
    "encoder 1e-3, head 3e-3": {"peak_rate": 3e-3, "encoder_rate": 1e-3},
}


@cache
def sentences(split: str) -> list[Any]:
    """Return labelled sentences of the generated language, acceptable or not; split: train, dev or test."""
    count = LABELLED if split == "train" else HELD_OUT
    with TemporaryDirectory() as folder:
        (path,) = write_files(World(WORLD_SEED), count, 1, split, ["cola"], folder)
        return read_examples("cola", path)


def tuned(model: Any, tokenizer: WordPiece, setting: str, seed: int, **length: Any) -> Finetuned:
    """Return a copy of a pretrained model, or of its layers with random weights, fine-tuned on the sentences.

    model: with the heads of pretraining. setting: one of the SETTINGS. length: `steps` or `epochs`.
    """
    scratch = setting.startswith(SCRATCH)
    torch.manual_seed(seed)
    return finetune(
        "cola",
        Encoder(model.encoder.config) if scratch else copy.deepcopy(model.encoder),
        tokenizer,
        sentences("train"),
        seed=seed,
        pooler=None if scratch else model.heads["pair"].pooler,
        progress=False,
        precision=torch.float32,
        **length,
        **SETTINGS[setting],
    )[0]


def matthews(model: Finetuned, split: str) -> float:
    """Return the Matthews correlation on the dev or test sentences, from -100 to 100."""
    examples = sentences(split)
    return model.task.metric(examples, model.task.answer(model.model, examples))["Matthews"]
