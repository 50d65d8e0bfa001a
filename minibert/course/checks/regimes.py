"""Vary a check's inputs, for example with tiny or equal numbers, to reveal more mistakes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .compare import agree, finite
from .known_mistakes import result
from .records import anything


def at_most(x: np.ndarray, largest: float) -> np.ndarray:
    """Scale `x` so that its largest absolute value is `largest`."""
    return x * (largest / (abs(x).max() or 1))


PLACES = 4  # arrays changed per input
LEVEL = 2.5 + 2**-12  # exact in float32, but rounded in half precision
REGIMES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "tiny": lambda x: at_most(x, 1e-8),
    "small": lambda x: at_most(x, 1e-5),  # shows 1e-8 added to a norm, but not 1e-12
    "huge": lambda x: at_most(x, 1e6),
    "whole": lambda x: np.round(3 * x),
    "equal": lambda x: np.full_like(x, LEVEL),
    "ties": lambda x: np.floor(2 * x) / 2 + 0.25,
    "negative": lambda x: -abs(x) - 1,
    "columns first": np.asfortranarray,
}
LISTS: dict[str, Callable] = {  # changes to lists, tuples and strings
    "one": lambda x: x[:1],
    "all the same": lambda x: x[:1] * len(x),
    "reversed": lambda x: x[::-1],
    "twice": lambda x: x + x,
    "long": lambda x: (x * 50)[:100],
}


def in_regimes(
    cases: list[tuple],
    reference: Callable,
    free: Sequence[int] = (),
    left_out: Sequence[str] = (),
    allowed: Callable = anything,
) -> list[tuple[tuple, Any]]:
    """Return unusual variants of test inputs, as pairs (arguments, correct result).

    A regime is one kind of variant, such as tiny or equal numbers. Each variant changes one float64 array,
    which may be an argument or part of a list or dict. If an input has more than PLACES arrays, only PLACES
    of them are changed, and different ones in the next input. Variants whose result depends on rounding are
    left out.

    cases: tuples of arguments. reference: the correct function. free: the positions of arguments that may be
    any number, list or string, so they are changed, too. left_out: the names of regimes to skip.
    allowed(*arguments): whether the text of the exercise allows a variant.

    >>> in_regimes([(np.array([1.0, -2.0]), True)], lambda x, whole: float(x.sum()))[5:7]
    [((array([ 1.25, -1.75]), True), -0.5), ((array([-2., -3.]), True), -5.0)]
    """
    places = [
        (case, place)
        for turn, case in enumerate(cases)
        for place in [*a_few(list(places_of_floats(case)), turn), *((n,) for n in free if n < len(case))]
    ]
    some = (
        changed(case, place, change)
        for case, place in places
        for name, change in changes(case, place).items()
        if name not in left_out
    )
    pairs = ((one, result(reference, one)) for one in some if allowed(*one))
    return [pair for pair in pairs if steady(reference, *pair)]


def a_few(places: list, turn: int) -> list:
    """Return at most PLACES items of the list `places`, chosen in rotation by the counter `turn`."""
    return (places[turn * PLACES % len(places) :] + places)[:PLACES] if len(places) > PLACES else places


def changes(case: tuple, place: tuple) -> dict[str, Callable]:
    """Return the functions, by name, that can change the value at a place in `case`.

    place: the keys that lead to an array, number, list or string in `case`, from the outside in.
    """
    value: Any = case
    for key in place:
        value = value[key]
    if isinstance(value, float):
        return {
            name: lambda x, regime=regime: float(regime(np.array([x]))[0]) for name, regime in REGIMES.items()
        }
    if isinstance(value, np.ndarray):
        return REGIMES
    return LISTS if isinstance(value, (list, tuple, str)) else {}


def places_of_floats(value: Any) -> Iterator[tuple]:
    """Yield the place of each float64 array in a nested value, as a tuple of keys from the outside in."""
    if isinstance(value, np.ndarray):
        if value.dtype == np.float64 and value.size:
            yield ()
    elif isinstance(value, (list, tuple, dict)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((key, *place) for place in places_of_floats(one))


def changed(value: Any, place: tuple, change: Callable) -> Any:
    """Return a copy of a nested value with the part at `place` (keys from the outside in) changed."""
    if not place:
        return change(value)
    key, further = place[0], place[1:]
    if isinstance(value, dict):
        return value | {key: changed(value[key], further, change)}
    return type(value)([*value[:key], changed(value[key], further, change), *value[key + 1 :]])


def everywhere(value: Any, change: Callable) -> Any:
    """Return a copy of a nested value with the function `change` applied to all float64 arrays."""
    for place in places_of_floats(value):
        value = changed(value, place, change)
    return value


def steady(reference: Callable, case: tuple, right: Any) -> bool:
    """Return True if the correct result `right` for the arguments `case` does not depend on rounding.

    The result must be finite, and change little if the arrays are float32 or their numbers change slightly.
    """
    others = (
        result(reference, everywhere(case, change))
        for change in (lambda x: x.astype(np.float32), lambda x: x * (1 + 1e-6 * np.cos(1e4 * x)))
    )
    return right is not None and finite(right) and all(agree(other, right) for other in others)
