"""Check that a sentence B from another document is drawn fairly and separately for each pair.

All other documents must be equally likely, and so must all sentences of the document drawn. A place is
(document, sentence).
"""

from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (3, 12, 2, 7, 3), 400
N = len(DOCUMENTS)
Places = list[tuple[tuple[int, int], tuple[int, int]]]  # (place of A, place of B) for pairs with label 1


def foreign_sources(answer: Callable, rng: np.random.Generator, foreign: int = 1) -> bool | str:
    """Return True if B is drawn uniformly from all other documents and their sentences, else a hint.

    foreign: the label of the pairs in which B comes from another document.
    """
    __tracebackhide__ = True
    calls = [
        [(a, b) for a, b, label in rows if label == foreign]
        for _, rows in drawn(answer, rng, sizes=(DOCUMENTS,), calls=CALLS)
    ]
    rows = [row for call in calls for row in call]
    said = (
        uneven_documents(rows)
        or uneven_sentences(rows)
        or uneven_ends(rows)
        or uneven_pairs(rows)
        or drawn_once(calls)
    )
    return said.replace("label 1", f"label {foreign}") or True


def odd(indicators: list[bool], p: float | list[float]) -> int:
    """Return 1 if too many indicators are True, -1 if too few are, and 0 if chance can explain the number.

    p: the probability that an indicator is True, either one for all or a list with one for each.
    """
    count, expected = sum(indicators), float(np.mean(p))
    if plausible(count, len(indicators), expected):
        return 0
    return 1 if count > len(indicators) * expected else -1


def uneven_documents(rows: Places) -> str:
    """Return a hint if any document is drawn too often or too rarely for label 1, else "".

    rows: (place of A, place of B) for each pair with label 1.
    """
    steps = np.bincount([(b[0] - a[0]) % N for a, b in rows], minlength=N)
    if steps[1:].max() == len(rows):
        return (
            "a B with label 1 always comes from the document "
            + ("after" if steps[1] else "before" if steps[-1] else "at a fixed distance from")
            + " that of A. Draw it from all other documents."
        )
    sources = [odd([b[0] == d for _, b in rows], [(a[0] != d) / (N - 1) for a, _ in rows]) for d in range(N)]
    never = [d for d in range(N) if not any(b[0] == d for _, b in rows)]
    if never:
        where = {0: "the first document", N - 1: "the last document"}.get(never[0], "one document")
        return f"{where} is never drawn for a B with label 1. Check the range of the indices that you draw."
    if sources[1] == 1:  # the longest
        return (
            "long documents are drawn more often than short ones, because you draw from all sentences. "
            "First draw one of the other documents, then one of its sentences."
        )
    if any(sources):
        return (
            "some documents are drawn more often than others for a B with label 1. Make all other documents "
            "equally likely."
        )
    for step, where in ((1, "after"), (N - 1, "before")):
        if odd([(b[0] - a[0]) % N == step for a, b in rows], 1 / (N - 1)):
            return (
                f"the document {where} that of A is not drawn as often as the others for a B with label 1. "
                "Do you use it whenever the document of A was drawn? Draw again in this case."
            )
    return ""


def uneven_sentences(rows: Places) -> str:
    """Return a hint if B is not equally likely to be each sentence of the longest document, else ""."""
    size = DOCUMENTS[1]
    found = [b[1] for _, b in rows if b[0] == 1]
    counts = np.bincount(found, minlength=size)
    if counts[0] == counts.sum():
        return (
            "a B with label 1 is always the first sentence of its document. Draw it from all sentences of "
            "the document, with equal probability."
        )
    if not counts[-1] and counts[-2]:
        return (
            "a B with label 1 is never the last sentence of its document. Check the range of the indices "
            "that you draw."
        )
    if not counts[0]:
        return "a B with label 1 is never the first sentence of its document. Draw indices from 0 on."
    return (
        ""
        if all(plausible(int(count), len(found), 1 / size) for count in counts)
        else (
            "some sentences of a document are drawn more often than others for a B with label 1. Make all "
            "of them equally likely."
        )
    )


def uneven_ends(rows: Places) -> str:
    """Return a hint if B is too often or too rarely the first or last sentence of a document, else ""."""
    longer = [b for _, b in rows if DOCUMENTS[b[0]] > 2]
    alike = [1 / DOCUMENTS[d] for d, _ in longer]
    if odd([i == 0 for _, i in longer], alike) or odd([i == DOCUMENTS[d] - 1 for d, i in longer], alike):
        return (
            "the first or last sentence of a document is not drawn as often as the others for a B with "
            "label 1. Draw integers instead of rounding."
        )
    return ""


def uneven_pairs(rows: Places) -> str:
    """Return a hint if the document of B depends on the document of A (beyond differing from it), else ""."""
    for d in range(N):
        found = [b[0] for a, b in rows if a[0] == d]
        if any(odd([other == e for other in found], 1 / (N - 1)) for e in range(N) if e != d):
            return (
                "the document of a B with label 1 depends on that of A. Make all other documents equally "
                "likely for every A."
            )
    return ""


def neighbours(calls: list[Places]) -> Iterator[tuple]:
    """Yield the places of both sentences B for consecutive pairs whose sentences A share a document."""
    for call in calls:
        yield from ((b, c) for (a, b), (following, c) in zip(call, call[1:]) if a[0] == following[0])


def drawn_once(calls: list[Places]) -> str:
    """Return a hint if the sentences B of consecutive pairs depend on each other, else ""."""
    following = [*neighbours(calls)]
    if odd([b[0] == c[0] for b, c in following], 1 / (N - 1)) == 1:
        return (
            "the pairs with A from one document often have a B from the same other document. Draw a new "
            "document, and then a sentence, for each pair."
        )
    together = [(b, c) for b, c in following if b[0] == c[0]]
    again = odd([b[1] == c[1] for b, c in together], [1 / DOCUMENTS[b[0]] for b, _ in together])
    if again == 1:
        return (
            "a B with label 1 often has the same index as the previous B. Draw a new sentence for each pair."
        )
    if again == -1 or odd([b[0] == c[0] for b, c in following], 1 / (N - 1)):
        return (
            "a sentence or document that was drawn for one pair is avoided in the next pair. Draw from all "
            "of them each time, whatever was drawn before."
        )
    return ""
