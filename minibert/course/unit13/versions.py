"""Correct and wrong versions of `layer_rates`, which the student's test must tell apart.

Sun et al. (2019, arXiv 1905.05583), section 5.3: the learning rate of layer k - 1 is the learning rate of
layer k times a decay factor.
"""

from functools import partial

import numpy as np

from ..checks.edits import edited
from ..checks.student_tests import Version
from .definitions import layer_rates


def step_by_step(layers: int, peak: float, decay: float) -> list[float]:
    result = [peak, peak]
    for _ in range(layers):
        result.insert(0, result[0] * decay)
    return result


def by_logarithms(layers: int, peak: float, decay: float) -> list[float]:
    """Return the learning rates, computed by adding logarithms, which changes the rounding."""
    exponents = np.maximum(layers - np.arange(layers + 2), 0)
    return [float(x) for x in np.exp(np.log(peak) + exponents * np.log(decay))]


def one_below(layers: int, peak: float, decay: float) -> list[float]:
    """Return the learning rates, computed recursively by adding one for the lowest layer in front."""
    if layers == 0:
        return [peak, peak]
    below = one_below(layers - 1, peak, decay)
    return [decay * below[0], *below]


RIGHT = (
    Version("one that multiplies from the top down, with small rounding differences", step_by_step),
    Version("one that adds logarithms, with small rounding differences", by_logarithms),
    Version("one that calls itself for one layer less", one_below),
)
wrong = partial(edited, layer_rates)
RATE = "peak * decay**depth"
WRONG = (
    Version("gives the lowest layers the highest learning rate", wrong("**depth => **(layers - depth)")),
    Version("gives the top layer less than the peak, after one decay", wrong("**depth => **(depth + 1)")),
    Version(
        "gives the embeddings the same learning rate as the first layer",
        wrong("**depth => **min(depth, max(layers - 1, 0))"),
    ),
    Version("gives all parts the same learning rate", wrong("**depth => **0")),
    Version("leaves out the head", wrong("+ [peak] => + []")),
    Version("leaves out the embeddings", wrong("range(layers, => range(layers - 1,")),
    Version(
        "subtracts from layer to layer instead of multiplying",
        wrong(f"{RATE} => peak * max(1 - depth * (1 - decay), 0)"),
    ),
    Version("decays by 0.5, whatever decay is", wrong("decay**depth => 0.5**depth")),
    Version("begins at 1, whatever peak is", wrong(f"{RATE} => decay**depth", "+ [peak] => + [1.0]")),
)
MORE = (
    Version("decays the head, too", wrong("+ [peak] => + [peak * decay]")),
    Version("gives the head ten times the peak", wrong("+ [peak] => + [10 * peak]")),
    Version("decays at most twice", wrong("**depth => **min(depth, 2)")),
    Version(
        "rounds to four decimals, and so returns 0 for small learning rates",
        wrong(f"{RATE} => round({RATE}, 4)"),
    ),
)
