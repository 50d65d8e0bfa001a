"""Search for a small failing call that shows a student the mistake.

As in property-based testing, arrays are shortened as long as the call still fails; then their numbers are
rounded.
"""

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .compare import agree, as_array, finite
from .difference import one_line
from .known_mistakes import result
from .records import Specification

MOST_NUMBERS = 12  # numbers in one printed value
LONGEST = 200  # characters in one printed list or dict
SHORT = (1, 2, 3, 4, 6, 8, 12)  # lengths that are tried for an axis
MOST_CALLS = 60  # calls of the answer during one search


def smallest(check: Specification, answer: Callable, cases: Iterable[tuple]) -> str:
    """Describe the smallest input found on which a function is wrong, or return "" if it is too long.

    cases: tuples of arguments, of which the function is wrong for the last and perhaps for others. Smaller
    inputs are tried only if the text of the exercise allows them (see `Specification.allowed`).
    """
    left = iter(range(MOST_CALLS))

    def fails(smaller):
        if not check.allowed(*smaller) or next(left, None) is None:
            return False
        results = different(check, answer, smaller)
        return results is not None and finite(results[1]) and not look_alike(*results)

    for case in cases:
        if not different(check, answer, case):
            continue
        case = rounded(cut(case, fails), fails)
        results = different(check, answer, case)
        if results and (example := told(check.name, check.parameters, case, *results)):
            return example
    return ""


def different(check: Specification, answer: Callable, case: tuple) -> tuple[Any, Any] | None:
    """Return (the student's result, the correct result), or None if they agree or one raises an error."""
    assert check.reference
    got, right = result(answer, case), result(check.reference, case)
    if got is None or right is None or agree(got, right, check.atol):
        return None
    return got, right


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


def cut(case: tuple, fails: Callable) -> tuple:
    """Shorten the arrays in the arguments `case` along their axes while fails(case) remains true.

    Axes of equal length are shortened together, because they probably represent the same dimension.
    """
    lengths = {length: length for array in arrays(case) for length in array.shape}
    for length in sorted(lengths, reverse=True):
        for shorter in SHORT:
            fewer = lengths | {length: min(shorter, length)}
            if shorter < length and fails(shortened(case, fewer)):
                lengths = fewer
                break
    return shortened(case, lengths)


def shortened(case: tuple, lengths: dict[int, int]) -> tuple:
    """Return a copy of the arguments `case` in which an array's axes of length n have length lengths[n]."""
    return mapped(lambda x: x[tuple(slice(lengths[n]) for n in x.shape)].copy(), case)


def rounded(case: tuple, fails: Callable) -> tuple:
    """Round the numbers in the arguments `case` to 0 or 1 decimals, as long as fails(case) remains true."""
    for digits in (0, 1):
        simpler = mapped(lambda x, digits=digits: x.round(digits) + 0 if x.dtype.kind == "f" else x, case)
        if any(array.any() for array in arrays(simpler)) and fails(simpler):
            return simpler
    return case


def look_alike(got: Any, right: Any) -> bool:
    """Return True if two results are printed in the same way, which would explain nothing."""
    return printed(got) is not None and printed(got) == printed(right)


def printed(value: Any) -> str | None:
    """Format a value on one line, or return None if it is too long, or a function or random generator."""
    if callable(value) or isinstance(value, np.random.Generator):
        return None
    if isinstance(value, dict):
        parts = printed_all([*value, *value.values()])
        if parts is None or sum(map(len, parts)) > LONGEST:
            return None
        return "{" + ", ".join(map(": ".join, zip(parts, parts[len(value) :], strict=False))) + "}"
    if not hasattr(value, "shape"):
        parts = printed_all(value) if isinstance(value, (tuple, list)) else [repr(value)]
        if parts is None or sum(map(len, parts)) > LONGEST:
            return None
        text = ", ".join(parts)
        return f"({text})" if isinstance(value, tuple) else f"[{text}]" if isinstance(value, list) else text
    array = as_array(value)
    return None if array.size > MOST_NUMBERS else one_line(array)


def printed_all(values: Iterable[Any]) -> list[str] | None:
    """Format each value on one line, or return None if one of them is too long."""
    parts = [printed(value) for value in values]
    return None if None in parts else [part for part in parts if part is not None]


def told(name: str, parameters: Iterable[str], case: tuple, got: Any, right: Any) -> str:
    """Format a call, its result and the correct result on three lines, or return "" if they are too long."""
    parts = printed_all((*case, got, right))
    if parts is None or look_alike(got, right):
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
