"""Compare two results. The module `difference` describes where they differ."""

import contextlib
import sys
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy import allclose, array_equal, isclose  # own names, so that patching np in a notebook has no effect

TOLERANCE = dict(rtol=1e-5, atol=1e-6)  # for answers in float64
TOLERANCE_32 = dict(rtol=1e-4, atol=1e-5)  # for answers in float32, where the order of a sum matters
NUMBERS = "fiub"  # the dtype kinds of plain numbers; other kinds may redefine ==
PLAIN = frozenset({int, float, bool, str, type(None), np.ndarray})  # the types of most list items


def is_array(x: Any) -> bool:
    """Return True for NumPy arrays and PyTorch tensors, without importing PyTorch."""
    return isinstance(x, np.ndarray) or (hasattr(x, "shape") and hasattr(x, "numpy"))


def is_list(x: Any) -> bool:
    """Return whether a value counts as a list: a list, a tuple, or an array with at least one axis."""
    return isinstance(x, (list, tuple)) or is_array(x) and len(x.shape) > 0


def array_from_list(x: Any) -> Any:
    """Return a list or tuple of numbers, nested in equal lengths, as an array; anything else unchanged."""
    if isinstance(x, (list, tuple)):
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            array = np.array(x)
            return array if array.dtype.kind in NUMBERS else x
    return x


def in_form(got: Any, wanted: Any) -> Any:
    """Convert NumPy scalars, lists, tuples and arrays in a result to the types that `wanted` has there.

    wanted: a correct result, perhaps for another input. What cannot be converted is returned unchanged.
    """
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {key: in_form(value, wanted.get(key)) for key, value in got.items()}
    if isinstance(wanted, np.ndarray):
        return array_from_list(got)
    if isinstance(wanted, (list, tuple)) and is_list(got):
        parts = wanted if len(wanted) == len(got) else wanted[:1] * len(got) or [None] * len(got)
        return type(wanted)(map(in_form, got, parts))
    if isinstance(wanted, (int, float)) and is_array(got) | isinstance(got, np.generic) and not got.shape:
        array = as_array(got)
        return (
            array.item() if array.dtype.kind in "iub" or array.dtype == float else got
        )  # float32 is less exact
    return got


def finite(value: Any) -> bool:
    """Return True if no number in a nested value is nan or infinite."""
    if isinstance(value, (list, tuple, dict)):
        return all(map(finite, value.values() if isinstance(value, dict) else value))
    numbers = isinstance(value, float) or hasattr(value, "dtype") and value.dtype.kind == "f"
    return not numbers or bool(np.isfinite(value).all())


def is_number(x: Any) -> bool:
    """Return True for a single real number from Python or NumPy, a Fraction, or a 0-d array or tensor."""
    return isinstance(x, (int, float, np.generic)) or type(x) is Fraction or is_array(x) and not len(x.shape)


def replaces_tuple(x: Any, wanted: tuple) -> bool:
    """Return True if the type and length of `x` are acceptable when the correct result is the tuple `wanted`.

    `x` may be a tuple or list of the same length or, if `wanted` contains only numbers, a 1-d array.
    """
    row = is_array(x) and len(x.shape) == 1 and all(map(is_number, wanted))
    return (isinstance(x, (tuple, list)) or row) and len(x) == len(wanted)


def is_ragged(x: Any) -> bool:
    """Return True for an array of Python objects, such as rows of unequal lengths."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "O" and x.ndim > 0


def as_array(x: Any) -> np.ndarray:
    """Convert a number, an array, a list or a tensor (with or without gradients) to a NumPy array."""
    if hasattr(x, "detach") and hasattr(x, "cpu"):
        x = x.detach().cpu()
        x = x.float() if str(x.dtype) == "torch.bfloat16" else x  # NumPy has no bfloat16
    return np.asarray(float(x) if type(x) is Fraction else x)


def is_tensor(x: Any) -> bool:
    """Return True if type(x) is a PyTorch tensor type, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(type(x), torch.Tensor)


def in_numpy(x: Any) -> Any:
    """Return `x` with every tensor, even in nested tuples, lists and dicts, converted to a NumPy array."""
    if type(x) in (tuple, list):
        return type(x)(x if PLAIN.issuperset(map(type, x)) else map(in_numpy, x))
    if type(x) is dict:
        return {key: in_numpy(value) for key, value in x.items()}
    return as_array(x) if is_tensor(x) else x


def holds_tensors(x: Any) -> bool:
    """Return True if `x` is a tensor, or a tuple, list or dict that contains one at any depth."""
    if type(x) in (tuple, list, dict):
        return any(map(holds_tensors, x.values() if isinstance(x, dict) else x))
    return is_tensor(x)


def describe(x: Any) -> str:
    """Describe a value's type and shape in a few words."""
    if isinstance(x, tuple):
        return "(" + ", ".join(map(describe, x)) + ")"
    if is_array(x):
        return f"an array of shape {tuple(x.shape)}"
    name = type(x).__name__
    return f"a{'n' * (name[0] in 'aeioAEIO')} {name}"


def same(a: Any, b: Any) -> bool:
    """Return True if two nested values are exactly equal, ignoring random generators and functions."""
    if is_ragged(a) and is_ragged(b):
        return a.shape == b.shape and all(map(same, a.flat, b.flat))
    if isinstance(a, (tuple, list)):
        return isinstance(b, (tuple, list)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.random.Generator) or callable(a):
        return True
    floats = isinstance(a, np.ndarray) and a.dtype.kind == "f"
    return array_equal(a, b, equal_nan=floats)


def close(got: Any, expected: Any, atol: float = 0.0) -> bool:
    """Return True if two results agree within rounding error; integers, booleans and strings must be equal.

    atol: the minimum absolute tolerance, for measured numbers.
    """
    if expected is None:
        return got is None
    if isinstance(expected, str):  # also np.str_; a subclass may redefine ==, so we use str's own
        return isinstance(got, str) and str.__eq__(got, expected) is True
    if isinstance(expected, (tuple, list)) or is_ragged(expected):
        alike = replaces_tuple(got, expected) if isinstance(expected, tuple) else is_list(got)
        return (
            alike
            and len(got) == len(expected)
            and all(g is e or close(g, e, atol) for g, e in zip(got, expected, strict=True))
        )
    if isinstance(expected, dict):
        same_keys = isinstance(got, dict) and got.keys() == expected.keys()
        return same_keys and all(close(got[k], expected[k], atol) for k in expected)
    g, e = as_array(got), as_array(expected)
    if g.shape != e.shape or (e.dtype.kind in NUMBERS) != (g.dtype.kind in NUMBERS):
        return False
    if e.dtype.kind not in NUMBERS:
        return g.dtype.kind == e.dtype.kind and bool((g == e).all())
    if e.dtype.kind in "iub":
        return bool(array_equal(g, e))
    allowed = tolerance(g, e, atol)
    if not e.shape:  # most results are single numbers, for which `allclose` takes ten times as long as `near`
        return near(g.item(), e.item(), **allowed)
    # only a known mistake gives nan as an expected result
    return bool(allclose(g, e, equal_nan=True, **allowed))


def near(got: float, expected: float, rtol: float, atol: float) -> bool:
    """Return True if two numbers agree within the tolerances, like NumPy's `isclose`; nan equals nan."""
    if not isfinite(expected):
        return got == expected or got != got and expected != expected
    return abs(got - expected) <= atol + rtol * abs(expected)


def agree(got: Any, expected: Any, atol: float = 0.0) -> bool:
    """Return the result of `close`, or False if the two results cannot be compared."""
    try:
        return close(got, expected, atol)
    except (TypeError, ValueError, RuntimeError):
        return False


def tolerance(got: np.ndarray, expected: np.ndarray, atol: float = 0.0) -> dict[str, float]:
    """Return the relative and the absolute tolerance for comparing two float arrays, as a dict.

    They depend on the less precise of the two dtypes. atol: the minimum absolute tolerance.
    """
    found = TOLERANCE_32 if np.float32 in (got.dtype, expected.dtype) else TOLERANCE
    return {**found, "atol": max(found["atol"], atol)}


def apart(got: Any, expected: Any, atol: float = 0.0) -> np.ndarray:
    """Return a boolean array that is True where two float arrays differ by more than their tolerance."""
    g, e = as_array(got), as_array(expected)
    return ~isclose(g.astype(float), e.astype(float), equal_nan=True, **tolerance(g, e, atol))
