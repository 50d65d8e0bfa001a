"""Test inputs for `effective_attention`, which removes the null-space part of attention, and common mistakes.

Brunner et al. (2020, arXiv 1908.04211), section 3. Axes: H heads, T tokens, S tokens attended to, K head
size.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits

SHARE = 1e-8  # a singular value below this fraction of the largest counts as 0


def inputs(
    rng: np.random.Generator,
    H: int,
    T: int,
    S: int,
    K: int,
    lost: int = 0,
    scale: float = 1.0,
    dtype: type = np.float64,
) -> tuple[np.ndarray, np.ndarray]:
    """Return random attention weights (H, T, S) and values (H, S, K).

    lost: how much lower than K the rank of the values is. scale: a factor for the values.
    """
    values = (
        rng.normal(size=(H, S, K - lost)) @ rng.normal(size=(H, K - lost, K))
        if lost
        else rng.normal(size=(H, S, K))
    )
    return softmax(2 * rng.normal(size=(H, T, S))).astype(dtype), (scale * values).astype(dtype)


def allowed(probs: np.ndarray, values: np.ndarray) -> bool:
    """Return whether no head has only zeros as values."""
    return bool(values.any((1, 2)).all())


def near_the_border(
    rng: np.random.Generator, sizes: tuple[float, ...], scales: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs of 6 tokens in which each head's values have these singular values, times its scale."""

    def orthonormal(n):
        return np.linalg.qr(rng.normal(size=(n, len(sizes))))[0]

    values = [scale * (orthonormal(6) * sizes) @ orthonormal(len(sizes)).T for scale in scales]
    return softmax(2 * rng.normal(size=(len(scales), 3, 6))), np.stack(values)


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 2, 5, 5, 2),
        inputs(rng, 3, 4, 6, 2),
        inputs(rng, 2, 3, 5, 4, lost=2),
        inputs(rng, 2, 4, 4, 4, lost=1),
        inputs(rng, 1, 3, 6, 3, scale=1e-10),
        inputs(rng, 2, 2, 3, 5),
        inputs(rng, 2, 7, 7, 3, dtype=np.float32),
        near_the_border(rng, (1, 1e-2, 1e-7, 1e-9), (1.0,)),
        near_the_border(rng, (1, 0.5), (1.0, 1e10, 1e-10)),
    ]


def onto(value: np.ndarray) -> np.ndarray:
    """Return the matrix (S, S) that projects onto the column space of `value` (S, K)."""
    u, sizes, _ = np.linalg.svd(value, full_matrices=False)
    span = u[:, sizes > SHARE * sizes.max()]  # (S, rank)
    return span @ span.T


def plain(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.stack([A @ onto(V) for A, V in zip(probs, values)])


EFFECTIVE = (
    *edits(
        plain,
        """
        $rank = u[:, sizes > SHARE * sizes.max()]

        you return the part of A in the null space, which has no effect. Return the rest.
            A @ onto(V) => A - A @ onto(V)
        you return the original attention. Use only the columns of u whose singular value is not 0.
            return probs.copy()
        if the values have a low rank, you keep columns of u that belong to the null space. Leave out those
        whose singular value is practically 0.
            $rank => u
        you project onto the row space of V. The weights have one number per token, so project onto its column
        space.
            A @ onto(V) => A @ onto(V.T)
            or
            A @ onto(V) => A @ np.linalg.svd(V, False)[2].T @ np.linalg.svd(V, False)[2]
        the rows sum to 1 in your answer. Do not normalise them: effective attention is not a distribution.
            return result / result.sum(-1, keepdims=True)
        you replace negative numbers by 0. Keep them: effective attention may be negative.
            return np.maximum(result, 0)
        you take absolute values. Keep the signs: effective attention may be negative.
            return np.abs(result)
        you take a softmax of the result. Return the result itself: effective attention is not a distribution.
            return softmax(result)
        you use V times its transpose, which is not a projection. Use orthonormal columns, such as u of the
        singular value decomposition.
            onto(V) => (V @ V.T)
        you only divide each column of V by its norm. The columns must also be orthogonal to each other.
            $rank => value / np.linalg.norm(value, axis=0)
        you return the output of the head, A V. Return the weights that give this output.
            return probs @ values
        you project the columns of A. Project its rows, which contain the weights of one token each.
            A @ onto(V) => onto(V) @ A
        you transpose the result. Keep the axes of A, whose rows are the tokens that attend.
            A @ onto(V) => (A @ onto(V)).T
        you use the values of the first head for all heads. Use each head's own values, because each head has
        its own null space.
            onto(V) => onto(values[0])
        you combine the values of all heads. Use each head's own values, because each head has its own null
        space.
            onto(V) => onto(np.concatenate(list(values), axis=-1))
        you use 1e-8 as an absolute threshold. It is a share of the largest singular value.
            SHARE * sizes.max() => SHARE
        you keep only the column of u with the largest singular value. Keep all columns whose singular value
        is not 0.
            $rank => u[:, :1]
        you leave out the column of u with the largest singular value. Keep all columns whose singular value
        is not 0.
            $rank => $rank[:, 1:]
        your result still contains half of the part in the null space. Remove all of it.
            A @ onto(V) => (A + A @ onto(V)) / 2
        you subtract the mean of each row of A before the projection. Project the weights without this change.
            A @ onto(V) => (A - A.mean(-1, keepdims=True)) @ onto(V)
        you subtract the mean of each column of V before the projection. Use V without this change.
            onto(V) => onto(V - V.mean(0))
        """,
        onto,
    ),
    *pairs_of_edits(
        plain,
        """
        you return the part in the null space, not the rest
            A @ onto => A - A @ onto
        you keep columns of u whose singular value is 0, although they belong to the null space
            u[:, sizes > SHARE * sizes.max()] => u
        you use the values of the first head for all heads instead of each head's own values
            onto(V) => onto(values[0])
        you normalise the rows, although they need not sum to 1
            return np.stack([ => return (lambda part: part / part.sum(-1, keepdims=True))(np.stack([
            zip(probs, values)]) => zip(probs, values)]))
        you replace negative numbers by 0, although they should be kept
            return np.stack([ => return np.maximum(0, np.stack([
            zip(probs, values)]) => zip(probs, values)]))
        """,
        onto,
    ),
)


def output_stays(f: Callable, rng: np.random.Generator) -> bool:
    probs, values = inputs(rng, 2, 4, 6, 3)
    return close(np.asarray(f(probs, values)) @ values, probs @ values)


def again_changes_nothing(f: Callable, rng: np.random.Generator) -> bool:
    probs, values = inputs(rng, 2, 4, 6, 3)
    once = np.asarray(f(probs, values))
    return close(f(once, values), once)


def null_space_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether changing the weights without changing the output leaves f's result unchanged."""
    probs, values = inputs(rng, 1, 4, 6, 3)
    change = rng.normal(size=probs.shape)
    return close(f(probs + change - change @ onto(values[0]), values), f(probs, values))


def short_texts_keep_their_weights(f: Callable, rng: np.random.Generator) -> bool:
    probs, values = inputs(rng, 2, 3, 3, 5)
    return close(f(probs, values), probs)
