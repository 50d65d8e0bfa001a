"""One input of a check once more with other kinds of numbers: tiny, huge, whole, equal, negative, a view.

Some mistakes show with such numbers only, and some that show everywhere else are hidden by them.
"""
from collections.abc import Callable

import numpy as np

REGIMES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "tiny": lambda x: 1e-8 * x, "huge": lambda x: 1e6 * x, "whole": lambda x: np.round(3 * x),
    "equal": lambda x: np.full_like(x, 2.5), "ties": lambda x: np.floor(2 * x) / 2 + 0.25,
    "negative": lambda x: -abs(x) - 1, "a view": lambda x: np.repeat(x, 2, -1)[..., ::2]}
MODEST = ", ".join(name for name in REGIMES if name != "huge")      # for what then depends on the last digits


def in_regimes(case: tuple, *places: int, names: str = ", ".join(REGIMES)) -> list[tuple]:
    """`case` once for each of the regimes `names`, with the argument at one of the `places` in that regime.

    It may be an array, a list of arrays, or a dict, of which one array with fractions is changed at a time.

    >>> in_regimes((np.array([0.5, -1.0]), True), 0, names="whole, negative")
    [(array([ 2., -3.]), True), (array([-1.5, -2. ]), True)]
    """
    return [(*case[:place], changed, *case[place + 1:])
            for place in places or (0,) for name in names.split(", ")
            for changed in in_regime(case[place], REGIMES[name])]


def in_regime(value: np.ndarray | list | dict, regime: Callable) -> list:
    """The values like `value` with arrays in a regime; several for a dict."""
    if isinstance(value, dict):
        return [value | {key: regime(x)} for key, x in value.items()
                if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    return [[regime(x) for x in value] if isinstance(value, list) else regime(value)]
