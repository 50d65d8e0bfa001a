"""Matthews' correlation for two labels, counted by hand: the definition.

Matthews (1975, Biochimica et Biophysica Acta 405), which GLUE uses for CoLA (Wang et al., 2019, arXiv
1804.07461, section 3.1). `minibert.tasks.metrics` computes it by scikit-learn.
"""
import math
from collections.abc import Sequence

import numpy as np


def matthews_correlation(gold: Sequence[int] | np.ndarray, predicted: Sequence[int] | np.ndarray) -> float:
    """Return Matthews' correlation of two lists of the labels 0 and 1, from -1 to 1.

    gold, predicted: (N,). Where one of them is constant, the correlation is 0 / 0, and 0.0 is returned.
    Raises ValueError for lists of different or no length, and for other labels.

    >>> matthews_correlation([1, 1, 1, 0], [1, 1, 1, 1]), matthews_correlation([1, 1, 0, 0], [1, 1, 0, 0])
    (0.0, 1.0)
    """
    gold, predicted = np.asarray(gold), np.asarray(predicted)
    if gold.ndim != 1 or gold.shape != predicted.shape or not gold.size:
        raise ValueError(
            f"labels {gold.shape} and answers {predicted.shape}: both must be (N,) with one N above 0")
    for side in (gold, predicted):
        for label in side[~np.isin(side, (0, 1))][:1]:
            raise ValueError(f"the label {label}: there are 0 and 1 only")
    tp, tn = (int(((gold == label) & (predicted == label)).sum()) for label in (1, 0))
    fp, fn = (int(((gold != label) & (predicted == label)).sum()) for label in (1, 0))
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)  # Python's integers: int64 would overflow
    return (tp * tn - fp * fn) / math.sqrt(below) if below else 0.0
