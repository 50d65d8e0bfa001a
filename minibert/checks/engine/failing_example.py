"""A failing call with few numbers: a wrong result is hard to see in a big input, and plain in a small one.

Shrinking as in QuickCheck's successors: cut the axes that the inputs share, keep what still fails, then round
the numbers.
"""
import contextlib
import copy

import numpy as np

from .compare import as_array, close
from .known_mistakes import result

MOST_NUMBERS = 12   # of one printed value
MOST_CALLS = 60     # of the answer, in search of a smaller input


def smallest(check, answer, case):
    """Text of the smallest input found on which `answer` differs from the reference; empty where none can be
    printed.
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


def different(check, answer, case):
    """(what the answer gives, what is right) where both give something and the two can be compared and
    differ, else None.
    """
    got, right = result(answer, case), result(check.reference, case)
    with contextlib.suppress(Exception):
        if got is not None and right is not None and not close(got, right):
            return got, right
    return None


def arrays(value):
    """All arrays in a nested value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays(part)


def mapped(change, value):
    """The nested value with each array changed."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, dict):
        return {key: mapped(change, part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(mapped(change, part) for part in value)
    return copy.deepcopy(value)


def finite(value):
    numbers = [np.asarray(value)] if isinstance(value, (float, np.floating)) else arrays(value)
    return all(np.isfinite(array).all() for array in numbers if array.dtype.kind == "f")


def cut(case, fails):
    """`case` with shorter axes: as axes differ in length, equal lengths are taken for one axis and cut
    together.
    """
    for length in sorted({n for array in arrays(case) for n in array.shape}, reverse=True):
        for shorter in (1, 2, 3):
            if shorter < length:
                smaller = mapped(lambda x, n=length, m=shorter: x[tuple(slice(m if s == n else None)
                                                                        for s in x.shape)], case)
                if fails(smaller):
                    case = smaller
                    break
    return case


def rounded(case, fails):
    """`case` with numbers that are quick to read, where it still fails."""
    for digits in (0, 1):
        simpler = mapped(lambda x, digits=digits: x.round(digits) + 0 if x.dtype.kind == "f" else x, case)
        if any(array.any() for array in arrays(simpler)) and fails(simpler):
            return simpler
    return case


def printed(value):
    """A value on one line, or None where it has too many numbers."""
    if not hasattr(value, "shape"):
        parts = [printed(part) for part in value] if isinstance(value, (tuple, list)) else [repr(value)]
        if isinstance(value, dict) or None in parts or sum(map(len, parts)) > 200:
            return None
        return f"({', '.join(parts)})" if isinstance(value, tuple) else f"[{', '.join(parts)}]" if isinstance(
            value, list) else parts[0]
    array = as_array(value)
    if array.size > MOST_NUMBERS:
        return None
    text = np.array2string(array, precision=4, suppress_small=True, separator=", ", max_line_width=1000)
    return " ".join(text.split()).replace("[ ", "[")


def told(name, parameters, case, got, right):
    """A call with its result and the right one, three lines; empty where something is too long."""
    given = [printed(value) for value in case]
    parts = given + [printed(got), printed(right)]
    if None in parts:
        return ""
    arguments = ", ".join(f"{parameter}={value}" for parameter, value in zip(parameters, given, strict=False))
    return f"A small example: {name}({arguments})\n  gives     {parts[-2]}\n  should be {parts[-1]}"


def calls_of(name, calls):
    """Noted calls with their results, one a line, where they are few and short; else nothing."""
    lines = []
    for given, got in calls:
        parts = [printed(value) for value in (*given, got)]
        if None in parts:
            return ""
        lines.append(f"{name}({', '.join(parts[:-1])}) gives {parts[-1]}")
    return "\n".join(lines) if len(lines) <= 2 else ""
