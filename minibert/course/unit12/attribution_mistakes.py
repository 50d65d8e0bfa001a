"""Known mistakes about `token_attribution`, what each input contributes to each output, and its inputs.

Brunner et al. (2020, arXiv 1908.04211), section 5. Axes: T tokens, D numbers of an output, E of an input.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits


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


def plain(jacobian: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what `token_attribution` returns."""
    norms = np.sqrt((jacobian**2).sum((1, 3)))  # (T, T)
    share = norms / norms.sum(1, keepdims=True)
    T = len(share)
    far = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    by_distance = np.array([share[far == d].mean() for d in range(T)])
    return share, by_distance


ATTRIBUTION = (
    *edits(
        plain,
        """
        $norm = np.sqrt((jacobian**2).sum((1, 3)))
        $share = norms / norms.sum(1, keepdims=True)
        $mean = share[far == d].mean()

        you add up the numbers of an output before the norm, so that opposite signs cancel: that is the
        gradient of their sum. The norm is of all D E derivatives: the root of the sum of their squares.
            $norm => np.sqrt((jacobian.sum(1) ** 2).sum(-1))
        you add up the derivatives for the numbers of an input before the norm, so that opposite signs cancel.
        The norm is of all D E derivatives: the root of the sum of their squares.
            $norm => np.sqrt((jacobian.sum(3) ** 2).sum(1))
        you add all derivatives up and take the size of the sum, so that opposite signs cancel. The norm is of
        all D E derivatives: the root of the sum of their squares.
            $norm => np.abs(jacobian.sum((1, 3)))
        you add up the absolute values. Take the root of the sum of squares.
            $norm => np.abs(jacobian).sum((1, 3))
        the root is missing: these are shares of the squared norms.
            np.sqrt => np.asarray
        this is the largest singular value of each D x E matrix. The norm is of all D E derivatives: the root
        of the sum of their squares.
            $norm => np.linalg.norm(jacobian.transpose(0, 2, 1, 3), ord=2, axis=(2, 3))
        you take the largest derivative. Take the root of the sum of squares.
            $norm => np.abs(jacobian).max((1, 3))
        you add up the norms of the D gradients. One norm of all derivatives is asked for.
            $norm => np.sqrt((jacobian**2).sum(3)).sum(1)
        the columns sum to 1 in your answer. The contributions to one output, a row, sum to 1.
            $share => norms / norms.sum(0)
        input and output have changed places. Row t is the output at t, column s the input at s.
            $norm => $norm.T
        the shares are turned over: row t is the output at t, column s the input at s.
            $share => ($share).T
        without `keepdims=True`, column s is divided by the sum of row s. Row t is divided by its own sum.
            $share => norms / norms.sum(1)
        the norms are not divided by their sum over the row.
            $share => norms
        you took a softmax of the norms. Divide each by the sum of its row.
            $share => softmax(norms)
        you divide by the largest norm of a row. Divide by the sum of the row.
            norms.sum(1, => norms.max(1,
        you divide by the sum of all norms. Each row is divided by its own sum.
            $share => norms / norms.sum()
        you divide each row by its Euclidean norm. Divide by its sum.
            $share => norms / np.linalg.norm(norms, axis=1, keepdims=True)
        by_distance adds up the shares at a distance. Take their mean: far pairs are few.
            $mean => share[far == d].sum()
        by_distance divides by the number of tokens. Divide by the number of pairs at that distance.
            $mean => share[far == d].sum() / T
        by_distance looks to the right only. |t - s| = d holds on both sides.
            $mean => np.diagonal(share, d).mean()
        by_distance looks to the left only. |t - s| = d holds on both sides.
            $mean => np.diagonal(share, -d).mean()
        by_distance is the mean of the norms. Take the mean of the shares.
            $mean => norms[far == d].mean()
        by_distance adds up nearer distances, too. d means exactly d tokens apart.
            far == d => far <= d
        by_distance begins with the neighbours. First comes distance 0, the token itself.
            return result[0], result[1][1:]
        by_distance is divided by its own sum. It holds plain means.
            return result[0], result[1] / result[1].sum()
        the two results have changed places: first the shares, then by distance.
            return result[::-1]
        """,
        softmax=softmax,
    ),
    *pairs_of_edits(
        plain,
        """
        the numbers of an output are added up before the norm
            np.sqrt((jacobian**2).sum((1, 3))) => np.sqrt((jacobian.sum(1) ** 2).sum(-1))
        the columns sum to 1
            norms / norms.sum(1, keepdims=True) => norms / norms.sum(0)
        by_distance adds up
            share[far == d].mean() => share[far == d].sum()
        absolute values are added up
            np.sqrt((jacobian**2).sum((1, 3))) => np.abs(jacobian).sum((1, 3))
        the norms are not divided by their sum
            norms / norms.sum(1, keepdims=True) => norms
        """,
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
