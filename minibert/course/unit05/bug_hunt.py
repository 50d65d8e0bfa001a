"""The bug hunt `adamw_step`: AdamW with gradient clipping, in NumPy, with three planted bugs.

Kingma and Ba (2015, arXiv 1412.6980), algorithm 1; Loshchilov and Hutter (2019, arXiv 1711.05101), algorithm
2. The code shows what `optimizer.step()` does in a training step. Axes: M rows, N columns of a weight matrix.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant

# the decay rates of the two running means, and a constant that avoids 0 / 0
MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8
SHAPES = {"weight": (3, 4), "bias": (3,)}
NEVER = 1e6  # larger than any gradient here, so nothing is clipped


def version(left: frozenset[int]) -> Callable:
    """Return `adamw_step`, a step of AdamW, with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: v, the running mean of squared gradients, is not bias-corrected. Bug 2: weight decay is added to
    the gradient. Bug 3: the gradient of each array is clipped separately.
    """

    def adamw_step(weights, gradients, memory, rate, clip, decay):
        step, after, mean, square = memory["step"] + 1, {}, {}, {}
        whole = np.sqrt(sum((g**2).sum() for g in gradients.values()))
        for name, w in weights.items():
            g = gradients[name]  # (M, N) or (M,), like all arrays below
            length = np.linalg.norm(g) if 3 in left else whole
            g = g * min(1.0, clip / (length + TINY)) + (decay * w if 2 in left else 0.0)
            mean[name] = MEAN * memory["mean"][name] + (1 - MEAN) * g
            square[name] = SQUARE * memory["square"][name] + (1 - SQUARE) * g**2
            correction = 1.0 if 1 in left else 1 - SQUARE**step
            move = mean[name] / (1 - MEAN**step) / (np.sqrt(square[name] / correction) + TINY)
            after[name] = w - rate * (move + (0.0 if 2 in left else decay * w))
        return after, {"step": step, "mean": mean, "square": square}

    return adamw_step


def arrays(
    rng: np.random.Generator,
    scale: float = 1.0,
    dtype: type = np.float64,
    shapes: dict[str, tuple[int, ...]] = SHAPES,
) -> dict[str, np.ndarray]:
    return {name: (scale * rng.normal(size=shape)).astype(dtype) for name, shape in shapes.items()}


def empty() -> dict:
    """Return the optimizer state before the first step: step 0, and running means of 0."""
    return {
        "step": 0,
        "mean": {name: np.zeros(shape) for name, shape in SHAPES.items()},
        "square": {name: np.zeros(shape) for name, shape in SHAPES.items()},
    }


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return `adamw_step` arguments for multiple steps, some without clipping, decay or gradients."""

    def case(step, clip, decay, scale=1.0, dtype=np.float64):
        squares = {name: v**2 for name, v in arrays(rng, 0.5, dtype).items()}
        memory = {"step": step, "mean": arrays(rng, 0.3, dtype), "square": squares} if step else empty()
        return (
            arrays(rng, 2.0, dtype),
            arrays(rng, scale, dtype),
            memory,
            float(rng.uniform(1e-2, 1e-1)),
            clip,
            decay,
        )

    still = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    return [
        case(0, 1.0, 0.1),
        case(7, 0.5, 0.3),
        case(3, NEVER, 0.2),
        case(40, 2.0, 0.0, 3.0),
        case(0, NEVER, 0.0, 1e-3),
        case(0, NEVER, 0.0, 1e-7),
        (arrays(rng), still, empty(), 0.1, 1.0, 0.5),
        case(5, 1.0, 0.1, 1.0, np.float32),
    ]


def first_step_is_the_rate(f: Callable, rng: np.random.Generator) -> bool:
    weights, gradients = (
        arrays(rng),
        {name: 10.0 ** rng.integers(-2, 3, size=shape) for name, shape in SHAPES.items()},
    )
    after = f(weights, gradients, empty(), 0.01, NEVER, 0.0)[0]
    return all(np.allclose(weights[name] - after[name], 0.01, rtol=1e-3) for name in SHAPES)


def decay_shrinks(f: Callable, rng: np.random.Generator) -> bool:
    weights, still = arrays(rng), {name: np.zeros(shape) for name, shape in SHAPES.items()}
    after = f(weights, still, empty(), 0.1, 1.0, 0.5)[0]
    return close(after, {name: 0.95 * w for name, w in weights.items()})


def clip_keeps_the_direction(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's clipping keeps the gradient's direction, judging by the gradient's running mean."""
    gradients = arrays(rng, 5.0)
    mean = f(arrays(rng), gradients, empty(), 0.1, 1.0, 0.0)[1]["mean"]
    shares = np.concatenate([(mean[name] / g).ravel() for name, g in gradients.items()])
    return np.allclose(shares, shares[0])


def short_gradients_stay(f: Callable, rng: np.random.Generator) -> bool:
    weights, gradients = arrays(rng), arrays(rng, 0.01)
    return close(
        f(weights, gradients, empty(), 0.1, 1.0, 0.0), f(weights, gradients, empty(), 0.1, NEVER, 0.0)
    )


BROKEN = (
    Invariant(
        "without decay, the first step moves each weight by the learning rate, "
        "whatever the size of its gradient",
        first_step_is_the_rate,
    ),
    Invariant(
        "without a gradient, the first step shrinks each weight by the fraction rate * decay",
        decay_shrinks,
    ),
    Invariant(
        "a gradient with a norm above `clip` keeps its direction: all its elements shrink by the same factor",
        clip_keeps_the_direction,
    ),
)
KEPT = (
    Invariant("a gradient with a norm below `clip` does not change", short_gradients_stay),
    Invariant(
        "the memory counts the step",
        lambda f, rng: f(arrays(rng), arrays(rng), empty(), 0.1, 1.0, 0.0)[1]["step"] == 1,
    ),
)
