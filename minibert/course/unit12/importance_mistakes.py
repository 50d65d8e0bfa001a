"""Known mistakes about `head_importance`, how much the loss depends on each head, and its inputs.

Michel et al. (2019, arXiv 1905.10650), section 4. Axes: L layers, B sequences, H heads, T tokens, K head
size.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Mistake, pairs


def inputs(
    rng: np.random.Generator,
    L: int,
    B: int,
    H: int,
    T: int,
    K: int,
    still: int | None = None,
    dtype: type = np.float64,
) -> tuple[np.ndarray, np.ndarray]:
    """(contexts, gradients), layers of unlike size; `still`: a layer whose gradients are all 0."""
    contexts, gradients = rng.normal(size=(2, L, B, H, T, K)) * rng.uniform(0.5, 2, size=(L, 1, H, 1, 1))
    gradients[1:2] *= 5
    if still is not None:
        gradients[still] = 0
    return contexts.astype(dtype), gradients.astype(dtype)


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 1, 3, 2, 2, 2),
        inputs(rng, 3, 4, 2, 5, 3),
        inputs(rng, 2, 3, 4, 1, 2, still=0),
        inputs(rng, 2, 1, 3, 4, 2),
        inputs(rng, 3, 5, 3, 2, 4, still=2),
        inputs(rng, 2, 2, 5, 3, 2, dtype=np.float32),
    ]


def derivative(contexts: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    """The derivative of each sequence's loss for a factor on each head, (L, B, H)."""
    return (contexts * gradients).sum((3, 4))


def mean_size(each: np.ndarray) -> np.ndarray:
    return np.abs(each).mean(1)


def divided(scores: np.ndarray, by: np.ndarray) -> np.ndarray:
    return scores / np.where(by == 0, 1, by)


def by_layer(scores: np.ndarray) -> np.ndarray:
    return divided(scores, np.linalg.norm(scores, axis=1, keepdims=True))


def standardised(scores: np.ndarray) -> np.ndarray:
    return divided(scores - scores.mean(1, keepdims=True), scores.std(1, keepdims=True))


def important(
    each: Callable = derivative, over: Callable = mean_size, scaled: Callable = by_layer
) -> Callable:
    """Build the function with some pieces replaced.

    each(contexts, gradients): (L, B, H); over(each): (L, H); scaled(scores): (L, H).
    """

    def head_importance(contexts, gradients):
        return scaled(over(each(contexts, gradients)))

    return head_importance


def each_sequence_scaled(each: np.ndarray) -> np.ndarray:
    """The mean of the sequences' scores, each layer of each sequence of norm 1."""
    size = np.abs(each)
    return divided(size, np.linalg.norm(size, axis=2, keepdims=True)).mean(1)


SUM = "the derivative for a factor on a head is one number a sequence: the sum of all products"
IMPORTANCE = (
    Mistake(
        "you add up the sequences before you take the size, so that opposite signs cancel: that is the "
        "gradient of the batch's loss. Take the size for each sequence, then the mean.",
        important(over=lambda each: np.abs(each.mean(1))),
    ),
    Mistake(
        f"you take the size of each product before the sum. {SUM[0].upper()}{SUM[1:]}; then its size.",
        important(lambda c, g: np.abs(c * g).sum((3, 4))),
    ),
    Mistake(
        f"you take the size for each token. {SUM[0].upper()}{SUM[1:]}; then its size.",
        important(lambda c, g: np.abs((c * g).sum(4)).sum(3)),
    ),
    Mistake(
        "the size is missing: a head is as important if the loss gets smaller. Take the absolute value "
        "for each sequence.",
        important(over=lambda each: each.mean(1)),
    ),
    Mistake("you take squares in place of absolute values.", important(over=lambda each: (each**2).mean(1))),
    Mistake(
        "you take the root of the mean square over the sequences. Take the mean of the absolute values.",
        important(over=lambda each: np.sqrt((each**2).mean(1))),
    ),
    Mistake(
        "the scores are not divided by the norm of their layer.", important(scaled=lambda scores: scores)
    ),
    Mistake(
        "you divide by the norm over all layers. Each layer is divided by its own.",
        important(scaled=lambda scores: scores / np.linalg.norm(scores)),
    ),
    Mistake(
        "you divide by the sum of the layer. Its Euclidean norm is asked for: the root of the sum of "
        "squares.",
        important(scaled=lambda scores: divided(scores, scores.sum(1, keepdims=True))),
    ),
    Mistake(
        "you divide by the largest score of the layer. Divide by its Euclidean norm.",
        important(scaled=lambda scores: divided(scores, scores.max(1, keepdims=True))),
    ),
    Mistake(
        "you divide by the squared norm. Take the root of the sum of squares.",
        important(scaled=lambda scores: divided(scores, (scores**2).sum(1, keepdims=True))),
    ),
    Mistake(
        "you divide each head by its norm over the layers. A layer is divided by its norm over the heads.",
        important(scaled=lambda scores: scores / np.linalg.norm(scores, axis=0)),
    ),
    Mistake(
        "you take the mean off each layer and divide by its deviation. Only divide, by its norm.",
        important(scaled=standardised),
    ),
    Mistake(
        "you divide each sequence's scores by their norm before the mean. Take the mean over the "
        "sequences first.",
        important(over=each_sequence_scaled),
    ),
    Mistake(
        "this is the gradient alone. A head's factor multiplies its output, so its derivative is output "
        "times gradient.",
        important(lambda c, g: g.sum((3, 4))),
    ),
    Mistake(
        "this is the norm of the gradient. A head's factor multiplies its output, so its derivative is "
        "output times gradient.",
        important(lambda c, g: np.sqrt((g**2).sum((3, 4)))),
    ),
    Mistake(
        "this is the size of the head's output alone. It may be large and the loss not care: multiply by "
        "the gradient.",
        important(lambda c, g: np.sqrt((c**2).sum((3, 4)))),
    ),
    Mistake(
        "you multiply the norms of output and gradient. Their scalar product is asked for, which knows "
        "whether they point the same way.",
        important(lambda c, g: np.sqrt((c**2).sum((3, 4)) * (g**2).sum((3, 4)))),
    ),
    Mistake(
        "you add up outputs and gradients before you multiply. Multiply number by number, then add up.",
        important(lambda c, g: c.sum((3, 4)) * g.sum((3, 4))),
    ),
    Mistake(
        "a layer whose scores are all 0 gives 0 / 0 in your answer. It stays 0.",
        important(scaled=lambda scores: scores / np.linalg.norm(scores, axis=1, keepdims=True)),
    ),
    Mistake(
        "you take the largest sequence. The mean over the sequences is asked for.",
        important(over=lambda each: np.abs(each).max(1)),
    ),
    Mistake(
        "only the first sequence counts. Take the mean over all of them.",
        important(over=lambda each: np.abs(each[:, 0])),
    ),
    Mistake(
        "only the first token, [CLS], counts. The head's output at every token goes into the loss.",
        important(lambda c, g: (c * g)[:, :, :, 0].sum(-1)),
    ),
    Mistake(
        "the axes have changed places: a row for each layer, a column for each head.",
        lambda contexts, gradients: important()(contexts, gradients).T,
    ),
    *pairs(
        important,
        (dict(over=lambda each: np.abs(each.mean(1))), "the sequences are added up before the size"),
        (dict(scaled=lambda scores: scores), "the scores are not divided by their layer's norm"),
        (dict(each=lambda c, g: g.sum((3, 4))), "the gradient stands alone, without the output"),
        (dict(scaled=lambda scores: scores / np.linalg.norm(scores)), "the norm is that of all layers"),
        (dict(over=lambda each: each.mean(1)), "the size is missing"),
    ),
)


def signs_cancel_within_a_sequence_only(f: Callable, rng: np.random.Generator) -> bool:
    """True if gradients with the other sign in some sequences give the same."""
    contexts, gradients = inputs(rng, 2, 4, 3, 2, 2)
    signs = np.array([1, -1, 1, -1])[:, None, None, None]
    return close(f(contexts, gradients), f(contexts, gradients * signs))


def each_layer_has_norm_one(f: Callable, rng: np.random.Generator) -> bool:
    return close(np.linalg.norm(np.asarray(f(*inputs(rng, 3, 2, 4, 2, 3)), float), axis=1), np.ones(3))


def a_head_without_gradient(f: Callable, rng: np.random.Generator) -> bool:
    contexts, gradients = inputs(rng, 2, 3, 3, 2, 2)
    gradients[1, :, 2] = 0
    scores = np.asarray(f(contexts, gradients))
    return bool(scores[1, 2] == 0 and (scores[0] > 0).all())
