"""Known mistakes about `token_attribution`, what each input contributes to each output, and its inputs.

Brunner et al. (2020, arXiv 1908.04211), section 5. Axes: T tokens, D numbers of an output, E of an input.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.exercise import Mistake, pairs


def inputs(rng: np.random.Generator, T: int, D: int, E: int, dtype: type = np.float64) -> tuple[np.ndarray]:
    """(jacobian,): near tokens matter more, and each row and column has a size of its own."""
    near = np.exp(-np.abs(np.subtract.outer(np.arange(T), np.arange(T))) / 2)  # (T, T)
    size = near * rng.uniform(0.5, 2, size=(T, 1)) * rng.uniform(0.5, 2, size=T)
    return (((rng.normal(size=(T, D, T, E)) + 0.3) * size[:, None, :, None]).astype(dtype),)


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 3, 2, 2),
        inputs(rng, 5, 3, 2),
        inputs(rng, 1, 2, 3),
        inputs(rng, 4, 2, 4),
        inputs(rng, 7, 4, 3, np.float32),
        inputs(rng, 2, 1, 3),
    ]


def frobenius(jacobian: np.ndarray) -> np.ndarray:
    return np.sqrt((jacobian**2).sum((1, 3)))


def row_share(norms: np.ndarray) -> np.ndarray:
    return norms / norms.sum(1, keepdims=True)


def far(T: int) -> np.ndarray:
    return np.abs(np.subtract.outer(np.arange(T), np.arange(T)))


def mean_at(share: np.ndarray, norms: np.ndarray) -> np.ndarray:
    return np.array([share[far(len(share)) == d].mean() for d in range(len(share))])


def sum_at(share: np.ndarray, norms: np.ndarray) -> np.ndarray:
    return np.array([share[far(len(share)) == d].sum() for d in range(len(share))])


def attributed(
    norm: Callable = frobenius,
    scale: Callable = row_share,
    at: Callable = mean_at,
    order: Callable = lambda share, by: (share, by),
) -> Callable:
    """Build the function with some pieces replaced.

    norm(jacobian): (T, T); scale(norms): (T, T); at(share, norms): (T,).
    """

    def token_attribution(jacobian):
        norms = norm(jacobian)
        share = scale(norms)
        return order(share, at(share, norms))

    return token_attribution


def spectral(jacobian: np.ndarray) -> np.ndarray:
    return np.linalg.norm(jacobian.transpose(0, 2, 1, 3), ord=2, axis=(2, 3))


EACH = "the norm is of all D E derivatives: the root of the sum of their squares"
ATTRIBUTION = (
    Mistake(
        "you add up the numbers of an output before the norm, so that opposite signs cancel: that is the "
        f"gradient of their sum. {EACH[0].upper()}{EACH[1:]}.",
        attributed(lambda J: np.sqrt((J.sum(1) ** 2).sum(-1))),
    ),
    Mistake(
        "you add up the derivatives for the numbers of an input before the norm, so that opposite signs "
        f"cancel. {EACH[0].upper()}{EACH[1:]}.",
        attributed(lambda J: np.sqrt((J.sum(3) ** 2).sum(1))),
    ),
    Mistake(
        "you add all derivatives up and take the size of the sum, so that opposite signs cancel. "
        f"{EACH[0].upper()}{EACH[1:]}.",
        attributed(lambda J: np.abs(J.sum((1, 3)))),
    ),
    Mistake(
        "you add up the absolute values. Take the root of the sum of squares.",
        attributed(lambda J: np.abs(J).sum((1, 3))),
    ),
    Mistake(
        "the root is missing: these are shares of the squared norms.",
        attributed(lambda J: (J**2).sum((1, 3))),
    ),
    Mistake(
        f"this is the largest singular value of each D x E matrix. {EACH[0].upper()}{EACH[1:]}.",
        attributed(spectral),
    ),
    Mistake(
        "you take the largest derivative. Take the root of the sum of squares.",
        attributed(lambda J: np.abs(J).max((1, 3))),
    ),
    Mistake(
        "you add up the norms of the D gradients. One norm of all derivatives is asked for.",
        attributed(lambda J: np.sqrt((J**2).sum(3)).sum(1)),
    ),
    Mistake(
        "the columns sum to 1 in your answer. The contributions to one output, a row, sum to 1.",
        attributed(scale=lambda norms: norms / norms.sum(0)),
    ),
    Mistake(
        "input and output have changed places. Row t is the output at t, column s the input at s.",
        attributed(lambda J: frobenius(J).T),
    ),
    Mistake(
        "the shares are turned over: row t is the output at t, column s the input at s.",
        attributed(scale=lambda norms: row_share(norms).T),
    ),
    Mistake(
        "without `keepdims=True`, column s is divided by the sum of row s. Row t is divided by its own sum.",
        attributed(scale=lambda norms: norms / norms.sum(1)),
    ),
    Mistake("the norms are not divided by their sum over the row.", attributed(scale=lambda norms: norms)),
    Mistake("you took a softmax of the norms. Divide each by the sum of its row.", attributed(scale=softmax)),
    Mistake(
        "you divide by the largest norm of a row. Divide by the sum of the row.",
        attributed(scale=lambda norms: norms / norms.max(1, keepdims=True)),
    ),
    Mistake(
        "you divide by the sum of all norms. Each row is divided by its own sum.",
        attributed(scale=lambda norms: norms / norms.sum()),
    ),
    Mistake(
        "you divide each row by its Euclidean norm. Divide by its sum.",
        attributed(scale=lambda norms: norms / np.linalg.norm(norms, axis=1, keepdims=True)),
    ),
    Mistake(
        "by_distance adds up the shares at a distance. Take their mean: far pairs are few.",
        attributed(at=sum_at),
    ),
    Mistake(
        "by_distance divides by the number of tokens. Divide by the number of pairs at that distance.",
        attributed(at=lambda share, norms: sum_at(share, norms) / len(share)),
    ),
    Mistake(
        "by_distance looks to the right only. |t - s| = d holds on both sides.",
        attributed(
            at=lambda share, norms: np.array([np.diagonal(share, d).mean() for d in range(len(share))])
        ),
    ),
    Mistake(
        "by_distance looks to the left only. |t - s| = d holds on both sides.",
        attributed(
            at=lambda share, norms: np.array([np.diagonal(share, -d).mean() for d in range(len(share))])
        ),
    ),
    Mistake(
        "by_distance is the mean of the norms. Take the mean of the shares.",
        attributed(at=lambda share, norms: mean_at(norms, norms)),
    ),
    Mistake(
        "by_distance adds up nearer distances, too. d means exactly d tokens apart.",
        attributed(
            at=lambda share, norms: np.array([share[far(len(share)) <= d].mean() for d in range(len(share))])
        ),
    ),
    Mistake(
        "by_distance begins with the neighbours. First comes distance 0, the token itself.",
        attributed(at=lambda share, norms: mean_at(share, norms)[1:]),
    ),
    Mistake(
        "by_distance is divided by its own sum. It holds plain means.",
        attributed(at=lambda share, norms: mean_at(share, norms) / mean_at(share, norms).sum()),
    ),
    Mistake(
        "the two results have changed places: first the shares, then by distance.",
        attributed(order=lambda share, by: (by, share)),
    ),
    *pairs(
        attributed,
        (
            dict(norm=lambda J: np.sqrt((J.sum(1) ** 2).sum(-1))),
            "the numbers of an output are added up before the norm",
        ),
        (dict(scale=lambda norms: norms / norms.sum(0)), "the columns sum to 1"),
        (dict(at=sum_at), "by_distance adds up"),
        (dict(norm=lambda J: np.abs(J).sum((1, 3))), "absolute values are added up"),
        (dict(scale=lambda norms: norms), "the norms are not divided by their sum"),
    ),
)


def rows_sum_to_one(f: Callable, rng: np.random.Generator) -> bool:
    share, _ = f(*inputs(rng, 5, 3, 2))
    return close(np.asarray(share, float).sum(1), np.ones(5))


def signs_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    (jacobian,) = inputs(rng, 4, 3, 2)
    signs = np.where(rng.random(jacobian.shape) < 0.5, -1, 1)
    return close(f(jacobian), f(jacobian * signs))


def a_scaled_output_keeps_its_shares(f: Callable, rng: np.random.Generator) -> bool:
    (jacobian,) = inputs(rng, 4, 3, 2)
    return close(f(jacobian), f(jacobian * rng.uniform(0.5, 3, size=(4, 1, 1, 1))))
