"""Test inputs, common mistakes and required properties for `sharpness`.

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
    function.__name__ = function.__qualname__ = "loss"
    return function


def head_loss(hidden: np.ndarray, gold: np.ndarray) -> Callable:
    """Return a loss function: the mean cross-entropy as a function of the weights of a classification head.

    hidden: hidden states (B, D). gold: correct labels (B,).
    """

    def loss(weights):
        own = {name: as_array(value).astype(float) for name, value in weights.items()}
        pooled = np.tanh(hidden @ own["pooler.weight"].T + own["pooler.bias"])  # (B, D)
        logits = pooled @ own["classifier.weight"].T + own["classifier.bias"]  # (B, C)
        logits = logits - logits.max(axis=-1, keepdims=True)
        log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return float(-log_probs[np.arange(len(gold)), gold].mean())

    return named(loss)


def valley(bottom: Arrays, steepness: float = 1.0) -> Callable:
    """Return a function of weights that rises with the distance from `bottom`, or falls if steepness < 0."""

    def loss(weights):
        off = [as_array(weights[name]).astype(float) - bottom[name] for name in bottom]
        return float(sum(steepness * (d**2 + d**3 / 20).sum() for d in off))

    return named(loss)


def like(rng: np.random.Generator, weights: Arrays, count: int) -> list[dict[str, np.ndarray]]:
    """Return `count` random directions: dicts of arrays with the shapes of the weights but other norms."""
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
    """Return (loss, weights, directions, radius) for each test; one matrix of weights has a row of zeros."""

    def of_head(B, D, C, directions, radius):
        weights = head(rng, D, C)
        loss = head_loss(2 * rng.normal(size=(B, D)), rng.integers(C, size=B))
        return loss, weights, like(rng, weights, directions), radius

    def matrices(*shapes):
        return {f"layer.{i}": 1.5 * rng.normal(size=shape) + 0.5 for i, shape in enumerate(shapes)}

    def shifted(weights):
        return {name: value + rng.uniform(0.2, 0.9, size=value.shape) for name, value in weights.items()}

    plain, flat, embeddings = matrices((3, 5), (3,)), matrices((2, 4), (4, 2)), matrices((5, 3), (4,))
    row = matrices((1, 4), (2,))
    embeddings["layer.0"][2] = 0.0  # like the embedding of [PAD]
    return [
        of_head(7, 4, 3, 3, 0.7),
        of_head(5, 3, 2, 1, 0.5),
        of_head(6, 5, 4, 2, 1.5),
        (valley(shifted(plain)), plain, like(rng, plain, 2), 0.4),
        (valley(shifted(flat), -1.0), flat, like(rng, flat, 3), 0.6),
        (valley(shifted(embeddings)), embeddings, like(rng, embeddings, 2), 1),
        (valley(shifted(row)), row, like(rng, row, 2), 0.8),
    ]


EXAMPLE = (
    named(lambda weights: float(as_array(weights["w"])[0, 0]) ** 2),
    {"w": np.array([[3.0, 4.0]]), "b": np.array([1.0])},
    [{"w": np.array([[2.0, 0.0]]), "b": np.array([7.0])}],
    0.1,
)


def length(arrays: Arrays) -> float:
    """Return the norm of all matrices in `arrays` together, as if their values were one vector."""
    return math.sqrt(sum((x**2).sum() for x in arrays.values() if x.ndim > 1))


SHARPNESS = edits(
    definitions.sharpness,
    """
    $wanted = np.linalg.norm(weights, axis=1, keepdims=True)
    $own = np.linalg.norm(direction, axis=1, keepdims=True)
    $factor = $wanted / $own
    $vector = np.zeros_like(weights)
    $sides = (radius, -radius)

    you use the directions as they were drawn. Scale each row of a matrix to the norm of the same row of the
    weights.
        $factor => 1
    you use the directions as they were drawn, and you also move vectors. Scale each row of a matrix to the
    norm of the weights' row, and do not move vectors.
        $factor => 1
        $vector => direction
    you scale each matrix as a whole. Scale each row to the norm of the same row of the weights.
        , axis=1, keepdims=True =>>
    you scale the direction as a whole. Scale each row to the norm of the same row of the weights.
        $factor => 1
        steps[name] for => steps[name] * length(weights) / length(direction) for
    you scale the columns. Scale each row to the norm of the same row of the weights.
        axis=1 =>> axis=0
    you scale each row to norm 1. Then multiply it by the norm of the same row of the weights.
        $wanted => 1
    you multiply each row by the norm of the weights' row. First divide it by its own norm.
        / $own =>
    you swapped the two norms. Divide each row by its own norm, and multiply it by the norm of the weights'
    row.
        $factor => $own / $wanted
    you multiply each number by the absolute value of its weight. Use the norm of the weights' row instead.
        $factor => abs(weights)
    your norms are squared. Take their square root.
        $factor => ($factor) ** 2
    you use the sum of a row's absolute values as its norm. Use the square root of the sum of squares.
        axis=1 =>> ord=1, axis=1
    you use a row's largest absolute value as its norm. Use the square root of the sum of squares.
        axis=1 =>> ord=np.inf, axis=1
    one of your norms uses the mean of the squares. Use their sum.
        $own => np.sqrt((direction**2).mean(axis=1, keepdims=True))
    you move vectors. Leave them unchanged: biases and LayerNorms must not move.
        $vector => direction
    you scale vectors to the norm of the weights' vector. Leave them unchanged: biases and LayerNorms must not
    move.
        $vector => direction * np.linalg.norm(weights) / np.linalg.norm(direction)
    you move each number of a vector by the size of its weight. Leave vectors unchanged: biases and LayerNorms
    must not move.
        $vector => np.sign(direction) * abs(weights)
    you set vectors to 0. They should keep their values; only their step is 0.
        weights[name] + side => weights[name] * (weights[name].ndim > 1) + side
    you use only + radius. Also take the step with - radius, where the loss may rise more steeply.
        $sides => (radius,)
    you use only - radius. Also take the step with + radius, where the loss may rise more steeply.
        $sides => (-radius,)
    you return losses instead of increases. Subtract the loss at the unperturbed weights.
        - centre =>
    your first result is a mean of losses. Subtract the loss at the weights themselves.
        return result[0] + loss(dict(weights)), result[1]
    your second result is the largest loss. Subtract the loss at the weights themselves.
        return result[0], result[1] + loss(dict(weights))
    the sign is wrong. An increase is the loss after the step minus the loss at the weights.
        - centre =>
        loss({ => centre - loss({
    you take absolute values of the differences. Keep the sign: a lower loss is a negative increase.
        loss({ => abs(loss({
        - centre => - centre)
    you replace negative increases by 0. Keep them: a lower loss is a negative increase.
        loss({ => max(0.0, loss({
        - centre => - centre)
    your largest increase is never below 0. It can be negative, if the weights are at a maximum of the loss.
        return result[0], max(result[1], 0.0)
    you divide the increase by the loss at the weights. Leave it as it is.
        loss({ => (loss({
        - centre => - centre) / centre
        or
        return result[0] / loss(dict(weights)), result[1] / loss(dict(weights))
    you divide the increase by 1 plus the loss at the weights, as in Keskar et al. (2017). Leave it as it is.
        loss({ => (loss({
        - centre => - centre) / (1 + centre)
        or
        return result[0] / (1 + loss(dict(weights))), result[1] / (1 + loss(dict(weights)))
    you divide the increase by the radius. Leave it as it is.
        return result[0] / radius, result[1] / radius
    your first result is a sum. Divide it by the number of increases.
        np.mean(increases) => np.sum(increases)
    your first result adds the increases on the two sides of each direction. Take the mean of all increases.
        return 2 * result[0], result[1]
    your first result is the median of the increases. Take their mean.
        np.mean(increases) => np.median(increases)
    your second result is the largest of the directions' mean increases. Take the largest of all increases.
        max(increases) => np.reshape(increases, (-1, 2)).mean(axis=1).max()
    your second result is the mean of the larger increases of all directions. Take the largest of all
    increases.
        max(increases) => np.reshape(increases, (-1, 2)).max(axis=1).mean()
    your second result is the smallest increase. Return the largest.
        max(increases) => min(increases)
    your two results are swapped. Return the mean first, then the largest increase.
        return result[::-1]
    you ignore `radius`. Multiply the normalised direction by it.
        $sides => (1, -1)
    you use half of `radius` on each side. Use the full radius on each side.
        $sides => (radius / 2, -radius / 2)
    you multiply by `radius` twice. Multiply the normalised direction by it once.
        $sides => (radius**2, -(radius**2))
    you multiply the weights by 1 plus the step. Add the step to the weights.
        weights[name] + side * steps[name] => weights[name] * (1 + side * steps[name])
    you compute the loss of the step only. Add the step to the weights.
        weights[name] + side => weights[name] * (weights[name].ndim < 2) + side
    each of your steps begins where the previous one ended. Begin each step at the weights themselves.
        centre, increases = => place = dict(weights)\\ncentre, increases =
        loss({name: weights[name] => loss(place := {name: place[name]
    you use only the first direction. Use all of them.
        in directions => in directions[:1]
    you use only the last direction. Collect the increases of all directions.
        in directions => in directions[-1:]
    you add up the directions and move along their sum. Move along each direction separately.
        in directions => in [{name: sum(d[name] for d in directions) for name in weights}]
    you move only one matrix at a time. Move all matrices together, then compute the loss.
        loss({name: => loss({**weights, name:
        steps[name] for name in weights} => steps[name]}
        $sides => $sides for name in weights if weights[name].ndim > 1
    """,
    definitions.filter_normalised,
    length=length,
)


def kept(seed: int = 5) -> tuple:
    """Return a test case (loss, weights, directions, radius) that is the same in every check."""
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
    Invariant("the lengths of the directions do not matter", length_of_directions),
    Invariant("reversing the directions changes nothing", both_sides),
    Invariant("biases and LayerNorm in the directions do not matter", vectors_stay),
    Invariant("adding a constant to the loss does not change the sharpness", height),
    Invariant("with a radius of 0, both results are 0", no_radius),
)
