"""Versions of `layer_rates`, right and wrong, that the student's test has to tell apart.

Sun et al. (2019, arXiv 1905.05583), section 5.3: the learning rate of layer k - 1 is that of layer k times
a decay factor.
"""

from collections.abc import Callable

import numpy as np

from ..checks.student_tests import Version


def rates(
    depth_of: Callable = lambda k, layers: layers - k,
    head: Callable = lambda peak, decay: [peak],
    base: Callable = lambda decay: decay,
    rate: Callable = lambda peak, base, depth: peak * base**depth,
    lowest: int = 0,
) -> Callable:
    """Build `layer_rates` with some pieces replaced.

    depth_of(k, layers): how many times part k is decayed, 0 for the embeddings; head(peak, decay): the end
    of the list; lowest: the first part in it.
    """

    def layer_rates(layers: int, peak: float, decay: float) -> list[float]:
        return [rate(peak, base(decay), depth_of(k, layers)) for k in range(lowest, layers + 1)] + head(
            peak, decay
        )

    return layer_rates


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


def rounded(peak: float, base: float, depth: int) -> float:
    return round(peak * base**depth, 4)


RIGHT = (
    Version("one that multiplies from the top down, and is equal but for the last digits", step_by_step),
    Version("one that adds logarithms, and is equal but for the last digits", by_logarithms),
    Version("one that calls itself for one layer less", one_below),
)
WRONG = (
    Version("gives the lowest layers the highest learning rate", rates(lambda k, layers: k)),
    Version(
        "gives the top layer less than the peak, already decayed once",
        rates(lambda k, layers: layers - k + 1),
    ),
    Version("gives the embeddings as much as the first layer", rates(lambda k, layers: layers - max(k, 1))),
    Version("gives all parts the same learning rate", rates(base=lambda decay: 1.0)),
    Version("leaves out the head", rates(head=lambda peak, decay: [])),
    Version("leaves out the embeddings", rates(lowest=1)),
    Version(
        "subtracts from layer to layer in place of multiplying",
        rates(rate=lambda peak, base, depth: peak * max(1 - depth * (1 - base), 0)),
    ),
)
MORE = (
    Version("decays the head, too", rates(head=lambda peak, decay: [peak * decay])),
    Version("gives the head ten times the peak", rates(head=lambda peak, decay: [10 * peak])),
    Version("decays by 0.5, whatever decay says", rates(base=lambda decay: 0.5)),
    Version(
        "begins at 1, whatever peak says",
        rates(head=lambda peak, decay: [1.0], rate=lambda peak, base, depth: base**depth),
    ),
    Version("decays at most twice", rates(lambda k, layers: min(layers - k, 2))),
    Version(
        "rounds to four digits behind the point, and gives 0 where learning rates are small",
        rates(rate=rounded),
    ),
)
