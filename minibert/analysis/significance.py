"""McNemar's exact test, which compares two models on the same test set.

McNemar (1947, Psychometrika 12); Dror et al. (2018, P18-1128 in the ACL Anthology), section 3, on the right
test for each metric; Holm (1979) for multiple comparisons.
"""

import math
from collections.abc import Sequence

import numpy as np


def is_significant(
    right_a: Sequence[bool] | np.ndarray,
    right_b: Sequence[bool] | np.ndarray,
    level: float,
    comparisons: int = 1,
) -> tuple[float, bool]:
    """Return the p-value of the difference between two models, and whether it is significant.

    right_a, right_b: (N,) bool, whether each model is right on each of the same N examples. Only examples on
    which exactly one model is right count. If the models were equally good, each would win such an example
    with probability 1/2; p is the two-sided probability of a result at least as uneven as this one. level:
    the largest p that counts as significant; for multiple comparisons, the limit for each is level /
    comparisons (Bonferroni). Raises ValueError if the arrays have different shapes.

    >>> is_significant([True] * 6 + [False], [False] * 6 + [True], level=0.05)   # 6 wins to 1
    (0.125, False)
    """
    a, b = np.asarray(right_a, bool), np.asarray(right_b, bool)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"the answers have shapes {a.shape} and {b.shape}, but both must be (N,)")
    wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2**n  # Python's exact integers
    p = min(1.0, 2 * tail)
    return p, p <= level / comparisons


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Correct p-values for multiple comparisons, and return them in the same order.

    Holm (1979, Scandinavian Journal of Statistics 6): the smallest of m is multiplied by m, the next by m -
    1, and so on; results never decrease, nor exceed 1. If you compare each with a level, the probability that
    any of them is significant by chance is at most that level.

    >>> holm([0.04, 0.01, 0.03]).tolist()
    [0.06, 0.03, 0.06]
    """
    p = np.asarray(p_values, float)  # (m,)
    order = np.argsort(p)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1)
    return corrected
