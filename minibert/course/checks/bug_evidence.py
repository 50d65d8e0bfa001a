"""Decide from a student's results which planted bugs are fixed, each by itself.

The results are compared part by part: the entries of a dict or tuple and the elements of an array. Where a
bug changes no part, it is *quiet* there, so that these parts show whether the other bugs are fixed, even if
this bug is only half fixed.
"""

import functools
import itertools
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from .climb import beyond
from .compare import NUMBERS, agree, apart, array_from_list, as_array, is_array, is_number, replaces_tuple
from .known_mistakes import result
from .records import Specification


def subsets(count: int) -> list[frozenset[int]]:
    """Return all subsets of {1, ..., count}, smallest first."""
    return [
        frozenset(some)
        for size in range(count + 1)
        for some in itertools.combinations(range(1, count + 1), size)
    ]


def numbers(got: Any) -> np.ndarray:
    """Return a number, tensor, or list of numbers (nested in equal lengths) as an array."""
    got = array_from_list(got)
    return as_array(got) if is_array(got) or is_number(got) else np.array(None)


def differs(got: Any, right: Any) -> np.ndarray:
    """Return a boolean array that is True for each part of the result `right` that differs in `got`.

    >>> differs({"mean": 2.0, "best": np.array([1.0, 3.0])}, {"mean": 2.0, "best": np.array([1.0, 4.0])})
    array([False, False, False,  True])

    The first part of a dict is whether it has additional keys.
    """
    if isinstance(right, dict):
        found = got if isinstance(got, dict) else {}
        parts = [differs(found.get(key), part) for key, part in right.items()]
        return np.concatenate([[not found.keys() <= right.keys()], *parts])
    if isinstance(right, tuple):
        items = got if replaces_tuple(got, right) else [None] * len(right)
        return np.concatenate([differs(*pair) for pair in zip(items, right, strict=True)])
    if not isinstance(right, np.ndarray):
        return np.array([not agree(got, right)])
    values = numbers(got)
    if values.shape != right.shape or values.dtype.kind not in NUMBERS:
        return np.full(right.size, True)
    return (apart(values, right) if right.dtype.kind == "f" else values != right).ravel()


def mixed(got: Any, right: Any, bugged: Any) -> Any:
    """Return the result `right`, with the parts of `got` that equal those of `bugged`, a result with bugs."""
    if isinstance(right, dict):
        found = got if isinstance(got, dict) else {}
        return {key: mixed(found.get(key), part, bugged[key]) for key, part in right.items()}
    if isinstance(right, tuple) and replaces_tuple(got, right):
        return tuple(mixed(*parts) for parts in zip(got, right, bugged, strict=True))
    if not isinstance(right, np.ndarray) or np.shape(bugged) != right.shape:
        return bugged if agree(got, bugged) else right
    return np.where(differs(got, bugged).reshape(right.shape), right, bugged)


@functools.lru_cache(maxsize=64)
def inputs(check: Specification, seed: int) -> list[tuple]:
    """Return the inputs on which a bug hunt compares results, including unusual ones (see `regimes`).

    They are cached, so a function must get a copy of them.
    """
    return [*check.cases(np.random.default_rng(seed)), *(case for case, _ in beyond(check, seed))]


@functools.lru_cache(maxsize=64)
def rights(check: Specification, seed: int) -> list:
    """Return the correct result for each of the `inputs`."""
    assert check.reference
    return [result(check.reference, case) for case in inputs(check, seed)]


@functools.lru_cache(maxsize=256)
def changed(check: Any, left: frozenset[int], seed: int) -> np.ndarray:
    """Return a boolean array (parts of all results): True where a version with the bugs `left` is wrong.

    It is cached, because a hunt uses it for each of its bugs.
    """
    version = check.version(left)
    pairs = zip(inputs(check, seed), rights(check, seed), strict=True)
    return np.concatenate(
        [differs(check.parts(result(version, case)), check.parts(right)) for case, right in pairs]
    )


def leaves(check: Any, left: frozenset[int], results: list, seed: int) -> bool:
    """Return whether the original function with the bugs `left` gives all these results for the `inputs`."""
    version = check.version(left)
    return all(agree(got, result(version, case)) for case, got in zip(inputs(check, seed), results))


def loud(check: Any, bugs: frozenset[int], seed: int) -> np.ndarray:
    """Return a boolean array (parts of all results): True where some of the bugs change the result."""
    return np.any([changed(check, left, seed) for left in subsets(check.bugs) if left <= bugs], axis=0)


def shown_fixed(check: Any, wrong: np.ndarray, blamed: frozenset[int], seed: int) -> float:
    """Return how well a student's results show that all bugs except those in `blamed` are fixed, 0 to 1.

    For each bug, this is the share of correct parts among those that it changes and `blamed` does not; the
    minimum is returned. wrong: (parts of all results,) bool.
    """
    quiet = ~loud(check, blamed, seed)
    telling = (
        quiet & changed(check, frozenset({n}), seed) for n in range(1, check.bugs + 1) if n not in blamed
    )
    return min(((~wrong)[parts].mean() if parts.any() else 0.0 for parts in telling), default=1.0)


def entries(got: Any) -> list:
    """Return the entries of a dict, tuple or list, or a list of the result itself."""
    if isinstance(got, dict):
        return [*got.values()]
    return [*got] if isinstance(got, (tuple, list)) else [got]


def one_number(column: Iterable[Any]) -> bool:
    """Return whether all values, numbers or arrays, consist of one and the same number."""
    values = [numbers(value).ravel() for value in column]
    return all(len(x) and x.dtype.kind in NUMBERS and (x == values[0][0]).all() for x in values)


def trivial(results: list, cases: list[tuple]) -> bool:
    """Return whether each entry of the results is always the same number, or the same unchanged argument.

    Such a function may be right wherever a bug shows, although it computes nothing.
    """
    return all(
        one_number(column) or any(all(map(agree, column, given)) for given in zip(*cases))
        for column in itertools.zip_longest(*map(entries, results))
    )


def unfixed(check: Any, results: list, broken: Collection[int], seed: int) -> frozenset[int]:
    """Return the numbers of the bugs that a student has not fixed, or not without breaking something else.

    results: the student's result for each of the `inputs`. broken: the numbers of the invariants that do not
    hold. A bug whose own invariant is broken is not fixed. If these bugs do not explain the results, the set
    grows until the results show that all other bugs are fixed, or until it contains all bugs. Among sets of
    the same size, the one is returned whose changes are most like the wrong parts. A trivial function has
    fixed none.
    """
    own = frozenset(n for n in broken if n <= check.bugs)
    pairs = zip(results, rights(check, seed), strict=True)
    wrong = np.concatenate([differs(*map(check.parts, pair)) for pair in pairs])
    if len(own) == len(broken) and (not wrong.any() or leaves(check, own, results, seed)):
        return own
    for size in range(max(1, len(own)), 0 if trivial(results, inputs(check, seed)) else check.bugs):
        sets = (left for left in subsets(check.bugs) if len(left) == size and own <= left)
        shown = [left for left in sets if shown_fixed(check, wrong, left, seed) >= 0.5]
        if shown:
            return max(shown, key=lambda left: np.mean(wrong == loud(check, left, seed)))
    return frozenset(range(1, check.bugs + 1))
