"""Known mistakes about `effective_attention`, attention without its part in the null space, and its inputs.

Brunner et al. (2020, arXiv 1908.04211), section 3. Axes: H heads, T tokens, S tokens attended to, K head
size.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits

SHARE = 1e-8  # a singular value below this share of the largest counts as 0


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
    """(probs, values); `lost`: by how much the rank of the values is below K; scale: of the values."""
    values = (
        rng.normal(size=(H, S, K - lost)) @ rng.normal(size=(H, K - lost, K))
        if lost
        else rng.normal(size=(H, S, K))
    )
    return softmax(2 * rng.normal(size=(H, T, S))).astype(dtype), (scale * values).astype(dtype)


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 2, 5, 5, 2),
        inputs(rng, 3, 4, 6, 2),
        inputs(rng, 2, 3, 5, 4, lost=2),
        inputs(rng, 2, 4, 4, 4, lost=1),
        inputs(rng, 1, 3, 6, 3, scale=1e-10),
        inputs(rng, 2, 2, 3, 5),
        inputs(rng, 2, 7, 7, 3, dtype=np.float32),
    ]


def onto(value: np.ndarray) -> np.ndarray:
    """Return the projection onto the space that the columns of value (S, K) span, (S, S)."""
    u, sizes, _ = np.linalg.svd(value, full_matrices=False)
    span = u[:, sizes > SHARE * sizes.max()]  # (S, rank)
    return span @ span.T


def plain(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return what `effective_attention` returns."""
    return np.stack([A @ onto(V) for A, V in zip(probs, values)])


EFFECTIVE = (
    *edits(
        plain,
        """
        $rank = u[:, sizes > SHARE * sizes.max()]

        this is the other part, the one in the null space, which changes nothing. The effective attention is
        what is left: A minus this.
            A @ onto(V) => A - A @ onto(V)
        this is the attention as it was. If you took `svd` with its full matrices, all S columns of u are
        there; keep those whose singular value is not 0.
            return probs.copy()
        where the values have a lower rank than their shape allows, columns of u are left that belong to the
        null space. Keep those whose singular value is above 1e-8 of the largest.
            $rank => u
        you project onto the space of the rows of V, which has K numbers. The weights have S: take the space
        of the columns, u of the singular value decomposition.
            A @ onto(V) => A @ onto(V.T)
        the rows sum to 1 again in your answer. Effective attention is no distribution: leave it as it comes
        out.
            return result / result.sum(-1, keepdims=True)
        negative numbers are cut off at 0 in your answer. Effective attention may be negative: leave it.
            return np.maximum(result, 0)
        your result has lost its signs. Effective attention may be negative: leave it.
            return np.abs(result)
        you took a softmax of the result. Effective attention is no distribution: leave it as it comes out.
            return softmax(result)
        V times its transpose is no projection. The columns must be orthonormal: take u of the singular value
        decomposition, or `V @ np.linalg.pinv(V)`.
            onto(V) => (V @ V.T)
        you made each column of V one of norm 1. They must stand at right angles to each other, too: take u of
        the singular value decomposition.
            $rank => value / np.linalg.norm(value, axis=0)
        this is the output of the head, A V. Asked for are the weights that give the same output.
            return probs @ values
        you project the columns of A. Each row of A is one token's weights, and is projected: A P, not P A.
            A @ onto(V) => onto(V) @ A
        A P with A turned over: the rows are the tokens that attend. Leave the axes of A.
            A @ onto(V) => (A @ onto(V)).T
        all heads use the values of the first. Each head has its own null space.
            onto(V) => onto(values[0])
        you take the values of all heads together. Each head has its own null space.
            onto(V) => onto(np.concatenate(list(values), axis=-1))
        1e-8 is a share of the largest singular value. Values that are small everywhere keep their rank.
            SHARE * sizes.max() => SHARE
        only the direction of the largest singular value is left. All whose singular value is not 0 count.
            $rank => u[:, :1]
        the direction of the largest singular value is missing.
            $rank => $rank[:, 1:]
        half of the part in the null space is still there.
            A @ onto(V) => (A + A @ onto(V)) / 2
        you take the mean off each row before the projection. The weights are projected as they are.
            A @ onto(V) => (A - A.mean(-1, keepdims=True)) @ onto(V)
        you take the mean off each column of V before the projection. V is taken as it is.
            onto(V) => onto(V - V.mean(0))
        """,
        onto,
    ),
    *pairs_of_edits(
        plain,
        """
        this is the part in the null space
            A @ onto => A - A @ onto
        null directions are not left out
            u[:, sizes > SHARE * sizes.max()] => u
        all heads use the values of the first
            onto(V) => onto(values[0])
        the rows sum to 1 again
            return np.stack([ => return (lambda part: part / part.sum(-1, keepdims=True))(np.stack([
            zip(probs, values)]) => zip(probs, values)]))
        negative numbers are cut off
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
    """True if a change of the weights that no output can show changes nothing."""
    probs, values = inputs(rng, 1, 4, 6, 3)
    change = rng.normal(size=probs.shape)
    return close(f(probs + change - change @ onto(values[0]), values), f(probs, values))


def short_texts_keep_their_weights(f: Callable, rng: np.random.Generator) -> bool:
    probs, values = inputs(rng, 2, 3, 3, 5)
    return close(f(probs, values), probs)
