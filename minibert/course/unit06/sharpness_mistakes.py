"""Inputs, known mistakes and invariants of `sharpness`.

Li et al. (2018, arXiv 1712.09913), section 4: filter-normalised directions. Axes: B examples, D hidden, C
labels.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minibert.course.unit06.definitions import filter_normalised

from ..checks.compare import as_array, close
from ..checks.exercise import Invariant, Mistake
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


def spread(
    step: Callable = filter_normalised,
    vector: Callable = filter_normalised,
    sides: Sequence = (1, -1),
    told: Callable = lambda losses, centre: losses - centre,
    both: Callable = lambda increases: (increases.mean(), increases.max()),
    move: Callable = lambda w, step, reach: w + reach * step,
    reach: Callable = lambda radius: radius,
) -> Callable:
    """Build a `sharpness` with one piece replaced.

    step, vector: (direction, weights) -> the step of a matrix, or a vector. sides: of the walk. told(losses,
    centre): the increases, (directions, sides). both: increases -> the two results. move(weights, step,
    reach): the new weights. reach: radius -> how far.
    """

    def wrong(loss, weights, directions, radius):
        losses = []
        for direction in directions:
            steps = {
                name: (step if w.ndim > 1 else vector)(direction[name], w) for name, w in weights.items()
            }
            losses.append(
                [
                    loss({name: move(w, steps[name], side * reach(radius)) for name, w in weights.items()})
                    for side in sides
                ]
            )
        first, second = both(told(np.array(losses), loss(dict(weights))))
        return float(first), float(second)

    return wrong


def norm(x: np.ndarray, **options: Any) -> Any:
    return np.linalg.norm(x, **options)


def all_together(
    loss: Callable, weights: Arrays, directions: Sequence[Arrays], radius: float
) -> tuple[float, float]:
    """One length for the whole direction."""
    matrices = {name for name, w in weights.items() if w.ndim > 1}
    scaled = []
    for direction in directions:
        long, wanted = (np.sqrt(sum((x[name] ** 2).sum() for name in matrices)) for x in (direction, weights))
        scaled.append({name: d * (wanted / long) for name, d in direction.items()})
    return spread(step=lambda d, w: d)(loss, weights, scaled, radius)


def walking_on(
    loss: Callable, weights: Arrays, directions: Sequence[Arrays], radius: float
) -> tuple[float, float]:
    """The walk goes on where the last one ended."""
    centre, increases, place = loss(dict(weights)), [], dict(weights)
    for direction in directions:
        for side in (radius, -radius):
            place = {
                name: w + side * filter_normalised(direction[name], weights[name])
                for name, w in place.items()
            }
            increases.append(loss(place) - centre)
    return float(np.mean(increases)), float(max(increases))


def one_direction(which: Callable) -> Callable:
    def wrong(loss, weights, directions, radius):
        return definitions.sharpness(loss, weights, which(directions), radius)

    return wrong


def one_by_one(
    loss: Callable, weights: Arrays, directions: Sequence[Arrays], radius: float
) -> tuple[float, float]:
    """Each tensor is moved alone, and the increases of all are put together."""
    centre, increases = loss(dict(weights)), []
    for direction in directions:
        for side in (radius, -radius):
            for name, w in weights.items():
                if w.ndim > 1:
                    moved = w + side * filter_normalised(direction[name], w)
                    increases.append(loss({**weights, name: moved}) - centre)
    return float(np.mean(increases)), float(max(increases))


SHARPNESS = (
    Mistake(
        "the directions are taken as they were drawn. Give each row of a matrix the length of that row "
        "of the weights.",
        spread(step=lambda d, w: d),
    ),
    Mistake(
        "the directions are taken as they were drawn, and vectors are moved, too. Give each row of a "
        "matrix the length of that row of the weights, and let vectors stay.",
        spread(step=lambda d, w: d, vector=lambda d, w: d),
    ),
    Mistake(
        "a matrix as a whole has the length of the weights' matrix. Each row should have the length of "
        "its own row: axis=1.",
        spread(step=lambda d, w: d * norm(w) / norm(d)),
    ),
    Mistake(
        "the direction as a whole has the length of all weights together. Each row should have the "
        "length of its own row.",
        all_together,
    ),
    Mistake(
        "the columns have the lengths of the weights' columns. Take the rows: axis=1.",
        spread(step=lambda d, w: d * norm(w, axis=0) / norm(d, axis=0)),
    ),
    Mistake(
        "each row has the length 1. Multiply it by the length of that row of the weights.",
        spread(step=lambda d, w: d / norm(d, axis=1, keepdims=True)),
    ),
    Mistake(
        "each row is multiplied by the length of the weights' row, and not divided by its own.",
        spread(step=lambda d, w: d * norm(w, axis=1, keepdims=True)),
    ),
    Mistake(
        "the lengths are exchanged: divide a row by its own length, and multiply it by that of the "
        "weights' row.",
        spread(step=lambda d, w: d * norm(d, axis=1, keepdims=True) / norm(w, axis=1, keepdims=True)),
    ),
    Mistake(
        "each number is multiplied by the size of its weight. What counts is the length of a row.",
        spread(step=lambda d, w: d * abs(w)),
    ),
    Mistake(
        "the lengths are squared: the root is missing. np.linalg.norm has it.",
        spread(step=lambda d, w: d * (w**2).sum(1, keepdims=True) / (d**2).sum(1, keepdims=True)),
    ),
    Mistake(
        "a row's length is the sum of its sizes in your answer. It is the root of the sum of squares.",
        spread(step=lambda d, w: d * abs(w).sum(1, keepdims=True) / abs(d).sum(1, keepdims=True)),
    ),
    Mistake(
        "a row's length is its largest number in your answer. It is the root of the sum of squares.",
        spread(step=lambda d, w: d * abs(w).max(1, keepdims=True) / abs(d).max(1, keepdims=True)),
    ),
    Mistake(
        "a row's length is the root of the mean of squares in your answer, once but not twice. It is the "
        "root of the sum.",
        spread(step=lambda d, w: d * norm(w, axis=1, keepdims=True) / np.sqrt((d**2).mean(1, keepdims=True))),
    ),
    Mistake(
        "vectors are moved as they were drawn. Biases and LayerNorms stay where they are.",
        spread(vector=lambda d, w: d),
    ),
    Mistake(
        "vectors get the length of the weights' vector. Biases and LayerNorms stay where they are.",
        spread(vector=lambda d, w: d * norm(w) / norm(d)),
    ),
    Mistake(
        "each number of a vector gets the size of its weight. Biases and LayerNorms stay where they are.",
        spread(vector=lambda d, w: np.sign(d) * abs(w)),
    ),
    Mistake(
        "vectors are set to 0. They keep their own values: it is their step that is 0.",
        spread(move=lambda w, step, reach: w + reach * step if w.ndim > 1 else 0 * w),
    ),
    Mistake(
        "you walk to one side only, + radius. A valley may be steep on the other side.", spread(sides=(1,))
    ),
    Mistake(
        "you walk to one side only, - radius. A valley may be steep on the other side.", spread(sides=(-1,))
    ),
    Mistake(
        "you return losses. Subtract the loss at the weights themselves.",
        spread(told=lambda losses, centre: losses),
    ),
    Mistake(
        "the mean is one of losses; subtract the loss at the weights themselves there, too.",
        spread(
            told=lambda losses, centre: np.stack([losses, losses - centre]),
            both=lambda x: (x[0].mean(), x[1].max()),
        ),
    ),
    Mistake(
        "the largest is a loss; subtract the loss at the weights themselves there, too.",
        spread(
            told=lambda losses, centre: np.stack([losses, losses - centre]),
            both=lambda x: (x[1].mean(), x[0].max()),
        ),
    ),
    Mistake(
        "the sign is turned round. An increase is the loss there minus the loss at the weights.",
        spread(told=lambda losses, centre: centre - losses),
    ),
    Mistake(
        "you take the sizes of the differences. A loss that is lower counts as negative.",
        spread(told=lambda losses, centre: abs(losses - centre)),
    ),
    Mistake(
        "an increase is never below 0 in your answer. A loss that is lower counts as negative.",
        spread(told=lambda losses, centre: np.maximum(losses - centre, 0)),
    ),
    Mistake(
        "the largest is never below 0 in your answer. On a hill all differences are negative.",
        spread(both=lambda x: (x.mean(), max(x.max(), 0))),
    ),
    Mistake(
        "the increase is divided by the loss at the weights. Only subtract it.",
        spread(told=lambda losses, centre: (losses - centre) / centre),
    ),
    Mistake(
        "the increase is divided by 1 plus the loss at the weights, as in Keskar et al. (2017). Only "
        "subtract it.",
        spread(told=lambda losses, centre: (losses - centre) / (1 + centre)),
    ),
    Mistake(
        "the increase is divided by the radius. Only subtract the loss at the weights.",
        lambda loss, weights, directions, radius: tuple(
            x / radius for x in definitions.sharpness(loss, weights, directions, radius)
        ),
    ),
    Mistake(
        "the first result is a sum. Divide it by the number of increases.",
        spread(both=lambda x: (x.sum(), x.max())),
    ),
    Mistake(
        "the first result is a sum over both sides. Take the mean of all increases.",
        spread(both=lambda x: (x.sum(1).mean(), x.max())),
    ),
    Mistake("the first result is the median. Take the mean.", spread(both=lambda x: (np.median(x), x.max()))),
    Mistake(
        "the largest is one of means over both sides. Take the largest of all increases.",
        spread(both=lambda x: (x.mean(), x.mean(1).max())),
    ),
    Mistake(
        "the largest is a mean: that of each direction's larger side. Take the largest of all increases.",
        spread(both=lambda x: (x.mean(), x.max(1).mean())),
    ),
    Mistake(
        "the second result is the smallest increase. Take the largest.",
        spread(both=lambda x: (x.mean(), x.min())),
    ),
    Mistake(
        "the two results have changed places: first the mean, then the largest.",
        spread(both=lambda x: (x.max(), x.mean())),
    ),
    Mistake(
        "`radius` is ignored. A step is radius times the normalised direction.",
        spread(reach=lambda radius: 1.0),
    ),
    Mistake("`radius` is halved. Walk so far to each side.", spread(reach=lambda radius: radius / 2)),
    Mistake(
        "`radius` counts twice. Multiply the normalised direction by it once.",
        spread(reach=lambda radius: radius**2),
    ),
    Mistake(
        "the weights are multiplied by 1 plus the step. Add the step to them.",
        spread(move=lambda w, step, reach: w * (1 + reach * step)),
    ),
    Mistake(
        "the loss is that of the step alone. Add the step to the weights.",
        spread(move=lambda w, step, reach: reach * step if step.ndim > 1 else w),
    ),
    Mistake("a walk begins where the last one ended. Begin each one at the weights themselves.", walking_on),
    Mistake(
        "only the first direction counts. Go through all of them.", one_direction(lambda given: given[:1])
    ),
    Mistake(
        "only the last direction counts. Collect the increases of all of them.",
        one_direction(lambda given: given[-1:]),
    ),
    Mistake(
        "the directions are added up, and you walk along their sum. Walk along each one by itself.",
        one_direction(lambda given: [{name: sum(d[name] for d in given) for name in given[0]}]),
    ),
    Mistake(
        "each matrix is moved by itself. Move all of them at once, and then compute the loss.", one_by_one
    ),
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
