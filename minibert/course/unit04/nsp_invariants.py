"""Properties that `nsp_examples` must have, and hints for common mistakes.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2, with one sentence per segment. A place is
(document, sentence).
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import fresh
from ..checks.exercise import Invariant, Mistake
from .coin_invariants import fair
from .foreign_invariants import foreign_sources
from .pair_invariants import FORM, all_drawn, chancy, drawn, relations


def nsp_meaning(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if B follows A for label 0 and is from another document for label 1, else a hint."""
    __tracebackhide__ = True
    zero, one = relations(all_drawn(answer, rng)).values()
    if {"next", "other"} == {*zero} == {*one}:
        return (
            "you toss separately for the label and for B. Let one toss decide both, so that the label is 0 "
            "exactly if B follows A."
        )
    if "next" in one and "other" in zero:
        return "you swapped the labels. Use 0 if B follows A, and 1 if it comes from another document."
    own = set(one) - {"other"}
    if own == {"previous"} and "other" not in one:
        return (
            "with label 1, you swap A and B. That is sentence order prediction, a later exercise; here, take "
            "B from another document."
        )
    if own:
        return (
            "with label 1, B sometimes comes from the same document as A. Draw another document until it "
            "is not that of A."
        )
    if "same" in zero:
        return "sometimes B is A itself. Take the sentence after A, or one from another document."
    if "other" in zero:
        return (
            "with label 0, B sometimes comes from another document. If A is the last sentence of its "
            "document, nothing follows it, so use label 1."
        )
    return not set(zero) - {"next"} or (
        "with label 0, B is not always the sentence right after A. Take the next sentence of the document."
    )


def walks(
    docs: list[list], rows: list[tuple], after_next: int = 2, after_other: int = 1, last: bool = True
) -> bool:
    """Return whether each pair's sentence A comes where the previous pair's label requires.

    rows: (place of A, place of B, label) for each pair. after_next, after_other: how many sentences A moves
    forward after label 0 and after label 1. last: whether the last sentence of a document can be an A.
    """
    found = iter(rows)
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc) - (not last):
            a, _, label = next(found, (None, None, None))
            if a != (d, i):
                return False
            i += after_next if label == 0 else after_other
    return next(found, None) is None


WALKS = (
    (
        "after a pair with label 1, you skip the sentence after A. Use it as the next A, because it was not "
        "used yet.",
        dict(after_other=2),
    ),
    (
        "after a pair with label 0, you continue with B, which is used already. Continue with the sentence "
        "after B.",
        dict(after_next=1),
    ),
    (
        "you leave out the last sentence of a document. Use it as an A with label 1, with B from another "
        "document.",
        dict(last=False),
    ),
    (
        "you move on by one sentence after label 0 and by two after label 1. It should be the other way "
        "round, because B is used up only if it follows A.",
        dict(after_next=1, after_other=2),
    ),
    (
        "you always move on by one sentence, and leave out the last one. After label 0, continue after B. "
        "Give a last sentence a B from another document.",
        dict(after_next=1, last=False),
    ),
    (
        "you always move on by two sentences, and leave out a single last one. After label 1, the "
        "sentence after A is the next A. Give a last sentence a B from another document.",
        dict(after_other=2, last=False),
    ),
)


def nsp_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if A moves forward two sentences after label 0 and one after label 1, else a hint."""
    __tracebackhide__ = True
    samples = list(drawn(answer, rng))
    if all(walks(docs, rows) for docs, rows in samples):
        return True
    for hint, change in WALKS:
        if all(walks(docs, rows, **change) for docs, rows in samples):
            return hint
    if all(walks(docs, sorted(rows)) for docs, rows in samples):
        return (
            "the pairs are not in the order of the text. Go through the documents in order, and through "
            "each document from its first sentence."
        )
    if not any(len(docs[a[0]]) == 1 for docs, rows in samples for a, _, _ in rows):
        return (
            "documents of a single sentence give no pair. Use the sentence as an A with label 1, with B "
            "from another document."
        )
    firsts = [docs for docs, rows in samples if not rows or rows[0][0] != (0, 0)]
    if firsts:
        return "the first A is wrong. Start with the first sentence of the first document."
    return (
        "the sentences A do not follow the rule. Start each document with its first sentence. Continue "
        "after B if the label is 0, and after A if it is 1, until the document ends."
    )


def past_the_end(docs: list[list], rng: np.random.Generator) -> list:
    return docs[0][99]


def nothing_to_draw_from(docs: list[list], rng: np.random.Generator) -> int:
    return int(rng.integers(0))


def empty_choice(docs: list[list], rng: np.random.Generator) -> int:
    return rng.choice([])


LAST_ALONE = (
    "an index is past the end of a list. If A is the last sentence of its document, nothing follows it: use "
    "label 1, with a B from another document."
)
NSP_CRASHES = (
    Mistake(LAST_ALONE, past_the_end),
    Mistake(
        "you draw from an empty range. An upper bound of `len(...)` - 1 is 0 for a list with one element, "
        "so use the length itself.",
        nothing_to_draw_from,
    ),
    Mistake(
        "rng.choice has nothing to draw from, because the list is empty. Check which documents you leave "
        "out: only that of A should be missing.",
        empty_choice,
    ),
)
NSP_INVARIANTS = (
    *FORM,
    Invariant(
        "B is the next sentence with label 0, and comes from another document with label 1", nsp_meaning
    ),
    Invariant("goes through the text in order, without skipping sentences", nsp_walk),
    Invariant("makes new draws in each call", chancy(fresh)),
    Invariant("tosses a fair coin for each pair", fair(lambda docs, a, b, label: a[1] < len(docs[a[0]]) - 1)),
    Invariant(
        "draws every other document, and each of its sentences, with equal probability", foreign_sources
    ),
)
