"""The ways to make the fine-tuned English model smaller, each with its control.

The papers are cited in `minibert.finetuning.compression`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from minibert.finetuning.compression.distillation import Distillation, LogitDistillation
from minibert.finetuning.compression.importance import column_importance, head_importance, least_important
from minibert.finetuning.compression.pkd import PatientDistillation
from minibert.finetuning.compression.pruning import PrunedEncoder, drop_layers, prune_columns, prune_heads
from minibert.finetuning.compression.quantization import (
    dequantize,
    quantize_groups,
    quantize_int8,
    with_rounded_weights,
)
from minibert.finetuning.compression.student import HOW, layer_map, start_from
from minibert.finetuning.compression.theseus import TheseusEncoder
from minibert.finetuning.compression.tinybert import MapDistillation
from minibert.model import BiLSTM
from minibert.model.heads import Model

from .baselines import bag_of_words
from .latency import OnnxModel, onnx_file
from .shared import MEGABYTE, Material, SmallModel, original

HALF = 3  # of 6 layers
HEADS_REMOVED = 29  # of 72 heads: 40%
COLUMNS_REMOVED = 0.4
GROUP, BITS = 128, (8, 4, 3, 2)
IMPORTANCE_FROM = 150  # training examples
TEMPERATURE, SHARE = 2.0, 0.9
LSTM_RATE, LSTM_EPOCHS = 1e-3, 8  # in 2 epochs, two of three seeds learn nothing
Build = Callable[[Material, int, str], SmallModel]


def small(model: Model) -> SmallModel:
    return SmallModel(model.eval())


def with_encoder(encoder: Any) -> SmallModel:
    """Return the original with another encoder."""
    return small(original().model.with_part("encoder", encoder))


def same(given: Material, seed: int, how: str) -> SmallModel:
    return small(original().model)


def student(given: Material, seed: int, how: str, goal: Any = None, **options: Any) -> SmallModel:
    """Train half of the layers. goal: a function (task, teacher's model, layers) -> Goal, or None."""
    teacher = original().model
    layers = layer_map(len(teacher.encoder.layers), HALF, how)
    wrap = None if goal is None else lambda task: goal(task, teacher, layers)
    start = start_from(teacher.encoder, layers)
    return small(given.tune(start, seed, heads=teacher.heads, goal=wrap, **options))


def soft(task: Any, teacher: Model, layers: Any = None) -> Distillation:
    return Distillation(task, teacher, TEMPERATURE, SHARE)


def patient(task: Any, teacher: Model, layers: list[int]) -> Distillation:
    return PatientDistillation(task, teacher, layers, temperature=TEMPERATURE, share=SHARE)


def tinybert(given: Material, seed: int, how: str) -> SmallModel:
    """Train in TinyBERT's two stages, each for half of the epochs: maps, then soft targets."""
    teacher, epochs = original().model, given.recipe.epochs // 2
    first = student(given, seed, how, partial(MapDistillation, project=False), epochs=epochs)
    goal = partial(Distillation, teacher=teacher, temperature=1.0, share=1.0)
    return small(given.tune(first.model.encoder, seed, epochs=epochs, heads=teacher.heads, goal=goal))


def theseus(given: Material, seed: int, how: str) -> SmallModel:
    """Replace pairs of layers at random; in the last third of the steps, all of them."""
    teacher, recipe = original().model, given.recipe
    steps = recipe.epochs * -(-recipe.train // recipe.batch_size)
    encoder = TheseusEncoder(teacher.encoder, HALF, 2 * steps // 3)
    model = given.tune(encoder, seed, heads=teacher.heads)
    return small(model.with_part("encoder", model.encoder.successor()))


def bilstm(given: Material, seed: int, how: str, goal: Any = None) -> SmallModel:
    """Train a BiLSTM of one layer that starts with the English model's word embeddings."""
    teacher = original().model
    torch.manual_seed(seed)
    encoder = BiLSTM(teacher.encoder.config.replace(num_hidden_layers=1))
    encoder.embeddings.word.load_state_dict(teacher.encoder.embeddings.word.state_dict())
    wrap = None if goal is None else lambda task: goal(task, teacher)
    return small(given.tune(encoder, seed, peak_rate=LSTM_RATE, epochs=LSTM_EPOCHS, goal=wrap))


def logits(task: Any, teacher: Model) -> LogitDistillation:
    return LogitDistillation(task, teacher, share=1.0)


def rounded(given: Material, seed: int, how: str, rounding: Any, bits: float) -> SmallModel:
    """Round all matrices. bits: per weight, with its part of the scales, to compute the size."""
    model = with_rounded_weights(original().model, rounding)
    stored = sum(p.numel() * (bits if p.dim() == 2 else 32) for p in model.parameters()) / 8
    return SmallModel(model, stored / MEGABYTE)


def by_tensor(matrix: np.ndarray) -> np.ndarray:
    return dequantize(*quantize_int8(matrix))


def by_row(matrix: np.ndarray) -> np.ndarray:
    return dequantize(*quantize_int8(matrix, axis=0))


def by_group(matrix: np.ndarray, bits: int) -> np.ndarray:
    return dequantize(*quantize_groups(matrix, bits, GROUP)).reshape(matrix.shape)


def int8_runtime(given: Material, seed: int, how: str) -> SmallModel:
    """Quantise with ONNX Runtime: integers as weights, and activations quantised dynamically."""
    path = onnx_file(original().model, given.folder / "int8.onnx", int8=True)
    return SmallModel(OnnxModel(path), path.stat().st_size / MEGABYTE)


def few_heads(given: Material, seed: int, important: bool) -> PrunedEncoder:
    """Return the original's encoder without 40% of the heads: the least important ones, or random ones."""
    model, task = original().model, original().task
    config = model.encoder.config
    if important:
        rows, labels, _ = task.encode(given.drawn(seed)[:IMPORTANCE_FROM])
        importance = head_importance(model, task, rows, labels)
    else:
        shape = (config.num_hidden_layers, config.num_attention_heads)
        importance = np.random.default_rng(seed).random(shape)
    return prune_heads(model.encoder, least_important(importance, HEADS_REMOVED))


def without_heads(given: Material, seed: int, how: str, important: bool, repair: bool) -> SmallModel:
    """Remove 40% of the heads, and perhaps continue training."""
    pruned = few_heads(given, seed, important)
    return repaired(given, seed, pruned) if repair else with_encoder(pruned)


def few_columns() -> PrunedEncoder:
    """Return the original's encoder without the feed-forward columns of the smallest norms."""
    encoder = original().model.encoder
    norms = column_importance(encoder)
    return prune_columns(encoder, least_important(norms, round(COLUMNS_REMOVED * norms.size)))


def without_columns(given: Material, seed: int, how: str) -> SmallModel:
    return repaired(given, seed, few_columns())


def without_layers(given: Material, seed: int, how: str, count: int) -> SmallModel:
    """Drop the top layers, and continue training."""
    return repaired(given, seed, drop_layers(original().model.encoder, count))


def repaired(given: Material, seed: int, encoder: Any) -> SmallModel:
    """Continue training an encoder, in place, for a few steps at half of the learning rate."""
    steps, rate = given.recipe.repair, given.recipe.peak_rate / 2
    return small(given.tune(encoder, seed, steps=steps, heads=original().model.heads, peak_rate=rate))


ONCE = ("original", "bag of words", "quantised")  # ways without anything random: one seed suffices
# name -> (way, function that makes the model)
WAYS: dict[str, tuple[str, Build]] = {
    "original": ("original", same),
    "bag of words": ("off the shelf", bag_of_words),
    "3 of 6 layers, labels only": ("control", student),
    "3 of 6 layers, soft targets": ("distilled", partial(student, goal=soft)),
    "int8 in ONNX Runtime": ("quantised", int8_runtime),
    "int8, one scale per matrix": ("quantised", partial(rounded, rounding=by_tensor, bits=8)),
    "int8, one scale per row": ("quantised", partial(rounded, rounding=by_row, bits=8)),
    **{
        f"{bits} bits, groups of {GROUP}": (
            "quantised",
            partial(rounded, rounding=partial(by_group, bits=bits), bits=bits + 16 / GROUP),
        )
        for bits in BITS
    },
    "40% of heads, by importance": ("pruned", partial(without_heads, important=True, repair=False)),
    "40% of heads, at random": ("control", partial(without_heads, important=False, repair=False)),
    "40% of heads, by importance, then trained": (
        "pruned",
        partial(without_heads, important=True, repair=True),
    ),
    "40% of heads, at random, then trained": (
        "control",
        partial(without_heads, important=False, repair=True),
    ),
    "3 of 6 layers, labels only, all reviews": ("control", partial(student, whole=True)),
    "3 of 6 layers, soft targets, all reviews": ("distilled", partial(student, goal=soft, whole=True)),
    "3 of 6 layers, Theseus": ("replaced", theseus),
    "3 of 6 layers, PKD": ("distilled", partial(student, goal=patient)),
    **{
        f"top {count} of 6 layers dropped": ("pruned", partial(without_layers, count=count))
        for count in (1, 2, 3)
    },
    f"BiLSTM, {LSTM_EPOCHS} epochs, labels only": ("off the shelf", bilstm),
    f"BiLSTM, {LSTM_EPOCHS} epochs, logits of the original": ("distilled", partial(bilstm, goal=logits)),
    "40% of columns, then trained": ("pruned", without_columns),
    "3 of 6 layers, TinyBERT": ("distilled", tinybert),
}


def small_model(name: str, given: Material, seed: int, how: str = HOW[0]) -> SmallModel:
    """Make the small model called `name`, a key of WAYS. how: which layers a student starts from."""
    return WAYS[name][1](given, seed, how)
