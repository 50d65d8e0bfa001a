"""Test inputs for `token_attribution`, which measures the contributions of inputs, and common mistakes.

Brunner et al. (2020, arXiv 1908.04211), section 5. Axes: T tokens, D numbers of an output, E of an input.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits


def inputs(rng: np.random.Generator, T: int, D: int, E: int, dtype: type = np.float64) -> tuple[np.ndarray]:
    """Return random derivatives in which nearby tokens matter more, and rows and columns differ in scale."""
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

        you add the derivatives of an output's numbers, so opposite signs cancel. Square all derivatives
        first.
            $norm => np.sqrt((jacobian.sum(1) ** 2).sum(-1))
        you add the derivatives for an input's numbers, so opposite signs cancel. Square all derivatives
        first.
            $norm => np.sqrt((jacobian.sum(3) ** 2).sum(1))
        you add all derivatives and then take the absolute value, so opposite signs cancel. Square all
        derivatives first.
            $norm => np.abs(jacobian.sum((1, 3)))
        you add the absolute values of the derivatives. Take the square root of the sum of their squares.
            $norm => np.abs(jacobian).sum((1, 3))
        you use the squared norms. Take the square root of each sum of squares.
            np.sqrt => np.asarray
        you take the largest singular value of each matrix. Take the root of the sum of all squares.
            $norm => np.linalg.norm(jacobian.transpose(0, 2, 1, 3), ord=2, axis=(2, 3))
        you take the largest derivative. Take the square root of the sum of the squares of all D E
        derivatives.
            $norm => np.abs(jacobian).max((1, 3))
        you add the norms of the D gradients. Take a single norm of all D E derivatives.
            $norm => np.sqrt((jacobian**2).sum(3)).sum(1)
        the columns sum to 1 in your answer. The rows should sum to 1: a row contains the contributions to one
        output.
            $share => norms / norms.sum(0)
        you swapped input and output. Row t is the output at t, and column s the input at s.
            $norm => $norm.T
        you transposed the shares. Row t is the output at t, and column s the input at s.
            $share => ($share).T
        you divide each column by the sum of a row, because the sum has lost its axis. Divide each row by its
        own sum.
            $share => norms / norms.sum(1)
        you do not divide the norms by anything. Divide each of them by the sum of its row.
            $share => norms
        you take a softmax of the norms. Divide each norm by the sum of its row.
            $share => softmax(norms)
        you divide by the largest norm of a row. Divide by the sum of the row.
            norms.sum(1, => norms.max(1,
        you divide by the sum of all norms. Divide each row by its own sum.
            $share => norms / norms.sum()
        you divide each row by its Euclidean norm. Divide by its sum.
            $share => norms / np.linalg.norm(norms, axis=1, keepdims=True)
        your by_distance adds the shares at each distance. Take their mean, because there are fewer pairs at
        larger distances.
            $mean => share[far == d].sum()
        your by_distance divides by the number of tokens. Divide by the number of pairs at each distance.
            $mean => share[far == d].sum() / T
        your by_distance uses only inputs to the right of the output. Use those on both sides.
            $mean => np.diagonal(share, d).mean()
        your by_distance uses only inputs to the left of the output. Use those on both sides.
            $mean => np.diagonal(share, -d).mean()
        your by_distance is the mean of the norms. Take the mean of the shares.
            $mean => norms[far == d].mean()
        your by_distance includes smaller distances. Use only pairs that are exactly d tokens apart.
            far == d => far <= d
        your by_distance begins with distance 1. Begin with distance 0, the token itself.
            return result[0], result[1][1:]
        you divide by_distance by its own sum. Leave it as it is: it contains means.
            return result[0], result[1] / result[1].sum()
        your two results are swapped. Return the shares first, then the means by distance.
            return result[::-1]
        """,
        softmax=softmax,
    ),
    *pairs_of_edits(
        plain,
        """
        you add the derivatives of an output's numbers before you square them, so opposite signs cancel
            np.sqrt((jacobian**2).sum((1, 3))) => np.sqrt((jacobian.sum(1) ** 2).sum(-1))
        the columns sum to 1, but the rows should
            norms / norms.sum(1, keepdims=True) => norms / norms.sum(0)
        by_distance adds the shares instead of taking their mean
            share[far == d].mean() => share[far == d].sum()
        you add the absolute values of the derivatives instead of taking a norm
            np.sqrt((jacobian**2).sum((1, 3))) => np.abs(jacobian).sum((1, 3))
        you do not divide the norms by the sum of their row
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
