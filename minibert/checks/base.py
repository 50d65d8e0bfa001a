"""The ladder every check climbs: exists, signature, runs, type, shape, leaves its inputs alone, invariants, values.

One `Exercise` per function that a student writes. It holds the reference, inputs that tell mistakes apart, invariants
said in words, and the known mistakes as small wrong implementations: when a value is wrong, the check runs those on the
same input and names the one that gives the student's result.
"""
import contextlib
import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

TOLERANCE = dict(rtol=1e-5, atol=1e-6)      # an answer in float32 passes; a wrong formula does not


class CheckFailed(AssertionError):
    """A failed check. Notebooks show its message alone, without a traceback of our code."""

    def _render_traceback_(self):
        return [str(self)]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: `function` computes it, `hint` is what the student is told."""

    hint: str
    function: Callable


@dataclass(frozen=True)
class Invariant:
    """`sentence` says what must hold; `holds(answer, rng)` returns True, or False, or a sentence that names the mistake."""

    sentence: str
    holds: Callable


@dataclass(frozen=True)
class Exercise:
    """The check of one function; calling it with the student's function prints what was verified or raises CheckFailed.

    name and parameters: as the exercise fixes them. cases(rng): list of argument tuples. reference: the right function,
    or None where only invariants decide (random functions). implementations: package functions that must not be called.
    """

    name: str
    parameters: tuple
    cases: Callable
    reference: Callable | None = None
    invariants: tuple = ()
    mistakes: tuple = ()
    implementations: tuple = ()
    hints: tuple = field(default=())

    def __call__(self, answer, seed=0, hidden=False):
        """Check `answer`. seed: of the inputs drawn; hidden: inputs and values are not shown in the message."""
        try:
            self._signature(answer)
            rng = np.random.default_rng(seed)
            cases = self.cases(rng)
            expected = [self.reference(*copy.deepcopy(case)) if self.reference else None for case in cases]
            guarded = self._guard(answer)
            for case, value in zip(cases, expected):
                got = self._run(guarded, case)
                if self.reference:
                    self._shape(got, value)
                    self._values(got, value, case, hidden)
            for invariant in self.invariants:
                self._invariant(invariant, guarded, rng)
        except NotImplementedError:
            raise CheckFailed(f"{self.name}: not written yet. Replace `raise NotImplementedError()` by your answer.") from None
        verified = ["runs", "leaves its inputs alone"] + [i.sentence for i in self.invariants]
        verified += [f"equals the reference on {len(cases)} inputs"] if self.reference else []
        print(f"{self.name}: passed" + ("." if hidden else " (" + "; ".join(verified) + ")."))

    def hint(self, number=1):
        """Print the given hint, 1 to len(hints); later ones say more."""
        if not 1 <= number <= len(self.hints):
            raise ValueError(f"hint {number}: {self.name} has hints 1 to {len(self.hints)}")
        print(self.hints[number - 1])

    def _fail(self, message):
        raise CheckFailed(f"{self.name}: {message}")

    def _signature(self, answer):
        if not callable(answer):
            self._fail(f"this is {type(answer).__name__}, not a function. Did you overwrite the name?")
        try:
            names = tuple(inspect.signature(answer).parameters)
        except (TypeError, ValueError):
            return                                              # a built-in without a signature: its values decide
        if names[:len(self.parameters)] != self.parameters:
            self._fail(f"takes ({', '.join(names)}); it should take ({', '.join(self.parameters)}).")

    def _guard(self, answer):
        """`answer`, with the package's own implementations unusable while it runs."""
        def guarded(*args, **kwargs):
            with unusable(self.implementations):
                return answer(*args, **kwargs)
        return guarded

    def _run(self, answer, case):
        """The student's result; her own exceptions pass through with her traceback."""
        given = copy.deepcopy(case)
        got = answer(*given)
        if not same(given, case):
            self._fail("it changes its inputs. Work on a copy: `x = x - m` instead of `x -= m`.")
        if got is None:
            self._fail("it returns None. Is the `return` missing?")
        return got

    def _shape(self, got, expected):
        if isinstance(expected, tuple):
            if not isinstance(got, tuple) or len(got) != len(expected):
                self._fail(f"returns {describe(got)}; it should return {len(expected)} values: {describe(expected)}.")
            for g, e in zip(got, expected):
                self._shape(g, e)
        elif isinstance(expected, np.ndarray):
            if not is_array(got):
                self._fail(f"returns {describe(got)}; it should return an array of shape {expected.shape}.")
            if tuple(got.shape) != expected.shape:
                self._fail(f"the shape is {tuple(got.shape)}; it should be {expected.shape}.")
            if expected.dtype == bool and np.asarray(got).dtype != bool:
                self._fail(f"the dtype is {np.asarray(got).dtype}; it should be bool (True and False).")
        elif isinstance(expected, dict):
            if not isinstance(got, dict) or set(got) != set(expected):
                self._fail(f"returns {describe(got)}; it should return a dict with the keys {', '.join(map(repr, expected))}.")
        elif np.ndim(got):
            self._fail(f"returns {describe(got)}; it should return one number.")

    def _values(self, got, expected, case, hidden):
        if close(got, expected):
            return
        for mistake in self.mistakes:
            with contextlib.suppress(Exception):                # a wrong version may crash on this input
                with np.errstate(all="ignore"):
                    if close(got, mistake.function(*copy.deepcopy(case))):
                        self._fail(mistake.hint)
        self._fail("the values differ from the reference on a fresh input." if hidden else difference(got, expected))

    def _invariant(self, invariant, answer, rng):
        verdict = invariant.holds(answer, rng)
        if isinstance(verdict, str):
            self._fail(verdict)
        if not verdict:
            self._fail(f"this should hold, but does not: {invariant.sentence}.")


@contextlib.contextmanager
def unusable(functions):
    """While this context is open, calling one of the package's `functions`, under any name, raises CheckFailed."""
    def blocked(*args, **kwargs):
        from minibert.checks.base import CheckFailed
        raise CheckFailed("your answer calls the package's own implementation. Write it yourself; you can.")

    codes = {function: function.__code__ for function in functions}
    try:
        for function in codes:
            function.__code__ = blocked.__code__
        yield
    finally:
        for function, code in codes.items():
            function.__code__ = code


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
    return np.array_equal(a, b, equal_nan=True) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else np.array_equal(a, b)


def close(got, expected):
    """True when two results agree within TOLERANCE; whole numbers and booleans exactly."""
    if isinstance(expected, tuple):
        return isinstance(got, tuple) and len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, dict):
        return isinstance(got, dict) and got.keys() == expected.keys() and all(close(got[k], expected[k]) for k in expected)
    g, e = np.asarray(got), np.asarray(expected)
    if g.shape != e.shape or g.dtype.kind not in "fiub":
        return g.shape == e.shape and bool((g == e).all())
    return bool(np.array_equal(g, e) if e.dtype.kind in "iub" else np.allclose(g, e, **TOLERANCE))


def difference(got, expected):
    """One sentence about where two results of equal shape differ most."""
    if isinstance(expected, tuple):
        index = next(i for i, (g, e) in enumerate(zip(got, expected)) if not close(g, e))
        return f"in result {index + 1} of {len(expected)}, " + difference(got[index], expected[index])
    if isinstance(expected, dict):
        key = next(k for k in expected if not close(got[k], expected[k]))
        return f"for {key!r}, " + difference(got[key], expected[key])
    g, e = np.asarray(got, float), np.asarray(expected, float)
    if not g.ndim:
        return f"expected {e:.6g}, got {g:.6g}."
    if not np.isfinite(g).all():
        return f"{int((~np.isfinite(g)).sum())} of {g.size} values are nan or infinite."
    where = tuple(int(i) for i in np.unravel_index(np.abs(g - e).argmax(), g.shape))
    wrong = int((~np.isclose(g, e, **TOLERANCE)).sum())
    return (f"{wrong} of {g.size} values differ; most at index {', '.join(map(str, where))}: "
            f"expected {e[where]:.6g}, got {g[where]:.6g}.")
