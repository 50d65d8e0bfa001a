"""The English models: a published encoder, pretrained further on masked tokens or fine-tuned for a task.

The weight changes from further pretraining are quantised and stored in one file. Each task has low-rank
adapters, and all share one encoder in memory.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from ..finetuning.approaches import heads_for
from ..finetuning.finetuned import Finetuned
from ..finetuning.registry import REGISTRY
from ..model import ClassifierHead, Encoder, Model, TokenHead
from ..model.checkpoints.pretrained import Pretrained, with_pooler
from ..model.checkpoints.published import load_model
from ..tokenizer.fast import FastWordPiece
from .adapter import Adapter
from .published import FILES, encoder_folder

NAME = "english"
WEIGHTS = Path(__file__).with_name("weights")
PRETRAINING = "mlm.safetensors"  # in WEIGHTS; the files of the tasks are named after the task
TASKS = {
    "english-qa": "qa.safetensors",
    "english-ner": "ner.safetensors",
    "english-sentiment": "sentiment.safetensors",
}
BASE = FILES["model.safetensors"].sha256 or ""


def english() -> Pretrained:
    """Load the published English encoder, pretrained further. Raises EnglishMissing if it is unavailable."""
    adapter = Adapter.load(WEIGHTS / PRETRAINING)
    adapter.check(BASE)
    folder = encoder_folder()
    encoder = load_model(folder).encoder
    add(encoder, adapter.encoder)
    model = Model(
        encoder,
        {
            "tokens": TokenHead(encoder.config, encoder.embeddings.word),
            "pair": ClassifierHead(encoder.config, 2),
        },
    )
    adapter.into(model.heads)
    return with_pooler(model.eval(), FastWordPiece.load(folder / "vocab.txt"), NAME)


@torch.no_grad()
def add(encoder: Encoder, differences: Mapping[str, Tensor]) -> None:
    """Add differences to the parameters of an encoder, in place.

    NAME.a and NAME.b are the two factors of a low-rank difference for NAME. Raises ValueError, naming the
    parameter, if it does not exist or has another shape.
    """
    there = dict(encoder.named_parameters())
    for name, value in differences.items():
        name, _, factor = name.partition(".weight.")
        if factor == "b":
            continue
        if factor:
            name, value = f"{name}.weight", differences[f"{name}.weight.b"] @ value
        if name not in there or there[name].shape != value.shape:
            raise ValueError(f"this encoder has no parameter {name} of shape {tuple(value.shape)}")
        there[name].add_(value)


@cache
def shared() -> Pretrained:
    """Load the published encoder and its tokenizer once, for all tasks to share."""
    return Pretrained.load(encoder_folder())


def english_task(name: str) -> Finetuned:
    """Load the English model of a task, such as "english-ner"."""
    base = shared()
    adapter = Adapter.load(WEIGHTS / TASKS[name])
    about = adapter.card["task"]
    task = REGISTRY[about["name"]].task(base.tokenizer, about["max_length"], **about["settings"])
    adapted = adapter.onto(base.encoder, BASE)
    model = Model(adapted, heads_for(task, "lora", adapted))
    adapter.into(model.heads)
    return Finetuned(about["name"], task, model.eval(), "lora")


def task_adapter(tuned: Finetuned, card: dict) -> Adapter:
    """Return the Adapter of a fine-tuned English model. card: details of its training and its scores."""
    about = {"name": tuned.name, "max_length": tuned.task.max_length, "settings": tuned.task.settings}
    return Adapter.of(tuned.model.encoder, tuned.model.heads, BASE, {**card, "task": about})
