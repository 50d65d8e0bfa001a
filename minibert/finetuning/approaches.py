"""The ways to use a pretrained encoder: fine-tuning, low-rank adapters, freezing, and features.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from torch import nn

from ..model import Encoder, Model
from ..spelling import did_you_mean
from ..tasks.base import Task
from .features import LAYERS, feature_heads
from .frozen import frozen
from .partial_embedding import train_seen_embeddings

# "frozen" trains only the task's head, and each of LAYERS a BiLSTM on some layers of the frozen encoder.
FEATURE_BASED = ("frozen", *LAYERS)
# "full" trains all weights, "lora" only low-rank adapters.
NAMES = ("full", "lora", *FEATURE_BASED)
RANK = 8  # of the adapters; Hu et al. (2022, arXiv 2106.09685), section 7.2, find that small ranks suffice


def check_approach(approach: str, encoder_rate: float | None = None, layer_decay: float = 1.0) -> None:
    """Raise ValueError if an approach is unknown, or if it freezes the encoder but these rates are given."""
    if approach not in NAMES:
        raise ValueError(
            f"unknown approach {approach!r}; known approaches: {', '.join(NAMES)}"
            f"{did_you_mean(approach, NAMES)}"
        )
    if approach not in ("full", "lora") and (encoder_rate is not None or layer_decay != 1.0):
        raise ValueError(
            f"approach {approach!r} does not train the encoder: use encoder_rate and layer_decay only with "
            f"'full' and 'lora'"
        )


def heads_for(task: Task, approach: str, encoder: Encoder) -> dict[str, nn.Module]:
    """Return a task's heads for an approach. Raises ValueError if the approach does not suit the task."""
    heads = task.heads(encoder)
    return feature_heads(heads, encoder.config, approach) if approach in LAYERS else heads


def training_context(
    model: Model, task: Task, approach: str, rows: Sequence[Any]
) -> AbstractContextManager[None]:
    """Return a context in which training changes only the weights that the approach trains.

    With "full", these are all weights except the embeddings of tokens that are not in `rows`; with "lora",
    all weights that are not frozen; otherwise the heads, with the encoder's outputs for `rows` cached.
    """
    if approach == "lora":
        return nullcontext()
    if approach == "full":
        return train_seen_embeddings(model, task, rows)
    return frozen(model, task, rows, LAYERS.get(approach))
