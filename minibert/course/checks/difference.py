"""Describe briefly, in words and numbers, where two results differ."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .compare import NUMBERS, agree, apart, as_array, close, is_ragged, is_tensor

LARGEST_PICTURE = 10  # rows, and columns
NOISE = 1e-9  # smaller numbers, compared with the largest of the array, are probably rounding errors
LONGEST = 300  # characters for one value in a message


def called(parameters: Iterable[str], case: tuple) -> str:
    """Describe the arguments of a call in words: arrays by their shapes, all others by their values."""

    def word(value):
        if isinstance(value, np.ndarray):
            return f"of shape {value.shape}"
        if isinstance(value, np.random.Generator):  # its repr is an address in memory
            return "a generator"
        if callable(value):
            return "a function"
        text = summary(value)
        return text if text.startswith("a dict of") else f"= {text}"

    return ", ".join(f"{name} {word(value)}" for name, value in zip(parameters, case, strict=False))


def summary(value: Any) -> str:
    """Format an argument on one line, with dicts of arrays described by their length."""
    if isinstance(value, dict) and all(isinstance(entry, np.ndarray) for entry in value.values()):
        return f"a dict of {len(value)} arrays"
    if isinstance(value, dict) and len(one_line(value)) > LONGEST:
        return "{" + ", ".join(f"{key!r}: {summary(part)}" for key, part in value.items()) + "}"
    return shortened(value)


def one_line(value: Any) -> str:
    """Format a value on one line like `repr`, with plain Python numbers and long arrays shortened."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{one_line(key)}: {one_line(part)}" for key, part in value.items()) + "}"
    if type(value) in (list, tuple):
        inside = ", ".join(map(one_line, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if not isinstance(value, np.ndarray) and not is_tensor(value):
        return repr(value)
    array = as_array(value)
    if array.dtype.kind not in NUMBERS:
        return one_line(array.tolist())
    text = np.array2string(
        array,
        precision=4,
        suppress_small=True,
        formatter={"float_kind": "{:.4g}".format} if hides(array) else None,
        separator=", ",
        threshold=12,
        edgeitems=3,
        max_line_width=10**6,
    )
    return " ".join(text.split()).replace("[ ", "[")


def hides(array: np.ndarray) -> bool:
    """Return whether an array has numbers that four decimals would show as 0, other than rounding errors."""
    size = abs(array.astype(float))
    return bool(((NOISE * size.max(initial=0) < size) & (size < 5e-5)).any())


def shortened(value: Any) -> str:
    """Format a value on one line, and replace the middle of a long string with an ellipsis."""
    text = one_line(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"


def figures(expected: Any, got: Any) -> tuple[str, str]:
    """Format two numbers with enough digits to distinguish them, or two booleans as True or False."""
    if "b" in (np.asarray(expected).dtype.kind, np.asarray(got).dtype.kind):
        return one_line(expected[()]), one_line(got[()])
    for digits in (6, 10, 17):
        texts = tuple(
            f"{int(x)}" if x.dtype.kind in "iu" else f"{float(x):.{digits}g}" for x in (expected, got)
        )
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def parted(got: Any, expected: Any) -> str:
    """Name the first wrong part of a result, such as "result 2 of 2", or return "" if all parts are right."""
    if agree(got, expected):
        return ""
    if isinstance(expected, tuple):
        number = next(i for i, pair in enumerate(zip(got, expected, strict=True), 1) if not agree(*pair))
        return f"result {number} of {len(expected)}"
    if isinstance(expected, dict):
        return f"the result for {next(key for key in expected if not agree(got[key], expected[key]))!r}"
    return "its result"


def difference(got: Any, expected: Any) -> str:
    """Describe in one sentence where two results of equal shape differ most."""
    return gap(got, expected)["detail"]


def gap(got: Any, expected: Any, atol: float = 0.0) -> dict[str, Any]:
    """Find where two results of equal type and shape differ most.

    Returns keyword arguments for `Failure`: "detail", and for arrays also "expected", "got", "largest",
    "where" and "picture".
    """
    if isinstance(expected, list) or is_ragged(expected):
        return {"detail": list_difference(list(got), list(expected))}
    if isinstance(expected, tuple):
        index = next(i for i, (g, e) in enumerate(zip(got, expected, strict=True)) if not close(g, e, atol))
        inside = gap(got[index], expected[index], atol)
        return inside | {"detail": f"in result {index + 1} of {len(expected)}, {inside['detail']}"}
    if isinstance(expected, dict):
        for said, more, fewer in (("is missing", expected, got), ("should not be there", got, expected)):
            key = next((key for key in more if key not in fewer), None)
            if key is not None:
                return {
                    "detail": f"the key {key!r} {said} (keys expected: {len(expected)}, got: {len(got)})."
                }
        key = next(k for k in expected if not close(got[k], expected[k], atol))
        inside = gap(got[key], expected[key], atol)
        return inside | {"detail": f"for {key!r}, {inside['detail']}"}
    return array_gap(as_array(got), as_array(expected), atol)


def array_gap(g: np.ndarray, e: np.ndarray, atol: float = 0.0) -> dict[str, Any]:
    """Find where two arrays of equal shape, or two single values, differ most; return a dict like `gap`."""
    if e.dtype.kind not in NUMBERS or g.dtype.kind not in NUMBERS:
        return {
            "detail": list_difference(g.tolist(), e.tolist())
            if e.ndim
            else f"expected {shortened(e[()])}, got {shortened(g[()])}."
        }
    wrong = apart(g, e, atol)
    values, right = g.astype(float), e.astype(float)
    broken = ~np.isfinite(values) & np.isfinite(right)
    distance = np.where(broken, np.inf, np.abs(values - right))
    where = tuple(int(i) for i in np.unravel_index(np.nan_to_num(distance, posinf=np.inf).argmax(), g.shape))
    expected, got = figures(e[where], g[where])
    if not g.ndim:
        return numbers(values, right, ()) | {"detail": f"expected {expected}, got {got}."}
    said = (
        f"{int(broken.sum())} of {g.size} values are nan or infinite."
        if broken.any()
        else f"{int(wrong.sum())} of {g.size} values differ. The largest difference is at index "
        f"{', '.join(map(str, where))}: expected {expected}, got {got}."
    )
    return numbers(values, right, where) | {"detail": said, "picture": picture(values, right, where)}


def list_difference(got: Any, expected: Any) -> str:
    """Describe how two lists differ: quote both if they are short, otherwise the first item that differs."""
    both = one_line(expected), one_line(got)
    if len(both[0]) + len(both[1]) <= LONGEST:
        return f"expected {both[0]}, got {both[1]}."
    if len(got) != len(expected) and all(map(agree, got, expected)):  # one list is the start of the other
        return (
            f"expected {len(expected)} items, got {len(got)}; the shorter list equals the start of the "
            "longer one."
        )
    i = next(i for i, pair in enumerate(zip(got, expected, strict=False)) if not agree(*pair))
    return (
        f"expected {len(expected)} items, got {len(got)}; the first difference is at index {i}: expected "
        f"{shortened(expected[i])}, got {shortened(got[i])}."
    )


def numbers(got: np.ndarray, expected: np.ndarray, where: tuple[int, ...]) -> dict[str, Any]:
    """Return the two values at an index and their difference, as keyword arguments for Failure."""
    return {
        "expected": float(expected[where]),
        "got": float(got[where]),
        "where": where,
        "largest": float(abs(got[where] - expected[where])),
    }


def picture(
    got: np.ndarray, expected: np.ndarray, where: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the expected and the actual values around an index as two arrays (rows, columns), for heat maps.

    They are cut from the last two axes. Returns None if the arrays have fewer than four numbers.
    """
    if expected.size < 4:
        return None
    g, e = (np.atleast_2d(x[where[:-2]]) for x in (got, expected))
    cut = []
    for size, place in zip(e.shape, where[-2:] if len(where) > 1 else (0, *where), strict=True):
        start = max(0, min(place - LARGEST_PICTURE // 2, size - LARGEST_PICTURE))
        cut.append(slice(start, start + LARGEST_PICTURE))
    return e[tuple(cut)], g[tuple(cut)]
