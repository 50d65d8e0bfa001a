"""Properties shared by all exercises on sentence pairs: the form of the pairs and the use of `rng`.

All sentences of the test documents are distinct, so the origin of each sentence is known. A place is
(document, sentence).
"""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import numpy as np

from ..checks import chance
from ..checks.chance import CountedPairs, LimitedGenerator, obeys
from ..checks.compare import is_list
from ..checks.exercise import Invariant
from ..checks.guard import and_list, many, within

SIZES = ((4, 3, 5), (1, 3, 1, 2, 6), (1, 1), (2, 1, 1, 6), (7, 7))  # the number of sentences in each document


def counted(rng: np.random.Generator) -> LimitedGenerator:
    """Return a random generator, seeded by `rng`, that allows only a limited number of draws."""
    return chance.counted(rng, CountedPairs)


def documents(sizes: Sequence[int]) -> list[list[list[int]]]:
    """Return documents with the numbers of sentences given in `sizes`.

    A sentence is a list of 2 to 4 token ids, and no id occurs twice.
    """
    return [
        [[1000 * d + 10 * i + k for k in range(2 + (d + i) % 3)] for i in range(size)]
        for d, size in enumerate(sizes, 1)
    ]


def places(docs: list[list]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return {sentence as a tuple of ids: (document index, sentence index)}."""
    return {tuple(sentence): (d, i) for d, doc in enumerate(docs) for i, sentence in enumerate(doc)}


def drawn(
    answer: Callable, rng: np.random.Generator, sizes: Sequence[Sequence[int]] = SIZES, calls: int = 8
) -> Iterator[tuple[list, list[tuple]]]:
    """Call a student's function repeatedly; each time yield (docs, [(place of A, place of B, label), ...]).

    sizes: for each set of documents, the number of sentences in each. calls: the number per set.
    """
    made = [documents(some) for some in sizes]
    where = [places(docs) for docs in made for _ in range(calls)]
    asked = [(docs, counted(rng)) for docs in made for _ in range(calls)]
    for (docs, _), place, (rows, labels) in zip(asked, where, many(answer, asked)):
        yield docs, [(place[tuple(a)], place[tuple(b)], int(label)) for (a, b), label in zip(rows, labels)]


def all_drawn(answer: Callable, rng: np.random.Generator, **options: Any) -> list[tuple]:
    """Call a student's function repeatedly; return (docs, place of A, place of B, label) for every pair."""
    return [(docs, *row) for docs, found in drawn(answer, rng, **options) for row in found]


def flat(answer: Callable) -> Callable:
    """Return a student's function changed to return its pairs and labels as a single integer array."""

    def as_array(rows, labels):
        return np.array([x for (a, b), y in zip(rows, labels) for x in (-1 - int(y), len(a), *a, *b)], int)

    def flattened(docs, rng):
        return as_array(*answer(docs, rng))

    flat_answer: Any = (
        flattened  # a function with the attributes of a student's answer that runs in another process
    )
    flat_answer.many = lambda calls: (as_array(*result) for result in many(answer, calls))
    flat_answer.answer = within(answer)  # the global generators are in its process
    return flat_answer


def chancy(holds: Callable) -> Callable:
    """Adapt a check of functions that return random arrays to functions that return sentence pairs."""
    test = holds((documents((9, 8, 10, 9)),))
    return lambda answer, rng: test(flat(answer), rng)


def well_formed(kinds: Sequence[int]) -> Callable:
    """Return a check that each pair has two complete sentences and one of the labels in `kinds`.

    The check returns True or a hint.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        asked = [(documents(sizes), counted(rng)) for sizes in SIZES]
        for (docs, _), result in zip(asked, many(answer, asked)):
            if not isinstance(result, (list, tuple)) or len(result) != 2:
                return "you do not return two lists. Return the pairs and their labels."
            rows, labels = result
            if not all(map(is_list, result)):
                return f"you return a {type(rows).__name__} and a {type(labels).__name__}. Return two lists."
            if len(rows) != len(labels):
                return (
                    f"there are {len(rows)} pairs and {len(labels)} labels. Return one label for each pair."
                )
            verdict = next((said for row in rows if (said := malformed(row, places(docs)))), "")
            if verdict:
                return verdict
            odd = [
                label
                for label in labels
                if np.ndim(label) or label not in kinds or np.asarray(label).dtype.kind == "f"
            ]
            if odd:
                return f"a label is {odd[0]!r}. Use only the integers {and_list(map(str, kinds))}."
        return True

    return holds


def malformed(row: Any, where: Container[tuple]) -> str:
    """Return a hint if `row` is not a pair of sentences in `where`, else an empty string."""
    if not is_list(row) or len(row) != 2:
        return f"a pair is {describe(row)}. Make it a pair of sentences, (a, b)."
    for side, sentence in zip("AB", row):
        if not is_list(sentence):
            return f"segment {side} of a pair is {sentence!r}. Make it a sentence, which is a list of ids."
        if len(sentence) and isinstance(sentence[0], (list, tuple)):
            return f"segment {side} is a list of sentences. Use a single sentence."
        if tuple(sentence) not in where:
            return (
                f"segment {side} is not a sentence of the documents. Return each sentence as it is, without "
                "cutting it or joining it with another."
            )
    return ""


def describe(row: Any) -> str:
    """Return a short description of a value that should be a pair: its length or its type."""
    return f"of length {len(row)}" if isinstance(row, (tuple, list)) else f"a {type(row).__name__}"


def relations(rows: list[tuple], kinds: Sequence[int] = (0, 1)) -> dict[int, dict[str, int]]:
    """Return, for each label in `kinds`, how often B has each relation to A.

    The relations are "next", "previous", "same", "elsewhere" (in the same document) and "other" (in another
    document). rows: as returned by `all_drawn`.
    """
    counts: dict[int, dict[str, int]] = {label: {} for label in kinds}
    for _, (d, i), (e, j), label in rows:
        kind = "other" if d != e else {1: "next", -1: "previous", 0: "same"}.get(j - i, "elsewhere")
        counts[label][kind] = counts[label].get(kind, 0) + 1
    return counts


def form(*kinds: int) -> tuple[Invariant, ...]:
    """Return the properties required of any function that makes sentence pairs with these labels."""
    return (
        Invariant("returns pairs of whole sentences, and a label for each", well_formed(kinds)),
        Invariant("draws from `rng` only", chancy(obeys)),
    )


FORM = form(0, 1)
