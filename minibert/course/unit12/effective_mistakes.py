"""Known mistakes about `effective_attention`, attention without its part in the null space, and its inputs.

Brunner et al. (2020, arXiv 1908.04211), section 3. Axes: H heads, T tokens, S tokens attended to, K head
size.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.exercise import Mistake, pairs

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


def spanned(u: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The left singular vectors whose singular value is not 0, (S, rank)."""
    return u[:, sizes > SHARE * sizes.max()]


def onto(value: np.ndarray, keep: Callable = spanned) -> np.ndarray:
    """The projection onto the space that the columns of value (S, K) span, (S, S)."""
    u, sizes, _ = np.linalg.svd(value, full_matrices=False)
    span = keep(u, sizes)
    return span @ span.T


def effective(
    projection: Callable = onto,
    apply: Callable = lambda weights, P: weights @ P,
    values_of: Callable = lambda values: values,
    after: Callable = lambda part: part,
) -> Callable:
    """Build the function with some pieces replaced.

    projection(value): (S, S); apply(weights, P): of one head; values_of(values): for each head.
    """

    def effective_attention(probs, values):
        return np.stack(
            [after(apply(weights, projection(value))) for weights, value in zip(probs, values_of(values))]
        )

    return effective_attention


def row_space(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Attention projected onto the space that the rows of the values span: of K numbers, not of S."""
    _, _, v = np.linalg.svd(values, full_matrices=False)
    return probs @ np.swapaxes(v, -1, -2) @ v


def without_inverse(value: np.ndarray) -> np.ndarray:
    return value @ value.T


def unit_columns(value: np.ndarray) -> np.ndarray:
    """What would be a projection if the columns stood at right angles to each other."""
    columns = value / np.linalg.norm(value, axis=0)
    return columns @ columns.T


def all_together(values: np.ndarray) -> np.ndarray:
    side_by_side = np.concatenate(list(values), axis=-1)
    return np.broadcast_to(side_by_side, (len(values), *side_by_side.shape))


EFFECTIVE = (
    Mistake(
        "this is the other part, the one in the null space, which changes nothing. The effective "
        "attention is what is left: A minus this.",
        effective(apply=lambda A, P: A - A @ P),
    ),
    Mistake(
        "this is the attention as it was. If you took `svd` with its full matrices, all S columns of u "
        "are there; keep those whose singular value is not 0.",
        lambda probs, values: probs.copy(),
    ),
    Mistake(
        "where the values have a lower rank than their shape allows, columns of u are left that belong "
        "to the null space. Keep those whose singular value is above 1e-8 of the largest.",
        effective(lambda value: onto(value, lambda u, sizes: u)),
    ),
    Mistake(
        "you project onto the space of the rows of V, which has K numbers. The weights have S: take the "
        "space of the columns, u of the singular value decomposition.",
        row_space,
    ),
    Mistake(
        "the rows sum to 1 again in your answer. Effective attention is no distribution: leave it as it "
        "comes out.",
        effective(after=lambda part: part / part.sum(-1, keepdims=True)),
    ),
    Mistake(
        "negative numbers are cut off at 0 in your answer. Effective attention may be negative: leave it.",
        effective(after=lambda part: np.maximum(part, 0)),
    ),
    Mistake(
        "your result has lost its signs. Effective attention may be negative: leave it.",
        effective(after=np.abs),
    ),
    Mistake(
        "you took a softmax of the result. Effective attention is no distribution: leave it as it comes out.",
        effective(after=softmax),
    ),
    Mistake(
        "V times its transpose is no projection. The columns must be orthonormal: take u of the singular "
        "value decomposition, or `V @ np.linalg.pinv(V)`.",
        effective(without_inverse),
    ),
    Mistake(
        "you made each column of V one of norm 1. They must stand at right angles to each other, too: "
        "take u of the singular value decomposition.",
        effective(unit_columns),
    ),
    Mistake(
        "this is the output of the head, A V. Asked for are the weights that give the same output.",
        lambda probs, values: probs @ values,
    ),
    Mistake(
        "you project the columns of A. Each row of A is one token's weights, and is projected: A P, not P A.",
        effective(apply=lambda A, P: P @ A),
    ),
    Mistake(
        "A P with A turned over: the rows are the tokens that attend. Leave the axes of A.",
        effective(apply=lambda A, P: (A @ P).T),
    ),
    Mistake(
        "all heads use the values of the first. Each head has its own null space.",
        effective(values_of=lambda values: np.broadcast_to(values[:1], values.shape)),
    ),
    Mistake(
        "you take the values of all heads together. Each head has its own null space.",
        effective(values_of=all_together),
    ),
    Mistake(
        "1e-8 is a share of the largest singular value. Values that are small everywhere keep their rank.",
        effective(lambda value: onto(value, lambda u, sizes: u[:, sizes > SHARE])),
    ),
    Mistake(
        "only the direction of the largest singular value is left. All whose singular value is not 0 count.",
        effective(lambda value: onto(value, lambda u, sizes: u[:, :1])),
    ),
    Mistake(
        "the direction of the largest singular value is missing.",
        effective(lambda value: onto(value, lambda u, sizes: spanned(u, sizes)[:, 1:])),
    ),
    Mistake(
        "half of the part in the null space is still there.", effective(apply=lambda A, P: (A + A @ P) / 2)
    ),
    Mistake(
        "you take the mean off each row before the projection. The weights are projected as they are.",
        effective(apply=lambda A, P: (A - A.mean(-1, keepdims=True)) @ P),
    ),
    Mistake(
        "you take the mean off each column of V before the projection. V is taken as it is.",
        effective(lambda value: onto(value - value.mean(0))),
    ),
    *pairs(
        effective,
        (dict(apply=lambda A, P: A - A @ P), "this is the part in the null space"),
        (dict(projection=lambda value: onto(value, lambda u, sizes: u)), "null directions are not left out"),
        (
            dict(values_of=lambda values: np.broadcast_to(values[:1], values.shape)),
            "all heads use the values of the first",
        ),
        (dict(after=lambda part: part / part.sum(-1, keepdims=True)), "the rows sum to 1 again"),
        (dict(after=lambda part: np.maximum(part, 0)), "negative numbers are cut off"),
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
