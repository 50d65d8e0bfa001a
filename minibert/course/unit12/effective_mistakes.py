"""Known mistakes in `effective_attention` (attention without its part in the null space), and the inputs.

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
    """Return (probs, values). lost: by how much the rank of the values is below K; scale: of the values."""
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
    """Return the projection onto the column space of value (S, K), (S, S)."""
    u, sizes, _ = np.linalg.svd(value, full_matrices=False)
    span = u[:, sizes > SHARE * sizes.max()]  # (S, rank)
    return span @ span.T


def plain(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Compute the result of `effective_attention`."""
    return np.stack([A @ onto(V) for A, V in zip(probs, values)])


EFFECTIVE = (
    *edits(
        plain,
        """
        $rank = u[:, sizes > SHARE * sizes.max()]

        this is the part in the null space, which has no effect. The effective attention is
        the rest: A minus this part.
            A @ onto(V) => A - A @ onto(V)
        this is the original attention. If you called `svd` with full matrices, u has all S columns; keep
        those whose singular value is not 0.
            return probs.copy()
        if the values have a lower rank than their shape allows, you keep columns of u that belong to the null
        space. Keep only those whose singular value is above 1e-8 times the largest.
            $rank => u
        you project onto the space of the rows of V, which have K numbers. The weights have S numbers, so
        project onto the space of the columns: take u of the singular value decomposition.
            A @ onto(V) => A @ onto(V.T)
        the rows sum to 1 in your answer. Effective attention is not a distribution: do not normalise it.
            return result / result.sum(-1, keepdims=True)
        you replace negative numbers by 0. Effective attention may be negative: keep them.
            return np.maximum(result, 0)
        you take absolute values. Effective attention may be negative: keep the signs.
            return np.abs(result)
        you take a softmax of the result. Effective attention is not a distribution: leave it unchanged.
            return softmax(result)
        V times its transpose is not a projection. The columns must be orthonormal: take u of the
        singular value decomposition.
            onto(V) => (V @ V.T)
        you divide each column of V by its norm. The columns must also be orthogonal to each other: take u of
        the singular value decomposition.
            $rank => value / np.linalg.norm(value, axis=0)
        this is the output of the head, A V. Return the weights that give the same output.
            return probs @ values
        you project the columns of A. Each row of A is one token's weights, so project the rows: A P, not P A.
            A @ onto(V) => onto(V) @ A
        you transposed the result. The rows are the tokens that attend: keep the axes of A.
            A @ onto(V) => (A @ onto(V)).T
        all heads use the values of the first. Each head has its own null space.
            onto(V) => onto(values[0])
        you take the values of all heads together. Each head has its own null space.
            onto(V) => onto(np.concatenate(list(values), axis=-1))
        the threshold 1e-8 is relative to the largest singular value. If all values are small,
        their rank stays the same.
            SHARE * sizes.max() => SHARE
        you keep only the direction of the largest singular value. Keep all whose singular value is not 0.
            $rank => u[:, :1]
        you leave out the direction of the largest singular value. Keep it.
            $rank => $rank[:, 1:]
        half of the part in the null space is still there. Remove all of it.
            A @ onto(V) => (A + A @ onto(V)) / 2
        you subtract the mean of each row before the projection. Project the weights unchanged.
            A @ onto(V) => (A - A.mean(-1, keepdims=True)) @ onto(V)
        you subtract the mean of each column of V before the projection. Use V unchanged.
            onto(V) => onto(V - V.mean(0))
        """,
        onto,
    ),
    *pairs_of_edits(
        plain,
        """
        this is the part in the null space
            A @ onto => A - A @ onto
        columns of u that belong to the null space are kept
            u[:, sizes > SHARE * sizes.max()] => u
        all heads use the values of the first
            onto(V) => onto(values[0])
        the rows sum to 1 again
            return np.stack([ => return (lambda part: part / part.sum(-1, keepdims=True))(np.stack([
            zip(probs, values)]) => zip(probs, values)]))
        negative numbers are replaced by 0
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
    """Return whether the result ignores a change of the weights that leaves the output unchanged."""
    probs, values = inputs(rng, 1, 4, 6, 3)
    change = rng.normal(size=probs.shape)
    return close(f(probs + change - change @ onto(values[0]), values), f(probs, values))


def short_texts_keep_their_weights(f: Callable, rng: np.random.Generator) -> bool:
    probs, values = inputs(rng, 2, 3, 3, 5)
    return close(f(probs, values), probs)
