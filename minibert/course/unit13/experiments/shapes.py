"""Vary the shape of a model: width, depth, number of heads, and order of the sublayers.

Devlin et al. (2019, arXiv 1810.04805), table 6, vary layers, hidden size and heads; Press et al. (2020, arXiv
1911.03864) vary the order of the sublayers. Here, each shape is briefly pretrained and then fine-tuned.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.config import ModelConfig
from minibert.course.unit10.experiments import shared as pretraining
from minibert.course.unit10.experiments.electra import forward_flops
from minibert.model import Encoder, EncoderLayer, FastEncoder
from minibert.model.encoder import init_weights
from minibert.model.variants.sharing import count
from minibert.training.recipes import start_from_neighbours

from .shared import (
    CLAUSE,
    ORDER,
    PLAIN,
    TASKS,
    FinetuningRecipe,
    TaskExamples,
    material,
    prepared,
    recipe_of,
    same,
    tuned,
)

BRIEFLY = dataclasses.replace(pretraining.RECIPE, length=32, steps=300)
TUNED_ON = (ORDER, CLAUSE)
TUNINGS = 2  # fine-tunings of each pretrained model on each task; their mean is its score
RATE = 2e-3  # learning rate of fine-tuning: a third of that of the other experiments, so that fewer runs fail


class AttentionSublayer(EncoderLayer):
    """The first half of a layer: LayerNorm(x + attention(x))."""

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        del self.feed_forward, self.feed_forward_norm

    def forward(
        self, x: Tensor, visible: Tensor | None = None, gate: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return (x after this sublayer, attention weights); the arguments are as in EncoderLayer.forward."""
        attended, probs = self.attention(x, visible, gate)
        return self.attention_norm(x + self.dropout(attended)), probs  # (B, T, D), (B, H, T, T)


class FeedForwardSublayer(EncoderLayer):
    """The second half of a layer: LayerNorm(x + feed_forward(x))."""

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        del self.attention, self.attention_norm

    def forward(
        self, x: Tensor, visible: Tensor | None = None, gate: Tensor | None = None
    ) -> tuple[Tensor, Any]:
        """Return (x after this sublayer, None); the arguments are as in EncoderLayer.forward."""
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x))), None


class SandwichEncoder(Encoder):
    """An encoder with L attention and L feed-forward sublayers in the order s^k (sf)^(L-k) f^k, k = L / 2.

    It has as many parameters as an Encoder. s stands for an attention sublayer, f for a feed-forward
    sublayer, and k is the paper's sandwich coefficient.
    """

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        L = config.num_hidden_layers
        k = L // 2
        order = "s" * k + "sf" * (L - k) + "f" * k
        self.layers = nn.ModuleList(
            {"s": AttentionSublayer, "f": FeedForwardSublayer}[sublayer](config) for sublayer in order
        )
        self.layers.apply(lambda module: init_weights(module, config.initializer_range))


@dataclasses.dataclass(frozen=True)
class Shape:
    """The sizes of a model.

    kind: the class of the encoder. equal_compute: whether pretraining costs as much compute as for BASE.
    """

    hidden_size: int = 64
    layers: int = 2
    heads: int = 4
    kind: Callable[[ModelConfig], Encoder] = FastEncoder
    equal_compute: bool = False


BASE = "64 x 2"  # hidden size x layers
SHAPES = {
    BASE: Shape(),
    "52 x 3": Shape(52, 3),
    "92 x 1": Shape(92, 1),
    "32 x 2, longer": Shape(32, 2, equal_compute=True),
    "128 x 2, shorter": Shape(128, 2, equal_compute=True),
    "1 head": Shape(heads=1),
    "8 heads": Shape(heads=8),
    "sandwich": Shape(kind=SandwichEncoder),
}
GROUPS = {  # the comparisons
    "equal parameters": ("52 x 3", BASE, "92 x 1"),
    "equal compute": ("32 x 2, longer", BASE, "128 x 2, shorter"),
    "heads": ("1 head", BASE, "8 heads"),
    "order of the sublayers": (BASE, "sandwich"),
}


def config_of(shape: Shape, recipe: pretraining.PretrainingRecipe, tokenizer: Any) -> ModelConfig:
    """Return the configuration of a shape's encoder; the feed-forward size is four times the hidden size."""
    sizes = dataclasses.replace(recipe, hidden_size=shape.hidden_size, layers=shape.layers)
    return sizes.config(tokenizer, num_attention_heads=shape.heads)


def steps_of(shape: Shape, recipe: pretraining.PretrainingRecipe, tokenizer: Any) -> int:
    """Return the number of pretraining steps: the recipe's, or as many as cost the same as for BASE."""
    if not shape.equal_compute:
        return recipe.steps
    tokens = recipe.batch_size * recipe.length
    asked = round(recipe.mask_rate * tokens)
    base, own = (
        forward_flops(config_of(one, recipe, tokenizer), tokens, asked, None) for one in (SHAPES[BASE], shape)
    )
    return round(recipe.steps * base / own)


def text_of(recipe: pretraining.PretrainingRecipe) -> pretraining.Material:
    """Return the pretraining data, which depend only on the recipe's number of documents."""
    return pretraining.material(dataclasses.replace(pretraining.RECIPE, documents=recipe.documents))


@functools.cache
def task_material(name: str, recipe: FinetuningRecipe, documents: int) -> TaskExamples:
    """Return the examples of a task, tokenized with the tokenizer of the pretraining text.

    name: a key of TASKS. documents: the number of documents in the pretraining text.
    """
    tokenizer = text_of(dataclasses.replace(BRIEFLY, documents=documents)).tokenizer
    return prepared(TASKS[name], tokenizer, material(name, recipe).texts)


def shape_run(
    name: str,
    seed: int,
    recipe: pretraining.PretrainingRecipe = BRIEFLY,
    few: Callable[[FinetuningRecipe], FinetuningRecipe] = same,
) -> dict[str, Any]:
    """Pretrain a model of the shape `name`, a key of SHAPES, then fine-tune it on each task in TUNED_ON.

    A task's score is the mean of TUNINGS fine-tuning runs. few: a function that changes each fine-tuning
    recipe. Returns the number of "parameters" in the layers, the number of "steps", the "loss" and accuracy
    ("words") on held-out masked tokens, and for each task its mean test accuracy in percent.
    """
    shape, text = SHAPES[name], text_of(recipe)
    objective = pretraining.mlm(recipe, text.tokenizer)
    torch.manual_seed(seed)
    encoder = shape.kind(config_of(shape, recipe, text.tokenizer))
    start_from_neighbours(encoder)
    model, steps = objective.model(encoder), steps_of(shape, recipe, text.tokenizer)
    pretraining.trained(model, objective, text.docs, recipe.training(seed, steps=steps))
    found = {
        "parameters": count(encoder.layers),
        "steps": steps,
        **pretraining.held_out_scores(model, recipe, text),
    }
    for task in TUNED_ON:
        own = few(dataclasses.replace(recipe_of(task), peak_rate=RATE, per_epoch=1))
        runs = [
            tuned(task_material(task, own, recipe.documents), at, at, own, PLAIN, encoder)
            for at in range(TUNINGS * seed, TUNINGS * (seed + 1))
        ]
        found[task] = round(float(np.mean([100 * run.test[-1] / own.test for run in runs])), 2)
    return found
