"""Decide whether two results are equal, and describe in words and numbers where they differ."""
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy import allclose, array_equal, isclose  # under names that a notebook does not reach by patching np

TOLERANCE = dict(rtol=1e-5, atol=1e-6)      # of answers in float64
TOLERANCE_32 = dict(rtol=1e-4, atol=1e-5)   # of float32, where the order of a sum matters
NUMBERS = "fiub"                            # kinds of dtype with plain numbers: others may redefine ==
LARGEST_PICTURE = 10                        # rows and columns
LONGEST = 300                               # characters of one argument in a message


def called(parameters: Iterable[str], case: tuple) -> str:
    """Describe the arguments of a call in a few words: shapes of arrays, values of numbers."""
    def word(value):
        if isinstance(value, np.ndarray):
            return f"of shape {value.shape}"
        if isinstance(value, dict) and all(isinstance(entry, np.ndarray) for entry in value.values()):
            return f"a dict of {len(value)} arrays"
        return f"= {shortened(value)}"
    return ", ".join(f"{name} {word(value)}" for name, value in zip(parameters, case, strict=False))


def shortened(value: Any) -> str:
    """The repr of a value; if it is long, without its middle."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST // 2]} ... {text[-LONGEST // 2:]}"


def is_array(x: Any) -> bool:
    """True for NumPy arrays and for PyTorch tensors, without importing PyTorch."""
    return isinstance(x, np.ndarray) or (hasattr(x, "shape") and hasattr(x, "numpy"))


def is_list(x: Any) -> bool:
    """True for a list and what may replace one: a tuple, or an array with at least one axis."""
    return isinstance(x, (list, tuple)) or is_array(x) and len(x.shape) > 0


def as_array(x: Any) -> np.ndarray:
    """Convert a number, an array, a list or a tensor (with or without gradients) to a NumPy array."""
    if hasattr(x, "detach") and hasattr(x, "cpu"):
        x = x.detach().cpu()
        x = x.float() if str(x.dtype) == "torch.bfloat16" else x    # NumPy has no such numbers
    return np.asarray(x)


def describe(x: Any) -> str:
    """Describe a value's type and shape in a few words."""
    if isinstance(x, tuple):
        return "(" + ", ".join(map(describe, x)) + ")"
    if is_array(x):
        return f"an array of shape {tuple(x.shape)}"
    name = type(x).__name__
    return f"a{'n' * (name[0] in 'aeioAEIO')} {name}"


def same(a: Any, b: Any) -> bool:
    """True if two nested arguments are equal bit for bit (random generators are not compared)."""
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.random.Generator) or callable(a):
        return True
    floats = isinstance(a, np.ndarray) and a.dtype.kind == "f"
    return array_equal(a, b, equal_nan=floats)


def close(got: Any, expected: Any) -> bool:
    """True if two results agree within TOLERANCE; integers, booleans and texts must be equal."""
    if expected is None:
        return got is None
    if isinstance(expected, str):  # np.str_ too; by its text, whatever a subclass says of itself
        return isinstance(got, str) and str.__eq__(got, expected) is True
    if isinstance(expected, (tuple, list)):
        alike = isinstance(got, tuple) if isinstance(expected, tuple) else is_list(got)
        return alike and len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, dict):
        same_keys = isinstance(got, dict) and got.keys() == expected.keys()
        return same_keys and all(close(got[k], expected[k]) for k in expected)
    g, e = as_array(got), as_array(expected)
    if g.shape != e.shape or (e.dtype.kind in NUMBERS) != (g.dtype.kind in NUMBERS):
        return False
    if e.dtype.kind not in NUMBERS:
        return g.dtype.kind == e.dtype.kind and bool((g == e).all())
    if e.dtype.kind in "iub":
        return bool(array_equal(g, e))
    # nan is compared with a known mistake only
    return bool(allclose(g, e, equal_nan=True, **tolerance(g, e)))


def agree(got: Any, expected: Any) -> bool:
    """Like `close`, but False for results that cannot be compared."""
    try:
        return close(got, expected)
    except (TypeError, ValueError, RuntimeError):
        return False


def tolerance(got: np.ndarray, expected: np.ndarray) -> dict[str, float]:
    """The tolerance for two float arrays, by the precision of the coarser one."""
    return TOLERANCE_32 if np.float32 in (got.dtype, expected.dtype) else TOLERANCE


def apart(got: Any, expected: Any) -> np.ndarray:
    """A boolean array, True where two float arrays differ by more than their tolerance."""
    g, e = as_array(got), as_array(expected)
    return ~isclose(g.astype(float), e.astype(float), equal_nan=True, **tolerance(g, e))


def difference(got: Any, expected: Any) -> str:
    """Say in one sentence where two results of equal shape differ most."""
    return gap(got, expected)["detail"]


def gap(got: Any, expected: Any) -> dict[str, Any]:
    """Find where two results of equal form differ most.

    Returns arguments of a Failure: detail, and for arrays also expected, got, largest, where and picture.
    """
    if isinstance(expected, list):
        return {"detail": list_difference(list(got), expected)}
    if isinstance(expected, tuple):
        index = next(i for i, (g, e) in enumerate(zip(got, expected, strict=True)) if not close(g, e))
        inside = gap(got[index], expected[index])
        return inside | {"detail": f"in result {index + 1} of {len(expected)}, {inside['detail']}"}
    if isinstance(expected, dict):
        for said, more, fewer in (("is missing", expected, got), ("should not be there", got, expected)):
            key = next((key for key in more if key not in fewer), None)
            if key is not None:
                return {"detail": f"the key {key!r} {said} ({len(expected)} keys expected, {len(got)} got)."}
        key = next(k for k in expected if not close(got[k], expected[k]))
        inside = gap(got[key], expected[key])
        return inside | {"detail": f"for {key!r}, {inside['detail']}"}
    g, e = as_array(got), as_array(expected)
    if e.dtype.kind not in NUMBERS or g.dtype.kind not in NUMBERS:
        return {"detail": f"expected {expected!r}, got {got!r}."}
    wrong = apart(g, e)
    g, e = g.astype(float), e.astype(float)
    if not g.ndim:
        return numbers(g, e, ()) | {"detail": f"expected {e:.6g}, got {g:.6g}."}
    broken = ~np.isfinite(g) & np.isfinite(e)
    distance = np.where(broken, np.inf, np.abs(g - e))
    where = tuple(int(i) for i in np.unravel_index(np.nan_to_num(distance, posinf=np.inf).argmax(), g.shape))
    said = (f"{int(broken.sum())} of {g.size} values are nan or infinite." if broken.any() else
            f"{int(wrong.sum())} of {g.size} values differ; most at index {', '.join(map(str, where))}: "
            f"expected {e[where]:.6g}, got {g[where]:.6g}.")
    return numbers(g, e, where) | {"detail": said, "picture": picture(g, e, where)}


def list_difference(got: Any, expected: Any) -> str:
    """Say how two lists differ: show both if they are short, otherwise the first item that differs."""
    if len(repr(expected)) + len(repr(got)) <= LONGEST:
        return f"expected {expected}, got {got}."
    if len(got) != len(expected) and all(map(agree, got, expected)):            # one begins with the other
        return f"expected {len(expected)} items, got {len(got)}; as far as both go, they agree."
    i = next(i for i, pair in enumerate(zip(got, expected, strict=False)) if not agree(*pair))
    return (f"expected {len(expected)} items, got {len(got)}; the first that differs is item {i}: expected "
            f"{shortened(expected[i])}, got {shortened(got[i])}.")


def numbers(got: np.ndarray, expected: np.ndarray, where: tuple[int, ...]) -> dict[str, Any]:
    """The two values at the index `where`, and how far they are apart, as arguments of a Failure."""
    return {"expected": float(expected[where]), "got": float(got[where]), "where": where,
            "largest": float(abs(got[where] - expected[where]))}


def picture(got: np.ndarray, expected: np.ndarray,
            where: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """(expected, got), each (rows, columns): the values around `where` in the last two axes.

    None if there are too few numbers for a picture.
    """
    if expected.size < 4:
        return None
    g, e = (np.atleast_2d(x[where[:-2]]) for x in (got, expected))
    cut = []
    for size, place in zip(e.shape, where[-2:] if len(where) > 1 else (0, *where), strict=True):
        start = max(0, min(place - LARGEST_PICTURE // 2, size - LARGEST_PICTURE))
        cut.append(slice(start, start + LARGEST_PICTURE))
    return e[tuple(cut)], g[tuple(cut)]
