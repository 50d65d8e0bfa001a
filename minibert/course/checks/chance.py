"""Test random functions statistically: correct ones almost never fail, and wrong ones soon do.

If n independent events each have probability p, the probability that their observed share is at least as far
from p as s is at most 2 exp(-n KL(s, p)). This is Chernoff's bound (Hoeffding 1963, theorem 1), which holds
for every n. A check makes fewer than 90 such comparisons, each with a false-alarm probability below
FALSE_ALARM, so a correct answer fails with probability below 1e-6.
"""

import copy
import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .compare import same
from .failure import fail
from .guard import ENDLESS, OURS, many, within

FALSE_ALARM = 1e-8  # probability per comparison
MOST_DRAWS = 20_000  # per call on a short sequence; a correct answer needs fewer than 1,000


def divergence(share: float, p: float) -> float:
    """Return the Kullback-Leibler divergence, in nats, between two Bernoulli distributions.

    share, p: their probabilities of success.
    """

    def term(a, b):
        return 0.0 if a == 0 else math.inf if b <= 0 else a * math.log(a / b)

    return term(share, p) + term(1 - share, 1 - p)


def plausible(count: int, n: int, p: float) -> bool:
    """Return whether `count` successes in `n` draws are close enough to n p to be due to chance.

    p: the probability of a success in each draw.

    >>> plausible(820, 1000, 0.8), plausible(1000, 1000, 0.8)
    (True, False)
    """
    return n == 0 or 2 * math.exp(-n * divergence(count / n, p)) > FALSE_ALARM


def all_plausible(counts: ArrayLike, shares: ArrayLike) -> bool:
    """Return True if the counts (K,) of K exclusive outcomes fit their expected shares (K,).

    Each count is compared with its share, and each sum of the first k counts with the sum of their shares.
    """
    counts, shares, n = np.asarray(counts), np.asarray(shares), int(sum(counts))
    pairs = [*zip(counts, shares, strict=True), *zip(counts.cumsum(), shares.cumsum(), strict=True)]
    return all(plausible(int(count), n, float(p)) for count, p in pairs)


def named(counts: Sequence[float] | np.ndarray, table: Iterable[tuple[Any, str]]) -> str:
    """Return the hint whose expected shares fit `counts` best, or "" if none fits.

    counts: how often each outcome occurred. table: (expected shares of the outcomes, hint) pairs.
    """

    def loss(entry):
        return sum(-count * math.log(p) for count, p in zip(counts, entry[0], strict=True) if count)

    return min((entry for entry in table if all_plausible(counts, entry[0])), key=loss, default=("", ""))[1]


class LimitedGenerator(np.random.Generator):
    """A random generator that raises CheckFailed after too many draws, to stop endless loops.

    A copy has the same limit. Subclasses must be defined in this module, because the modules of the course's
    units are not available in a student's process.
    """

    for_one_call = True  # its state after the call is not needed
    endless = (
        "Can its condition be met in every sequence, even in one with many special tokens (-1) or no words?"
    )

    def __init_subclass__(cls):
        OURS.add(cls.sentence())

    @classmethod
    def sentence(cls) -> str:
        """Return the message for a student whose function draws too many numbers."""
        return f"{ENDLESS.format(MOST_DRAWS)} {cls.endless}"

    def __getattribute__(self, name):
        if not name.startswith("_"):
            state = super().__getattribute__("__dict__")  # `self.__dict__` would call this method again
            state["used"] = used = state.get("used", 0) + 1
            if used > MOST_DRAWS:
                fail("runs", type(self).sentence())
        return super().__getattribute__(name)

    def __deepcopy__(self, memo):
        return type(self)(copy.deepcopy(self.bit_generator))


OURS.add(LimitedGenerator.sentence())


class CountedPairs(LimitedGenerator):
    """A LimitedGenerator whose message is about sentence pairs."""

    endless = "Does every branch of the loop move on to another sentence?"


def counted(rng: np.random.Generator, kind: type[LimitedGenerator] = LimitedGenerator) -> LimitedGenerator:
    """Return a new random generator of the class `kind`, with a seed drawn from `rng`."""
    return kind(np.random.PCG64(int(rng.integers(2**32))))


def global_states() -> dict[str, Any]:
    """Return the states of the global random generators of NumPy and Python."""
    state: Any = np.random.get_state()
    kind, keys, position, *rest = state
    return {"np.random": (kind, keys.tobytes(), position, *rest), "random": random.getstate()}


def obeys(args: tuple) -> Callable:
    """Return a test, for `Invariant.holds`, that a function draws random numbers only from `rng`.

    args: the arguments that precede `rng`.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        states = getattr(within(answer), "global_states", global_states)
        seed, before = int(rng.integers(2**32)), states()
        first = answer(*args, np.random.default_rng(seed))
        moved = [name for name, state in states().items() if state != before[name]]
        if moved:
            return (
                f"you draw from the global generator of `{moved[0]}`. Draw from the argument `rng` instead, "
                "for example with `rng.random(...)`, so that the same seed gives the same result on every "
                "machine."
            )
        if not same(first, answer(*args, np.random.default_rng(seed))):
            return (
                "two calls with the same seed give different results. Draw all random numbers from the "
                "argument `rng`, and do not create a generator of your own."
            )
        return True

    return holds


def fresh(args: tuple) -> Callable:
    """Return a test, for `Invariant.holds`, that a function gives new random results in each call.

    args: the arguments that precede `rng`.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        results = [
            *many(
                answer, [(*args, np.random.default_rng(int(seed))) for seed in rng.integers(2**32, size=12)]
            )
        ]
        if all(same(results[0], result) for result in results):
            return (
                "the result does not depend on `rng`. Draw from the argument `rng`: a generator created "
                "inside the function, such as `np.random.default_rng(0)`, starts again with each call."
            )
        one = np.random.default_rng(int(rng.integers(2**32)))
        results = [*many(answer, [(*args, one)] * 12)]
        return any(not same(results[0], result) for result in results) or (
            "two calls with the same `rng` object give the same result. Draw from `rng` itself, not from a "
            "copy, so that each call draws new numbers."
        )

    return holds


def array_like(dtype: type, *rows: tuple[tuple, tuple[int, ...]]) -> Callable:
    """Return a test, for `Invariant.holds`, that a function returns arrays with the given dtype and shapes.

    dtype: bool or int. rows: for each call, (arguments that precede `rng`, expected shape).
    """
    kinds: dict[type, tuple[str, str]] = {bool: ("b", "bool"), int: ("iu", "an integer dtype")}
    kind, word = kinds[dtype]

    def holds(answer, rng):
        __tracebackhide__ = True
        for args, shape in rows:
            got = answer(*args, rng)
            if not isinstance(got, np.ndarray):
                return (
                    f"it returns a {type(got).__name__}; it should return a NumPy array. Convert it with "
                    "`np.array(...)`."
                )
            if got.shape != shape:
                return f"the shape is {got.shape}; it should be {shape}, with one value for each position."
            if got.dtype.kind not in kind:
                return f"the dtype is {got.dtype}; it should be {word}."
        return True

    return holds
