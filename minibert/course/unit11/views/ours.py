"""The course's versions of the small functions that students write in the lesson."""

from typing import Any

import numpy as np

from minibert.model.checkpoints.few_bits import largest_multiple
from minibert.reference.losses import soften

__all__ = ["megabytes", "rounded", "soften"]


def megabytes(parameters: float, bits: float) -> float:
    """Return the size of a file of numbers with `bits` bits each: a byte is 8 bits, a megabyte 10^6 bytes.

    >>> megabytes(1_000_000, 32)
    4.0
    """
    return parameters * bits / 8 / 1e6


def rounded(weights: Any, largest: Any, bits: int) -> Any:
    """Round weights to whole multiples of a step, so that `largest` is the last of them.

    >>> rounded(np.array([0.3, -1.0, 0.1]), 1.0, bits=2)
    array([ 0., -1.,  0.])
    """
    step = largest / largest_multiple(bits)
    return np.round(weights / step) * step
