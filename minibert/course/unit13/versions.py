"""Versions of `layer_rates`, right and wrong, that the student's test has to tell apart.

Sun et al. (2019, arXiv 1905.05583), section 5.3: the learning rate of layer k - 1 is that of layer k times
a decay factor.
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
    """Equal up to the last digits of a float."""
    exponents = np.maximum(layers - np.arange(layers + 2), 0)
    return [float(x) for x in np.exp(np.log(peak) + exponents * np.log(decay))]


def one_below(layers: int, peak: float, decay: float) -> list[float]:
    """The rates of one layer less, and what is below them."""
    if layers == 0:
        return [peak, peak]
    below = one_below(layers - 1, peak, decay)
    return [decay * below[0], *below]


RIGHT = (
    Version("one that multiplies from the top down, and is equal but for the last digits", step_by_step),
    Version("one that adds logarithms, and is equal but for the last digits", by_logarithms),
    Version("one that calls itself for one layer less", one_below),
)
wrong = partial(edited, layer_rates)
RATE = "peak * decay**depth"
WRONG = (
    Version("gives the lowest layers the highest learning rate", wrong("**depth => **(layers - depth)")),
    Version(
        "gives the top layer less than the peak, already decayed once", wrong("**depth => **(depth + 1)")
    ),
    Version(
        "gives the embeddings as much as the first layer",
        wrong("**depth => **min(depth, max(layers - 1, 0))"),
    ),
    Version("gives all parts the same learning rate", wrong("**depth => **0")),
    Version("leaves out the head", wrong("+ [peak] => + []")),
    Version("leaves out the embeddings", wrong("range(layers, => range(layers - 1,")),
    Version(
        "subtracts from layer to layer in place of multiplying",
        wrong(f"{RATE} => peak * max(1 - depth * (1 - decay), 0)"),
    ),
)
MORE = (
    Version("decays the head, too", wrong("+ [peak] => + [peak * decay]")),
    Version("gives the head ten times the peak", wrong("+ [peak] => + [10 * peak]")),
    Version("decays by 0.5, whatever decay says", wrong("decay**depth => 0.5**depth")),
    Version("begins at 1, whatever peak says", wrong(f"{RATE} => decay**depth", "+ [peak] => + [1.0]")),
    Version("decays at most twice", wrong("**depth => **min(depth, 2)")),
    Version(
        "rounds to four digits behind the point, and gives 0 where learning rates are small",
        wrong(f"{RATE} => round({RATE}, 4)"),
    ),
)
