"""Other changes to `adamw_step` than its three bugs: the right step with one of its pieces replaced."""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake
from .bug_hunt import MEAN, SQUARE, TINY


def norm(gradients: dict[str, np.ndarray]) -> float:
    return float(np.sqrt(sum((g**2).sum() for g in gradients.values())))


def shortened(g: np.ndarray, clip: float, length: float) -> np.ndarray:
    return g * min(1.0, clip / (length + TINY))


def adamw(
    length: Callable = norm,
    clipped: Callable = shortened,
    mean: Callable = lambda m, g: MEAN * m + (1 - MEAN) * g,
    square: Callable = lambda v, g, raw: SQUARE * v + (1 - SQUARE) * g**2,
    move: Callable = lambda m, v: m / (np.sqrt(v) + TINY),
    corrected: Callable = lambda m, v, step: (m / (1 - MEAN**step), v / (1 - SQUARE**step)),
    update: Callable = lambda w, move, rate, decay, name: w - rate * (move + decay * w),
    count: Callable = lambda step: step + 1,
    kept: Callable = lambda step, m, v: (step, m, v),
) -> Callable:
    """Build an adamw_step with some of its pieces replaced."""

    def wrong(weights, gradients, memory, rate, clip, decay):
        step, whole = count(memory["step"]), length(gradients)
        after, means, squares = {}, {}, {}
        for name, w in weights.items():
            g = clipped(gradients[name], clip, whole)
            m, v = mean(memory["mean"][name], g), square(memory["square"][name], g, gradients[name])
            after[name] = update(w, move(*corrected(m, v, step)), rate, decay, name)
            _, means[name], squares[name] = kept(step, m, v)
        return after, {"step": kept(step, 0, 0)[0], "mean": means, "square": squares}

    return wrong


ADAMW = (
    Mistake(
        "1e-8 is added under the root. It is added to the root.",
        adamw(move=lambda m, v: m / np.sqrt(v + TINY)),
    ),
    *(
        Mistake(
            "1e-8 has become another number.", adamw(move=lambda m, v, tiny=tiny: m / (np.sqrt(v) + tiny))
        )
        for tiny in (0, 1e-6, 1e-7, 1e-10, 1e-12)
    ),
    Mistake("the root of v is missing.", adamw(move=lambda m, v: m / (v + TINY))),
    Mistake(
        "the mean is no longer corrected: divide it by 1 - 0.9**step.",
        adamw(corrected=lambda m, v, step: (m, v / (1 - SQUARE**step))),
    ),
    Mistake("neither mean is corrected.", adamw(corrected=lambda m, v, step: (m, v))),
    Mistake(
        "the corrections of the two means are exchanged.",
        adamw(corrected=lambda m, v, step: (m / (1 - SQUARE**step), v / (1 - MEAN**step))),
    ),
    Mistake(
        "the corrections are off by one: the first step is step 1.",
        adamw(corrected=lambda m, v, step: (m / (1 - MEAN ** (step + 1)), v / (1 - SQUARE ** (step + 1)))),
    ),
    Mistake("step is counted by two.", adamw(count=lambda step: step + 2)),
    Mistake("the step in the memory is not counted.", adamw(kept=lambda step, m, v: (step - 1, m, v))),
    Mistake(
        "the memory holds corrected means. It holds m and v as they are.",
        adamw(kept=lambda step, m, v: (step, m / (1 - MEAN**step), v / (1 - SQUARE**step))),
    ),
    Mistake(
        "the memory holds a corrected m. It holds m and v as they are.",
        adamw(kept=lambda step, m, v: (step, m / (1 - MEAN**step), v)),
    ),
    Mistake(
        "0.999 and 0.001 have become other numbers.",
        adamw(
            square=lambda v, g, raw: 0.99 * v + 0.01 * g**2,
            corrected=lambda m, v, step: (m / (1 - MEAN**step), v / (1 - SQUARE**step)),
        ),
    ),
    Mistake(
        "v is made of the gradients before clipping.",
        adamw(square=lambda v, g, raw: SQUARE * v + (1 - SQUARE) * raw**2),
    ),
    Mistake(
        "v never falls in your answer.",
        adamw(square=lambda v, g, raw: np.maximum(v, SQUARE * v + (1 - SQUARE) * g**2)),
    ),
    Mistake(
        "each number of the gradient is clipped by itself. Shorten the whole gradient by one factor.",
        adamw(clipped=lambda g, clip, length: np.clip(g, -clip, clip)),
    ),
    Mistake(
        "every gradient gets the length `clip`, also a shorter one.",
        adamw(clipped=lambda g, clip, length: g * clip / (length + TINY)),
    ),
    Mistake(
        "the gradient is not divided by its length when it is clipped.",
        adamw(clipped=lambda g, clip, length: g * min(1.0, clip)),
    ),
    Mistake("nothing is clipped.", adamw(clipped=lambda g, clip, length: g)),
    Mistake(
        "the length of all gradients is squared: its root is missing.",
        adamw(length=lambda gradients: norm(gradients) ** 2),
    ),
    Mistake(
        "the length of all gradients is not that of the longest array: add up the squares of all.",
        adamw(length=lambda gradients: max(map(np.linalg.norm, gradients.values()))),
    ),
    Mistake(
        "the length of all gradients is not the sum of the arrays' lengths: add up squares, then take "
        "the root.",
        adamw(length=lambda gradients: sum(map(np.linalg.norm, gradients.values()))),
    ),
    Mistake(
        "weights decay only if they are no bias. Here all decay.",
        adamw(update=lambda w, move, rate, decay, name: w - rate * (move + decay * w * (name != "bias"))),
    ),
    Mistake(
        "the decay is taken of the weight after its move. Take it of the weight before.",
        adamw(update=lambda w, move, rate, decay, name: (w - rate * move) * (1 - rate * decay)),
    ),
    Mistake(
        "the decay is not multiplied by the rate.",
        adamw(update=lambda w, move, rate, decay, name: w - rate * move - decay * w),
    ),
    Mistake(
        "the decay is multiplied by the rate twice.",
        adamw(update=lambda w, move, rate, decay, name: w - rate * move - rate**2 * decay * w),
    ),
    Mistake("the weights no longer decay.", adamw(update=lambda w, move, rate, decay, name: w - rate * move)),
    Mistake(
        "the decay has the wrong sign.",
        adamw(update=lambda w, move, rate, decay, name: w - rate * (move - decay * w)),
    ),
    Mistake(
        "the weights go uphill: the move has the wrong sign.",
        adamw(update=lambda w, move, rate, decay, name: w + rate * (move - decay * w)),
    ),
)
