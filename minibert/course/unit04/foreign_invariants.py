"""The random B from another document: each of the others alike, then each sentence, anew for each row.

A row is (documents, place of A, place of B, label); a place is (document, sentence).
"""

from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (3, 12, 2, 7, 3), 400
N = len(DOCUMENTS)
Places = list[tuple[tuple[int, int], tuple[int, int]]]  # of A and of a B with label 1


def foreign_sources(answer: Callable, rng: np.random.Generator, foreign: int = 1) -> bool | str:
    """`holds`: all other documents are equally likely to give a B with the label `foreign`; sentences too."""
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
    """1 if too many are True, -1 if too few are, and 0 if it may be chance. p: expected shares."""
    count, expected = sum(indicators), float(np.mean(p))
    if plausible(count, len(indicators), expected):
        return 0
    return 1 if count > len(indicators) * expected else -1


def uneven_documents(rows: Places) -> str:
    """Say which documents give B's with label 1 too often or too seldom; "" if all do equally often."""
    steps = np.bincount([(b[0] - a[0]) % N for a, b in rows], minlength=N)
    if steps[1:].max() == len(rows):
        return (
            "B with label 1 always comes from the document "
            + ("after" if steps[1] else "before" if steps[-1] else "at a fixed distance from")
            + " A's. Draw it among all other documents."
        )
    sources = [odd([b[0] == d for _, b in rows], [(a[0] != d) / (N - 1) for a, _ in rows]) for d in range(N)]
    never = [d for d in range(N) if not any(b[0] == d for _, b in rows)]
    if never:
        where = {0: "the first document", N - 1: "the last document"}.get(never[0], "one document")
        return (
            f"{where} is never drawn for a B with label 1. rng.integers(n) gives 0 to n - 1, so it needs "
            "n, not n - 1."
        )
    if sources[1] == 1:  # the longest
        return (
            "long documents give more B's than short ones: you draw among all sentences. First draw one "
            "of the other documents, then one of its sentences."
        )
    if any(sources):
        return (
            "some documents are drawn more often than others for a B with label 1. All other documents "
            "are equally likely."
        )
    for step, where in ((1, "after"), (N - 1, "before")):
        if odd([(b[0] - a[0]) % N == step for a, b in rows], 1 / (N - 1)):
            return (
                f"the document {where} A's is not drawn as often as the others for a B with label 1. Is "
                f"it taken "
                "wherever A's own was drawn? Draw again then, or draw among the others only."
            )
    return ""


def uneven_sentences(rows: Places) -> str:
    """Say what is wrong with the sentences drawn from the longest document; "" if nothing is."""
    size = DOCUMENTS[1]
    found = [b[1] for _, b in rows if b[0] == 1]
    counts = np.bincount(found, minlength=size)
    if counts[0] == counts.sum():
        return (
            "B with label 1 is always the first sentence of its document. Draw any of its sentences, all "
            "equally likely."
        )
    if not counts[-1] and counts[-2]:
        return (
            "B with label 1 is never the last sentence of its document. rng.integers(n) gives 0 to n - "
            "1, so it needs n, not n - 1."
        )
    if not counts[0]:
        return "B with label 1 is never the first sentence of its document. rng.integers(n) starts at 0."
    return (
        ""
        if all(plausible(int(count), len(found), 1 / size) for count in counts)
        else (
            "some sentences of a document are drawn more often than others for a B with label 1. All are "
            "equally likely."
        )
    )


def uneven_ends(rows: Places) -> str:
    """Say whether first and last sentences are drawn as often as others, in documents of more than two."""
    longer = [b for _, b in rows if DOCUMENTS[b[0]] > 2]
    alike = [1 / DOCUMENTS[d] for d, _ in longer]
    if odd([i == 0 for _, i in longer], alike) or odd([i == DOCUMENTS[d] - 1 for d, i in longer], alike):
        return (
            "the first or last sentence of a document is not drawn as often as the others for a B with "
            "label 1. "
            "rng.integers(n) gives 0 to n - 1, all equally likely; rounding does not."
        )
    return ""


def uneven_pairs(rows: Places) -> str:
    """Say whether some document depends on A's: each other one is equally likely, wherever A stands."""
    for d in range(N):
        found = [b[0] for a, b in rows if a[0] == d]
        if any(odd([other == e for other in found], 1 / (N - 1)) for e in range(N) if e != d):
            return (
                "the document of a B with label 1 depends on that of A. All other documents are equally "
                "likely, wherever A stands."
            )
    return ""


def neighbours(calls: list[Places]) -> Iterator[tuple]:
    """Yield B and the next B of two rows that stand one after the other, with A's from one document."""
    for call in calls:
        yield from ((b, c) for (a, b), (following, c) in zip(call, call[1:]) if a[0] == following[0])


def drawn_once(calls: list[Places]) -> str:
    """Say whether one draw serves several rows; "" if each row has draws of its own."""
    following = [*neighbours(calls)]
    if odd([b[0] == c[0] for b, c in following], 1 / (N - 1)) == 1:
        return (
            "the same other document comes again and again in the pairs of one document. Draw a "
            "document, and then a sentence, anew for each pair."
        )
    together = [(b, c) for b, c in following if b[0] == c[0]]
    again = odd([b[1] == c[1] for b, c in together], [1 / DOCUMENTS[b[0]] for b, _ in together])
    if again == 1:
        return (
            "sentences at the same place come again and again as B with label 1. Draw the sentence anew "
            "for "
            "each pair."
        )
    if again == -1 or odd([b[0] == c[0] for b, c in following], 1 / (N - 1)):
        return (
            "a sentence or document that was drawn for one pair is avoided in the next. Each draw is "
            "among all "
            "of them, whatever was drawn before."
        )
    return ""
