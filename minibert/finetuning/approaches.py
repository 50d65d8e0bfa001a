"""The ways to use a pretrained encoder: train it with the head, add to it, freeze it, or read its layers.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7; lora: see `minibert.model.low_rank`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from torch import nn

from ..model import Encoder, Model
from ..tasks.base import Task
from .features import LAYERS, feature_heads
from .frozen import frozen
from .partial_embedding import train_shown_embeddings

# the encoder is only read: frozen, by the task's head alone; LAYERS, by a BiLSTM on some layers
FEATURE_BASED = ("frozen", *LAYERS)
# full: all weights are trained; lora: low-rank adapters
NAMES = ("full", "lora", *FEATURE_BASED)
RANK = 8  # of the adapters; Hu et al. (2022, arXiv 2106.09685), section 7.2, find small ones enough


def check_approach(approach: str, encoder_rate: float | None = None, layer_decay: float = 1.0) -> None:
    """Raise ValueError for an unknown approach, and for learning rates of an encoder that is not trained."""
    if approach not in NAMES:
        raise ValueError(f"unknown approach {approach!r}; known approaches: {', '.join(NAMES)}")
    if approach not in ("full", "lora") and (encoder_rate is not None or layer_decay != 1.0):
        raise ValueError(
            f"approach {approach!r} does not train the encoder: encoder_rate and layer_decay go "
            f"with 'full' and 'lora'"
        )


def heads_for(task: Task, approach: str, encoder: Encoder) -> dict[str, nn.Module]:
    """The output layers of a task for an approach. Raises ValueError if the two do not fit each other."""
    heads = task.heads(encoder)
    return feature_heads(heads, encoder.config, approach) if approach in LAYERS else heads


def training_context(
    model: Model, task: Task, approach: str, rows: Sequence[Any]
) -> AbstractContextManager[None]:
    """A context in which `train` trains what the approach trains, on `rows`.

    With "full", these are all weights except embeddings of tokens that `rows` do not contain; with "lora",
    all that is not frozen; otherwise the heads, while the frozen encoder's outputs for `rows` are cached.
    """
    if approach == "lora":
        return nullcontext()
    if approach == "full":
        return train_shown_embeddings(model, task, rows)
    return frozen(model, task, rows, LAYERS.get(approach))
