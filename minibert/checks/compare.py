"""When two results count as equal, and how a check says in words where they differ."""
import numpy as np

TOLERANCE = dict(rtol=1e-5, atol=1e-6)      # of answers in float64
LONGEST = 300                               # characters of one argument in a message
TOLERANCE_32 = dict(rtol=1e-4, atol=1e-5)   # of float32, where the order of a sum shows; a wrong formula is further off


def called(parameters, case):
    """The arguments of a call in a few words: shapes of arrays, values of numbers."""
    def word(value):
        if isinstance(value, np.ndarray):
            return f"of shape {value.shape}"
        if isinstance(value, dict) and all(isinstance(entry, np.ndarray) for entry in value.values()):
            return f"a dict of {len(value)} arrays"
        return f"= {shortened(value)}"
    return ", ".join(f"{name} {word(value)}" for name, value in zip(parameters, case, strict=False))


def shortened(value):
    """A value as Python writes it, without the middle where that is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST // 2]} ... {text[-LONGEST // 2:]}"


def is_array(x):
    """True for NumPy arrays and for PyTorch tensors, without importing PyTorch."""
    return isinstance(x, np.ndarray) or (hasattr(x, "shape") and hasattr(x, "numpy"))


def describe(x):
    """A value's type and shape in a few words."""
    if isinstance(x, tuple):
        return "(" + ", ".join(map(describe, x)) + ")"
    if is_array(x):
        return f"an array of shape {tuple(x.shape)}"
    return f"a {type(x).__name__}"


def same(a, b):
    """True when two nested arguments are equal to the bit (random generators are not compared)."""
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.random.Generator) or callable(a):
        return True
    floats = isinstance(a, np.ndarray) and a.dtype.kind == "f"
    return np.array_equal(a, b, equal_nan=floats)


def close(got, expected):
    """True when two results agree within TOLERANCE; whole numbers, booleans and texts exactly.

    Where a list is expected, a tuple or an array with the same items is as good.
    """
    if isinstance(expected, str):
        return isinstance(got, str) and got == expected
    if isinstance(expected, list):
        return is_list(got) and len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, tuple):
        return isinstance(got, tuple) and len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, dict):
        same_keys = isinstance(got, dict) and got.keys() == expected.keys()
        return same_keys and all(close(got[k], expected[k]) for k in expected)
    g, e = np.asarray(got), np.asarray(expected)
    if g.shape != e.shape or g.dtype.kind not in "fiub":
        return g.shape == e.shape and bool((g == e).all())
    if e.dtype.kind in "iub":
        return bool(np.array_equal(g, e))
    return bool(np.allclose(g, e, equal_nan=True, **tolerance(g, e)))       # nan is compared with a known mistake only


def agree(got, expected):
    """`close`, and False for results that cannot be compared."""
    try:
        return close(got, expected)
    except (TypeError, ValueError):
        return False


def is_list(x):
    """True for a list, a tuple or an array: items in an order."""
    return isinstance(x, (list, tuple)) or is_array(x) and np.ndim(x) > 0


def tolerance(got, expected):
    """How far two float arrays may be apart: the precision of the coarser one decides."""
    return TOLERANCE_32 if np.float32 in (got.dtype, expected.dtype) else TOLERANCE


def difference(got, expected):
    """One sentence about where two results of equal shape, or two lists, differ most."""
    if isinstance(expected, list):
        return list_difference(list(got), expected)
    if isinstance(expected, tuple):
        index = next(i for i, (g, e) in enumerate(zip(got, expected, strict=True)) if not close(g, e))
        return f"in result {index + 1} of {len(expected)}, " + difference(got[index], expected[index])
    if isinstance(expected, dict):
        for said, more, fewer in (("is missing", expected, got), ("should not be there", got, expected)):
            keys = [key for key in more if key not in fewer]
            if keys:
                return f"the key {keys[0]!r} {said} ({len(expected)} keys expected, {len(got)} got)."
        key = next(k for k in expected if not close(got[k], expected[k]))
        return f"for {key!r}, " + difference(got[key], expected[key])
    allowed = tolerance(np.asarray(got), np.asarray(expected))
    g, e = np.asarray(got, float), np.asarray(expected, float)
    if not g.ndim:
        return f"expected {e:.6g}, got {g:.6g}."
    if not np.isfinite(g).all():
        return f"{int((~np.isfinite(g)).sum())} of {g.size} values are nan or infinite."
    where = tuple(int(i) for i in np.unravel_index(np.abs(g - e).argmax(), g.shape))
    wrong = int((~np.isclose(g, e, **allowed)).sum())
    return (f"{wrong} of {g.size} values differ; most at index {', '.join(map(str, where))}: "
            f"expected {e[where]:.6g}, got {g[where]:.6g}.")


def list_difference(got, expected):
    """One sentence about two lists: both where they are short, else the first item that differs."""
    if len(repr(expected)) + len(repr(got)) <= LONGEST:
        return f"expected {expected}, got {got}."
    if len(got) != len(expected) and all(map(close, got, expected)):        # one begins with the other
        return f"expected {len(expected)} items, got {len(got)}; as far as both go, they agree."
    i = next(i for i, pair in enumerate(zip(got, expected, strict=False)) if not close(*pair))
    return (f"expected {len(expected)} items, got {len(got)}; the first that differs is item {i}: expected {expected[i]!r}, "
            f"got {got[i]!r}.")
