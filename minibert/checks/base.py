"""The ladder every check climbs: exists, signature, runs, type, shape, leaves its inputs alone, invariants, values.

One `Exercise` per function that a student writes. It holds the reference, inputs that tell mistakes apart, invariants
said in words, and the known mistakes as small wrong implementations: when a value is wrong, the check runs those on the
same input and names the one that gives the student's result.
"""
import contextlib
import copy
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .compare import called, close, describe, difference, is_array, same
from .guard import CheckFailed, calling, crash, lending, parameters, said, sibling, unwritten


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: `function` computes it, `hint` is what the student is told."""

    hint: str
    function: Callable


@dataclass(frozen=True)
class Invariant:
    """What must hold, as a `sentence`; `holds(answer, rng)` returns True, False, or a sentence about the mistake."""

    sentence: str
    holds: Callable


@dataclass(frozen=True)
class Exercise:
    """The check of one function; calling it with the student's function prints what was verified or raises CheckFailed.

    name and parameters: as the exercise fixes them. cases(rng): list of argument tuples. reference: the right function,
    or None where only invariants decide (random functions). implementations: package functions that must not be called
    (the reference never may). builds_on: earlier exercises whose functions the answer may call; where the student's own
    version of one fails its check, the answer is tried once more with ours in its place.
    """

    name: str
    parameters: tuple
    cases: Callable
    reference: Callable | None = None
    invariants: tuple = ()
    mistakes: tuple = ()
    implementations: tuple = ()
    hints: tuple = field(default=())
    builds_on: tuple = ()

    def __call__(self, answer, seed=0, hidden=False):
        """Check `answer`. seed: of the inputs drawn; hidden: inputs and values are not shown in the message."""
        __tracebackhide__ = True
        note = ""
        try:
            try:
                cases = self._climb(answer, seed, hidden)
            except Exception:
                lent = self._lent(answer, seed)
                if not lent:
                    raise
                yours = "does not pass its own check" if len(lent) == 1 else "do not pass their own checks"
                note = f" (Checked with our {' and '.join(lent)}: yours {yours} yet.)"
                with lending(answer, lent):
                    cases = self._climb(answer, seed, hidden, note)
        except Exception as error:
            if hasattr(error, "hint"):
                print(f"{self.name}: {error.hint}{note}")
            raise
        verified = ["it runs and leaves its inputs alone"] + [i.sentence for i in self.invariants]
        verified += [f"it equals the reference on {cases} input{'s' * (cases > 1)}"] if self.reference else []
        print("\n  - ".join([f"{self.name}: passed.{note}"] + ([] if hidden else verified)))

    def _climb(self, answer, seed, hidden, note=""):
        """All steps of the ladder; returns the number of inputs tried. `note` ends the message of a failure."""
        __tracebackhide__ = True
        try:
            self._signature(answer)
            rng = np.random.default_rng(seed)
            cases = self.cases(rng)
            expected = [self.reference(*copy.deepcopy(case)) if self.reference else None for case in cases]
            guarded = calling(answer, {*self.implementations, *filter(None, [self.reference])})
            for case, value in zip(cases, expected, strict=True):
                got = self._run(guarded, case)
                if self.reference:
                    self._compare(guarded, got, value, case, hidden)
            for invariant in self.invariants:
                self._invariant(invariant, guarded, rng)
        except NotImplementedError as error:
            raise CheckFailed(f"{self.name}: {unwritten(error, answer)}{note}") from None
        except CheckFailed as failure:
            raise CheckFailed(f"{failure}{note}") from None
        return len(cases)

    def _lent(self, answer, seed):
        """Name -> reference of each exercise in `builds_on` whose version among the student's names fails its check."""
        lent = {}
        for exercise in self.builds_on:
            theirs = sibling(answer, exercise.name)
            if theirs is not None and theirs is not exercise.reference:
                try:
                    with lending(answer, lent):
                        exercise._climb(theirs, seed, hidden=True)
                except Exception:
                    lent[exercise.name] = exercise.reference
        return lent

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
        names = parameters(answer)
        if names is None:
            return                                              # a built-in without a signature: its values decide
        if names[:len(self.parameters)] != self.parameters:
            self._fail(f"takes ({', '.join(names)}); it should take ({', '.join(self.parameters)}).")

    def _run(self, answer, case):
        """The student's result; her own exceptions keep her traceback, and carry a hint where one is known."""
        __tracebackhide__ = True
        given = copy.deepcopy(case)
        try:
            got = answer(*given)
        except (CheckFailed, NotImplementedError):
            raise
        except Exception as error:
            for mistake in self.mistakes:
                if crash(mistake.function, case) == said(error):
                    error.hint = mistake.hint
                    break
            raise
        if not same(given, case):
            self._fail("it changes its inputs. Work on a copy: `x = x - m` instead of `x -= m`.")
        if got is None:
            self._fail("it returns None. Is the `return` missing?")
        return got

    def _shape(self, got, expected):
        if isinstance(expected, tuple):
            if not isinstance(got, tuple) or len(got) != len(expected):
                self._fail(f"returns {describe(got)}; it should return {len(expected)} values: {describe(expected)}.")
            for g, e in zip(got, expected, strict=True):
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
                keys = ", ".join(map(repr, expected))
                self._fail(f"returns {describe(got)}; it should return a dict with the keys {keys}.")
        elif isinstance(expected, (int, float, np.number)):
            if np.ndim(got) or np.asarray(got).dtype.kind not in "fiub":
                self._fail(f"returns {describe(got)}; it should return one number.")

    def _compare(self, answer, got, expected, case, hidden):
        """Shape and values; a known mistake is named first, then an invariant that does not hold, then the numbers."""
        try:
            self._shape(got, expected)
            if close(got, expected):
                return
        except CheckFailed:
            self._recognise(got, case)
            raise
        self._recognise(got, case)
        sentence = self._broken_invariant(answer)
        if hidden:
            self._fail(sentence or "the values differ from the reference on a fresh input.")
        numbers = f"With {called(self.parameters, case)}: {difference(got, expected)}"
        self._fail(f"{sentence} {numbers}" if sentence else numbers)

    def _recognise(self, got, case):
        for mistake in self.mistakes:
            wrong = None
            with contextlib.suppress(Exception), np.errstate(all="ignore"):  # a wrong version may crash on this input
                wrong = mistake.function(*copy.deepcopy(case))
            with contextlib.suppress(TypeError, ValueError):                    # results that cannot be compared
                if wrong is not None and close(got, wrong):
                    self._fail(mistake.hint)

    def _broken_invariant(self, answer):
        """The sentence of the first invariant that `answer` breaks, or an empty string."""
        for invariant in self.invariants:
            try:
                self._invariant(invariant, answer, np.random.default_rng(0))
            except CheckFailed as failure:
                return str(failure).removeprefix(f"{self.name}: ")
            except Exception:
                continue                                        # the values already say that something is wrong
        return ""

    def _invariant(self, invariant, answer, rng):
        verdict = invariant.holds(answer, rng)
        if isinstance(verdict, str):
            self._fail(verdict)
        if not verdict:
            self._fail(f"this should hold, but does not: {invariant.sentence}.")
