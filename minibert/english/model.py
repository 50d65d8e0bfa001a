"""The English models: the published encoder, pretrained further for masked tokens, or fine-tuned for a task.

What further pretraining added to each weight is in one file, in few bits a number; a task has low-rank
adapters, and all tasks share one encoder in memory.
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
from ..model.checkpoints.tokenizer_files import load_wordpiece
from .adapter import Adapter
from .published import FILES, encoder_folder

NAME = "english"
WEIGHTS = Path(__file__).with_name("weights")
PRETRAINING = "mlm.safetensors"  # in WEIGHTS; a task's file is named after the task
TASKS = {
    "english-qa": "qa.safetensors",
    "english-ner": "ner.safetensors",
    "english-sentiment": "sentiment.safetensors",
}
BASE = FILES["model.safetensors"].sha256 or ""


def english() -> Pretrained:
    """The English model: the published weights with what was added to them. Raises EnglishMissing."""
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
    return with_pooler(model.eval(), load_wordpiece(folder / "vocab.txt"), NAME)


@torch.no_grad()
def add(encoder: Encoder, differences: Mapping[str, Tensor]) -> None:
    """Add a difference to each parameter, in place; NAME.a and NAME.b are two factors of that of NAME.

    Raises ValueError, naming it, for a parameter that is not there or has another shape.
    """
    there = dict(encoder.named_parameters())
    for name, value in differences.items():
        name, _, factor = name.partition(".weight.")
        if factor == "b":
            continue
        if factor:
            name, value = f"{name}.weight", differences[f"{name}.weight.b"] @ value
        if name not in there or there[name].shape != value.shape:
            raise ValueError(f"{name}: this encoder has no such parameter of shape {tuple(value.shape)}")
        there[name].add_(value)


@cache
def shared() -> Pretrained:
    """The published encoder and its tokenizer, read once: all tasks share them. Raises EnglishMissing."""
    return Pretrained.load(encoder_folder())


def english_task(name: str) -> Finetuned:
    """The published encoder with the adapters of a task: one of TASKS. Raises EnglishMissing."""
    base = shared()
    adapter = Adapter.load(WEIGHTS / TASKS[name])
    about = adapter.card["task"]
    task = REGISTRY[about["name"]].task(base.tokenizer, about["max_length"], **about["settings"])
    adapted = adapter.onto(base.encoder, BASE)
    model = Model(adapted, heads_for(task, "lora", adapted))
    adapter.into(model.heads)
    return Finetuned(about["name"], task, model.eval(), "lora")


def task_adapter(tuned: Finetuned, card: dict) -> Adapter:
    """The Adapter of a model that was fine-tuned with way="lora" from `shared`; card: see Adapter."""
    about = {"name": tuned.name, "max_length": tuned.task.max_length, "settings": tuned.task.settings}
    return Adapter.of(tuned.model.encoder, tuned.model.heads, BASE, {**card, "task": about})
