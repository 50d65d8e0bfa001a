"""Test inputs for `sampling_shares`, how often each language is sampled, and common mistakes.

Devlin et al. (2019), multilingual README of google-research/bert; Conneau et al. (2020, arXiv 1911.02116),
section 3.1. Axes: N languages.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return sizes of languages and exponents, also 0 and 1, and languages without text."""
    sizes = np.round(np.exp(rng.uniform(0, 9, 7)))
    return [
        (np.array([900.0, 100.0]), 0.5),
        (np.array([2_500_000_000, 12_000_000, 300_000, 40_000]), 0.7),
        (np.array([2_500_000_000, 12_000_000, 300_000, 40_000]), 0.3),
        (np.array([60.0, 30.0, 10.0]), 1.0),
        (np.array([60.0, 30.0, 10.0]), 0.0),
        (np.array([60.0, 0.0, 10.0]), 0.0),
        (np.array([60, 0, 10, 0, 400]), 0.4),
        (np.array([5.0, 5.0, 5.0]), 0.2),
        (np.array([0.2, 0.05, 3.0]), 0.6),
        (np.array([7.0]), 0.7),
        (np.array([9, 1], np.float32), 0.5),
        (sizes, float(rng.uniform(0.1, 0.9))),
        (rng.integers(1, 10**6, 104), 0.7),
    ]


def allowed(counts: np.ndarray, exponent: float) -> bool:
    return bool((counts >= 0).all()) and bool(counts.any()) and 0 <= exponent <= 1


def shares(counts: np.ndarray, exponent: float) -> np.ndarray:
    """Return what `sampling_shares` should."""
    sizes = counts / counts.sum()
    smooth = np.where(sizes > 0, sizes**exponent, 0)
    return smooth / smooth.sum()


SHARES = (
    *edits(
        shares,
        """
        $smooth = np.where(sizes > 0, sizes**exponent, 0)
        $power = sizes**exponent
        $result = smooth / smooth.sum()

        the shares do not add up to 1. Divide by their sum after the power, too.
            $result => smooth
            or
            $smooth => sizes**exponent
            $result => smooth
        a language without text gets a share: 0 to the power of 0 is 1 for a computer. It should stay at 0.
            $smooth => sizes**exponent
        your result is nan if a language has no text. Its share is 0.
            $smooth => np.exp(exponent * np.log(sizes))
        the exponent is not used. Raise the shares to this power.
            $power => sizes
        you use 1 / exponent. A smaller exponent makes the shares more equal.
            $power => sizes ** (1 / max(exponent, 1e-3))
        you use 1 - exponent. Use the exponent itself.
            $power => sizes ** (1 - exponent)
        the exponent is negative in your answer, so small languages become the most frequent ones.
            $power => np.where(sizes > 0, sizes, 1) ** -exponent
        you multiply by the exponent, which cancels out. Raise the shares to this power.
            $power => sizes * exponent
        you mix the shares with equal ones. Raise them to the power of the exponent.
            $smooth => exponent * sizes + (1 - exponent) / len(sizes)
            or
            $power => exponent * sizes + (1 - exponent) / np.sum(sizes > 0)
        you use a softmax. Raise the shares to the power of the exponent, and divide by the sum.
            $smooth => np.exp(exponent * sizes)
            or
            $smooth => np.exp(sizes / max(exponent, 1e-3))
            or
            $power => np.exp(exponent * sizes)
        you use logarithms of the sizes. Raise the shares to the power of the exponent.
            $smooth => np.log1p(counts)
            or
            $smooth => exponent * np.log1p(counts)
        you always use the square root. Use the exponent.
            $power => sizes**0.5
        you always use the exponent of mBERT, 0.7. Use the argument.
            $power => sizes**0.7
        you divide by the largest share. Divide by the sum, so that the shares add up to 1.
            $result => smooth / smooth.max()
        you divide by the number of languages. Divide by the sum.
            $result => smooth / len(smooth)
        you return how many texts there are, not the shares. Divide by the sum.
            $result => counts.sum() * smooth / smooth.sum()
        the shares are rounded. Keep the floats.
            $result => np.round(smooth / smooth.sum(), 2)
        the languages are sorted in your result. Keep their order.
            $result => np.sort(smooth / smooth.sum())[::-1]
            or
            $result => np.sort(smooth / smooth.sum())
        """,
    ),
    *pairs_of_edits(
        shares,
        """
        a language without text gets a share
            np.where(sizes > 0, sizes**exponent, 0) => sizes**exponent
        you divide by the largest share, not by the sum
            smooth / smooth.sum() => smooth / smooth.max()
        """,
    ),
)


def add_up_to_one(f: Callable, rng: np.random.Generator) -> bool:
    return close(float(np.sum(f(np.array([70.0, 25.0, 5.0]), 0.4))), 1.0)


def unit_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether counting in thousands changes nothing."""
    counts = rng.uniform(1, 100, 5)
    return close(np.asarray(f(1000 * counts, 0.6)), np.asarray(f(counts, 0.6)))


def both_ends(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether 1 keeps the shares, and 0 makes those of languages with text equal."""
    counts = np.array([60.0, 0.0, 30.0, 10.0])
    return close(np.asarray(f(counts, 1.0)), counts / 100) and close(
        np.asarray(f(counts, 0.0)), (counts > 0) / 3
    )


def nothing_stays_nothing(f: Callable, rng: np.random.Generator) -> bool:
    counts = np.array([60.0, 0.0, 30.0])
    return all(np.asarray(f(counts, exponent))[1] == 0 for exponent in (0.0, 0.5, 1.0))
