"""Compare two models by their scores: do they differ by more than chance differences between seeds?"""

from collections.abc import Mapping, Sequence

import numpy as np

from minibert.readers.wording import with_minus


def verdict(first: str, second: str, scores: Mapping[str, Sequence[float]], unit: str = "points") -> str:
    """Return a sentence that says which of two models has higher scores.

    scores: maps each model to a list with one score per seed. If every score of one model is higher than
    every score of the other, it is better. Otherwise they tie.

    >>> verdict("a", "b", {"a": [3.0, 4.0], "b": [1.0, 2.0]})
    '“a” is 2.0 points above “b”, and every seed agrees'
    >>> verdict("two-way", "b", {"two-way": [1.0, 2.0], "b": [2.0, 2.0]})
    '“two-way” and “b” tie (−0.5 points; the seeds overlap)'
    """
    a, b = scores[first], scores[second]
    gap = float(np.mean(a) - np.mean(b))
    if min(a) > max(b):
        return f"“{first}” is {gap:.1f} {unit} above “{second}”, and every seed agrees"
    if max(a) < min(b):
        return f"“{first}” is {-gap:.1f} {unit} below “{second}”, and every seed agrees"
    return f"“{first}” and “{second}” tie ({with_minus(gap, '{:+.1f}')} {unit}; the seeds overlap)"


def mean_and_range(values: Sequence[float], form: str = "{:.1f}") -> str:
    """Return the mean as text, followed by the minimum and maximum in brackets unless they are equal.

    >>> mean_and_range([1.0, 2.0, 3.0])
    '2.0 (1.0 to 3.0)'
    """
    low, high = form.format(min(values)), form.format(max(values))
    mean = form.format(np.mean(values))
    return mean if low == high else f"{mean} ({low} to {high})"
