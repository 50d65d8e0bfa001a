"""Inputs, known mistakes and invariants of `sharpness`.

Li et al. (2018, arXiv 1712.09913), section 4: filter-normalised directions. Axes: B examples, D hidden, C
labels.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from ..checks.compare import as_array, close
from ..checks.edits import edits
from ..checks.exercise import Invariant
from . import definitions

Arrays = Mapping[str, np.ndarray]


def named(function: Callable) -> Callable:
    """The function under the name `loss`, as messages write it."""
    function.__name__ = function.__qualname__ = "loss"
    return function


def head_loss(hidden: np.ndarray, gold: np.ndarray) -> Callable:
    """Build the loss of a classification head: the mean cross-entropy for hidden (B, D), gold (B,)."""

    def loss(weights):
        own = {name: as_array(value).astype(float) for name, value in weights.items()}
        pooled = np.tanh(hidden @ own["pooler.weight"].T + own["pooler.bias"])  # (B, D)
        logits = pooled @ own["classifier.weight"].T + own["classifier.bias"]  # (B, C)
        logits = logits - logits.max(axis=-1, keepdims=True)
        log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return float(-log_probs[np.arange(len(gold)), gold].mean())

    return named(loss)


def valley(bottom: Arrays, steepness: float = 1.0) -> Callable:
    """Build a loss that is higher the further the weights are from `bottom`; a hill if steepness < 0."""

    def loss(weights):
        off = [as_array(weights[name]).astype(float) - bottom[name] for name in bottom]
        return float(sum(steepness * (d**2 + d**3 / 20).sum() for d in off))

    return named(loss)


def like(rng: np.random.Generator, weights: Arrays, count: int) -> list[dict[str, np.ndarray]]:
    """Random directions, each about as long as chance makes it and not as long as the weights."""
    return [
        {name: rng.normal(size=value.shape) * rng.uniform(0.5, 3) for name, value in weights.items()}
        for _ in range(count)
    ]


def head(rng: np.random.Generator, D: int, C: int) -> dict[str, np.ndarray]:
    shapes = {
        "pooler.weight": (D, D),
        "pooler.bias": (D,),
        "classifier.weight": (C, D),
        "classifier.bias": (C,),
    }
    return {
        name: rng.normal(size=shape) * rng.uniform(0.6, 1.6, size=(shape[0],) + (1,) * (len(shape) - 1))
        for name, shape in shapes.items()
    }


def sharpness_cases(rng: np.random.Generator) -> list[tuple]:
    """Heads with their cross-entropy, valleys and a hill; one direction and several; a row of zeros."""

    def of_head(B, D, C, directions, radius):
        weights = head(rng, D, C)
        loss = head_loss(2 * rng.normal(size=(B, D)), rng.integers(C, size=B))
        return loss, weights, like(rng, weights, directions), radius

    def matrices(*shapes):
        return {f"layer.{i}": 1.5 * rng.normal(size=shape) + 0.5 for i, shape in enumerate(shapes)}

    def shifted(weights):
        return {name: value + rng.uniform(0.2, 0.9, size=value.shape) for name, value in weights.items()}

    plain, flat, embeddings = matrices((3, 5), (3,)), matrices((2, 4), (4, 2)), matrices((5, 3), (4,))
    embeddings["layer.0"][2] = 0.0  # as the embedding of [PAD]
    return [
        of_head(7, 4, 3, 3, 0.7),
        of_head(5, 3, 2, 1, 0.5),
        of_head(6, 5, 4, 2, 1.5),
        (valley(shifted(plain)), plain, like(rng, plain, 2), 0.4),
        (valley(shifted(flat), -1.0), flat, like(rng, flat, 3), 0.6),
        (valley(shifted(embeddings)), embeddings, like(rng, embeddings, 2), 1),
    ]


def length(arrays: Arrays) -> float:
    """Return the length of all matrices together."""
    return math.sqrt(sum((x**2).sum() for x in arrays.values() if x.ndim > 1))


SHARPNESS = edits(
    definitions.sharpness,
    """
    $wanted = np.linalg.norm(weights, axis=1, keepdims=True)
    $own = np.linalg.norm(direction, axis=1, keepdims=True)
    $factor = $wanted / $own
    $vector = np.zeros_like(weights)
    $sides = (radius, -radius)

    the directions are taken as they were drawn. Give each row of a matrix the length of that row of the
    weights.
        $factor => 1
    the directions are taken as they were drawn, and vectors are moved, too. Give each row of a matrix the
    length of that row of the weights, and let vectors stay.
        $factor => 1
        $vector => direction
    a matrix as a whole has the length of the weights' matrix. Each row should have the length of its own row:
    axis=1.
        , axis=1, keepdims=True =>>
    the direction as a whole has the length of all weights together. Each row should have the length of its
    own row.
        $factor => 1
        steps[name] for => steps[name] * length(weights) / length(direction) for
    the columns have the lengths of the weights' columns. Take the rows: axis=1.
        axis=1 =>> axis=0
    each row has the length 1. Multiply it by the length of that row of the weights.
        $wanted => 1
    each row is multiplied by the length of the weights' row, and not divided by its own.
        / $own =>
    the lengths are exchanged: divide a row by its own length, and multiply it by that of the weights' row.
        $factor => $own / $wanted
    each number is multiplied by the size of its weight. What counts is the length of a row.
        $factor => abs(weights)
    the lengths are squared: the root is missing. np.linalg.norm has it.
        $factor => ($factor) ** 2
    a row's length is the sum of its sizes in your answer. It is the root of the sum of squares.
        axis=1 =>> ord=1, axis=1
    a row's length is its largest number in your answer. It is the root of the sum of squares.
        axis=1 =>> ord=np.inf, axis=1
    a row's length is the root of the mean of squares in your answer, once but not twice. It is the root of
    the sum.
        $own => np.sqrt((direction**2).mean(axis=1, keepdims=True))
    vectors are moved as they were drawn. Biases and LayerNorms stay where they are.
        $vector => direction
    vectors get the length of the weights' vector. Biases and LayerNorms stay where they are.
        $vector => direction * np.linalg.norm(weights) / np.linalg.norm(direction)
    each number of a vector gets the size of its weight. Biases and LayerNorms stay where they are.
        $vector => np.sign(direction) * abs(weights)
    vectors are set to 0. They keep their own values: it is their step that is 0.
        weights[name] + side => weights[name] * (weights[name].ndim > 1) + side
    you walk to one side only, + radius. A valley may be steep on the other side.
        $sides => (radius,)
    you walk to one side only, - radius. A valley may be steep on the other side.
        $sides => (-radius,)
    you return losses. Subtract the loss at the weights themselves.
        - centre =>
    the mean is one of losses; subtract the loss at the weights themselves there, too.
        return result[0] + loss(dict(weights)), result[1]
    the largest is a loss; subtract the loss at the weights themselves there, too.
        return result[0], result[1] + loss(dict(weights))
    the sign is turned round. An increase is the loss there minus the loss at the weights.
        - centre =>
        loss({ => centre - loss({
    you take the sizes of the differences. A loss that is lower counts as negative.
        loss({ => abs(loss({
        - centre => - centre)
    an increase is never below 0 in your answer. A loss that is lower counts as negative.
        loss({ => max(0.0, loss({
        - centre => - centre)
    the largest is never below 0 in your answer. On a hill all differences are negative.
        return result[0], max(result[1], 0.0)
    the increase is divided by the loss at the weights. Only subtract it.
        loss({ => (loss({
        - centre => - centre) / centre
    the increase is divided by 1 plus the loss at the weights, as in Keskar et al. (2017). Only subtract it.
        loss({ => (loss({
        - centre => - centre) / (1 + centre)
    the increase is divided by the radius. Only subtract the loss at the weights.
        return result[0] / radius, result[1] / radius
    the first result is a sum. Divide it by the number of increases.
        np.mean(increases) => np.sum(increases)
    the first result is a sum over both sides. Take the mean of all increases.
        return 2 * result[0], result[1]
    the first result is the median. Take the mean.
        np.mean(increases) => np.median(increases)
    the largest is one of means over both sides. Take the largest of all increases.
        max(increases) => np.reshape(increases, (-1, 2)).mean(axis=1).max()
    the largest is a mean: that of each direction's larger side. Take the largest of all increases.
        max(increases) => np.reshape(increases, (-1, 2)).max(axis=1).mean()
    the second result is the smallest increase. Take the largest.
        max(increases) => min(increases)
    the two results have changed places: first the mean, then the largest.
        return result[::-1]
    `radius` is ignored. A step is radius times the normalised direction.
        $sides => (1, -1)
    `radius` is halved. Walk so far to each side.
        $sides => (radius / 2, -radius / 2)
    `radius` counts twice. Multiply the normalised direction by it once.
        $sides => (radius**2, -(radius**2))
    the weights are multiplied by 1 plus the step. Add the step to them.
        weights[name] + side * steps[name] => weights[name] * (1 + side * steps[name])
    the loss is that of the step alone. Add the step to the weights.
        weights[name] + side => weights[name] * (weights[name].ndim < 2) + side
    a walk begins where the last one ended. Begin each one at the weights themselves.
        centre, increases = => place = dict(weights)\\ncentre, increases =
        loss({name: weights[name] => loss(place := {name: place[name]
    only the first direction counts. Go through all of them.
        in directions => in directions[:1]
    only the last direction counts. Collect the increases of all of them.
        in directions => in directions[-1:]
    the directions are added up, and you walk along their sum. Walk along each one by itself.
        in directions => in [{name: sum(d[name] for d in directions) for name in weights}]
    each matrix is moved by itself. Move all of them at once, and then compute the loss.
        loss({name: => loss({**weights, name:
        steps[name] for name in weights} => steps[name]}
        $sides => $sides for name in weights if weights[name].ndim > 1
    """,
    definitions.filter_normalised,
    length=length,
)


def kept(seed: int = 5) -> tuple:
    """A case that is the same for each seed: loss, weights, directions, radius."""
    return sharpness_cases(np.random.default_rng(seed))[0]


def length_of_directions(f: Callable, rng: np.random.Generator) -> bool:
    loss, weights, directions, radius = kept()
    longer = [{name: 7.5 * d for name, d in direction.items()} for direction in directions]
    return close(f(loss, weights, longer, radius), f(loss, weights, directions, radius))


def both_sides(f: Callable, rng: np.random.Generator) -> bool:
    loss, weights, directions, radius = kept()
    turned = [{name: -d for name, d in direction.items()} for direction in directions]
    return close(f(loss, weights, turned, radius), f(loss, weights, directions, radius))


def vectors_stay(f: Callable, rng: np.random.Generator) -> bool:
    loss, weights, directions, radius = kept()
    others = [{name: d if d.ndim > 1 else d + 3 for name, d in direction.items()} for direction in directions]
    return close(f(loss, weights, others, radius), f(loss, weights, directions, radius))


def height(f: Callable, rng: np.random.Generator) -> bool:
    loss, weights, directions, radius = kept()
    return close(
        f(named(lambda w: loss(w) + 3.0), weights, directions, radius), f(loss, weights, directions, radius)
    )


def no_radius(f: Callable, rng: np.random.Generator) -> bool:
    loss, weights, directions, _ = kept()
    return close(f(loss, weights, directions, 0.0), (0.0, 0.0))


SHARPNESS_INVARIANTS = (
    Invariant("how long the directions are changes nothing", length_of_directions),
    Invariant("turning the directions round changes nothing", both_sides),
    Invariant("what the directions say of vectors changes nothing", vectors_stay),
    Invariant("a loss that is higher everywhere by the same has the same sharpness", height),
    Invariant("with the radius 0 both results are 0", no_radius),
)
