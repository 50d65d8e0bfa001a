"""Search for a small failing call that shows a student the mistake.

As in property-based testing, arrays are shortened as long as the call still fails; then their numbers are
rounded.
"""

import contextlib
import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .compare import as_array, close
from .known_mistakes import result
from .records import Specification

MOST_NUMBERS = 12  # numbers in one printed value
MOST_CALLS = 60  # calls of the answer during one search


def smallest(check: Specification, answer: Callable, case: tuple) -> str:
    """Describe the smallest input found on which a function is wrong, or return "" if it is too long.

    case: a tuple of arguments for which the function is wrong.
    """
    left = iter(range(MOST_CALLS))

    def fails(smaller):
        if next(left, None) is None:
            return False
        results = different(check, answer, smaller)
        return results is not None and finite(results[1])

    case = rounded(cut(case, fails), fails)
    results = different(check, answer, case)
    return told(check.name, check.parameters, case, *results) if results else ""


def different(check: Specification, answer: Callable, case: tuple) -> tuple[Any, Any] | None:
    """Return (the student's result, the correct result), or None if they agree or one raises an error."""
    assert check.reference
    got, right = result(answer, case), result(check.reference, case)
    with contextlib.suppress(Exception):
        if got is not None and right is not None and not close(got, right):
            return got, right
    return None


def arrays(value: Any) -> Iterator[np.ndarray]:
    """Yield all arrays in a nested value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays(part)


def mapped(change: Callable, value: Any) -> Any:
    """Return a copy of a nested value in which each array is replaced by change(array)."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, dict):
        return {key: mapped(change, part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(mapped(change, part) for part in value)
    return copy.deepcopy(value)


def finite(value: Any) -> bool:
    """Return True if no number in a nested value is nan or infinite."""
    single = isinstance(value, (float, np.floating))
    numbers: Iterable[np.ndarray] = [np.asarray(value)] if single else arrays(value)
    return all(np.isfinite(array).all() for array in numbers if array.dtype.kind == "f")


def cut(case: tuple, fails: Callable) -> tuple:
    """Shorten the arrays in the arguments `case` along their axes while fails(case) remains true.

    Axes of equal length are shortened together, because they probably represent the same dimension.
    """
    for length in sorted({n for array in arrays(case) for n in array.shape}, reverse=True):
        for shorter in (1, 2, 3):
            if shorter < length:
                smaller = mapped(
                    lambda x, n=length, m=shorter: x[tuple(slice(m if s == n else None) for s in x.shape)],
                    case,
                )
                if fails(smaller):
                    case = smaller
                    break
    return case


def rounded(case: tuple, fails: Callable) -> tuple:
    """Round the numbers in the arguments `case` to 0 or 1 decimals, as long as fails(case) remains true."""
    for digits in (0, 1):
        simpler = mapped(lambda x, digits=digits: x.round(digits) + 0 if x.dtype.kind == "f" else x, case)
        if any(array.any() for array in arrays(simpler)) and fails(simpler):
            return simpler
    return case


def printed(value: Any) -> str | None:
    """Format a value on one line, or return None if it is a dict or too long."""
    if isinstance(value, dict):
        return None
    if not hasattr(value, "shape"):
        parts = printed_all(value) if isinstance(value, (tuple, list)) else [repr(value)]
        if parts is None or sum(map(len, parts)) > 200:
            return None
        text = ", ".join(parts)
        return f"({text})" if isinstance(value, tuple) else f"[{text}]" if isinstance(value, list) else text
    array = as_array(value)
    if array.size > MOST_NUMBERS:
        return None
    text = np.array2string(array, precision=4, suppress_small=True, separator=", ", max_line_width=1000)
    return " ".join(text.split()).replace("[ ", "[")


def printed_all(values: Iterable[Any]) -> list[str] | None:
    """Format each value on one line, or return None if one of them is a dict or too long."""
    parts = [printed(value) for value in values]
    return None if None in parts else [part for part in parts if part is not None]


def told(name: str, parameters: Iterable[str], case: tuple, got: Any, right: Any) -> str:
    """Format a call, its result and the correct result on three lines, or return "" if they are too long."""
    parts = printed_all((*case, got, right))
    if parts is None:
        return ""
    arguments = ", ".join(
        f"{parameter}={value}" for parameter, value in zip(parameters, parts[:-2], strict=False)
    )
    return f"A small example: {name}({arguments})\n  gives     {parts[-2]}\n  should be {parts[-1]}"


def calls_of(name: str, calls: Iterable[tuple[tuple, Any]]) -> str:
    """Format recorded calls and their results, one per line, or return "" if the text is too long."""
    lines = []
    for given, got in calls:
        parts = printed_all((*given, got))
        if parts is None:
            return ""
        lines.append(f"{name}({', '.join(parts[:-1])}) gives {parts[-1]}")
    return "\n".join(lines) if len(lines) <= 2 else ""
