"""Test inputs for `head_importance`, which measures how much the loss depends on heads, and common mistakes.

Michel et al. (2019, arXiv 1905.10650), section 4. Axes: L layers, B sequences, H heads, T tokens, K head
size.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits


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
    """Return random outputs of heads and their gradients, (L, B, H, T, K) each, scaled by layer.

    still: the index of a layer whose gradients are 0, or None.
    """
    contexts, gradients = rng.normal(size=(2, L, B, H, T, K)) * rng.uniform(0.5, 2, size=(L, 1, H, 1, 1))
    gradients[1:2] *= 5
    if still is not None:
        gradients[still] = 0
    return contexts.astype(dtype), gradients.astype(dtype)


def faint(rng: np.random.Generator, norm: float = 3e-7) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs with a layer whose scores have this norm: small, but not 0."""
    contexts, gradients = inputs(rng, 2, 3, 4, 2, 3)
    gradients[1] *= norm / np.linalg.norm(np.abs((contexts * gradients).sum((3, 4))).mean(1)[1])
    return contexts, gradients


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 1, 3, 2, 2, 2),
        inputs(rng, 3, 4, 2, 5, 3),
        inputs(rng, 2, 3, 4, 1, 2, still=0),
        inputs(rng, 2, 1, 3, 4, 2),
        inputs(rng, 3, 5, 3, 2, 4, still=2),
        inputs(rng, 2, 2, 5, 3, 2, dtype=np.float32),
    ]


def plain(contexts: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    each = (contexts * gradients).sum((3, 4))  # (L, B, H)
    scores = np.abs(each).mean(1)  # (L, H)
    size = np.linalg.norm(scores, axis=1, keepdims=True)
    return scores / np.where(size == 0, 1, size)


IMPORTANCE = (
    *edits(
        plain,
        """
        $each = (contexts * gradients).sum((3, 4))
        $mean = np.abs(each).mean(1)
        $norm = np.linalg.norm(scores, axis=1, keepdims=True)
        $result = scores / np.where(size == 0, 1, size)

        you add the sequences before you take the absolute value, so opposite signs cancel. Take the absolute
        value of each sequence first.
            $mean => np.abs(each.mean(1))
        you take the absolute value of each product. Sum all products of a sequence first.
            $each => np.abs(contexts * gradients).sum((3, 4))
        you take the absolute value for each token. Sum all products of a sequence first.
            $each => np.abs((contexts * gradients).sum(4)).sum(3)
        the absolute value is missing. A head also matters if its derivative is negative.
            $mean => each.mean(1)
        you square the derivatives. Take their absolute values.
            $mean => (each**2).mean(1)
        you take the root mean square over the sequences. Take the mean of the absolute values.
            $mean => np.sqrt((each**2).mean(1))
        you do not divide the scores by anything. Divide the scores of each layer by their norm.
            $result => scores
        you divide by the norm over all layers. Divide the scores of each layer by their own norm.
            $result => scores / np.linalg.norm(scores)
        you divide by the sum of the layer's scores. Divide by their Euclidean norm.
            $norm => scores.sum(1, keepdims=True)
        you divide by the largest score of the layer. Divide by the Euclidean norm of the layer's scores.
            $norm => scores.max(1, keepdims=True)
        you divide by the squared norm. Divide by the norm itself.
            $norm => (scores**2).sum(1, keepdims=True)
        you normalise each head over the layers. Normalise each layer over its heads.
            $result => scores / np.linalg.norm(scores, axis=0)
        you subtract each layer's mean and divide by its standard deviation. Only divide the scores by their
        norm.
            $norm => scores.std(1, keepdims=True)
            $result => (scores - scores.mean(1, keepdims=True)) / np.where(size == 0, 1, size)
        you divide each sequence's scores by their norm before you take the mean. Take the mean over the
        sequences first.
            $mean => (np.abs(each) / np.maximum(np.linalg.norm(each, axis=2, keepdims=True), 1e-300)).mean(1)
        you use only the gradient. Multiply it by the head's output.
            contexts * gradients => gradients
        you use the norm of the gradient. Multiply the gradient by the head's output.
            $each => np.sqrt((gradients**2).sum((3, 4)))
        you use only the norm of the head's output, but a large output may have no effect on the loss.
        Multiply output and gradient.
            $each => np.sqrt((contexts**2).sum((3, 4)))
        you multiply the norms of output and gradient. Take their dot product, which depends on their
        directions.
            $each => np.sqrt((contexts**2).sum((3, 4)) * (gradients**2).sum((3, 4)))
        you sum the outputs and the gradients before you multiply. Multiply element by element first, then
        sum.
            $each => contexts.sum((3, 4)) * gradients.sum((3, 4))
        a layer whose scores are all 0 gives 0 / 0 in your answer. Return 0 for all heads of this layer.
            $result => scores / size
        you take the maximum over the sequences. Take the mean.
            $mean => np.abs(each).max(1)
        you use only the first sequence. Take the mean over all of them.
            $mean => np.abs(each[:, 0])
        you use only the first token. The loss depends on the head's output at every token.
            $each => (contexts * gradients)[:, :, :, 0].sum(-1)
        your axes are swapped. Return a row for each layer and a column for each head.
            return result.T
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        you add the sequences before you take the absolute value, so that opposite signs cancel
            np.abs(each).mean(1) => np.abs(each.mean(1))
        you do not divide the scores by the norm of their layer
            scores / np.where(size == 0, 1, size) => scores
        you use only the gradient, without multiplying it by the output
            contexts * gradients => gradients
        you take the norm over all layers, not over each layer
            scores / np.where(size == 0, 1, size) => scores / np.linalg.norm(scores)
        the absolute value is missing, which should be taken for each sequence
            np.abs(each).mean(1) => each.mean(1)
        """,
    ),
)


def signs_cancel_within_a_sequence_only(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's result stays the same if the gradients of some sequences change sign."""
    contexts, gradients = inputs(rng, 2, 4, 3, 2, 2)
    signs = np.array([1, -1, 1, -1])[:, None, None, None]
    return close(f(contexts, gradients), f(contexts, gradients * signs))


def each_layer_has_norm_one(f: Callable, rng: np.random.Generator) -> bool:
    return close(np.linalg.norm(np.asarray(f(*faint(rng)), float), axis=1), np.ones(2))


def a_head_without_gradient(f: Callable, rng: np.random.Generator) -> bool:
    contexts, gradients = inputs(rng, 2, 3, 3, 2, 2)
    gradients[1, :, 2] = 0
    scores = np.asarray(f(contexts, gradients))
    return bool(scores[1, 2] == 0 and (scores[0] > 0).all())
