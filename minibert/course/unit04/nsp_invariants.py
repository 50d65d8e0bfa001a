"""Invariants of `nsp_examples`, with hints for known mistakes.

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
    """`holds`: with label 0, B is the next sentence; with label 1, a sentence of another document."""
    __tracebackhide__ = True
    zero, one = relations(all_drawn(answer, rng)).values()
    if {"next", "other"} == {*zero} == {*one}:
        return (
            "the label and B are tossed for one by one. One toss decides both: label 0 just where B "
            "follows A."
        )
    if "next" in one and "other" in zero:
        return "the labels are exchanged. 0 means that B follows A, 1 that it comes from another document."
    own = set(one) - {"other"}
    if own == {"previous"} and "other" not in one:
        return (
            "the pairs with label 1 are A and B exchanged. That is sentence order, a later exercise. "
            "Here B comes from another document."
        )
    if own:
        return (
            "label 1, but B comes from the same document as A; it may even be the next sentence. Draw "
            "among the other documents only: draw again while it is A's own, or leave that one out."
        )
    if "same" in zero:
        return "sometimes B is A itself. B is the sentence after A, or one of another document."
    if "other" in zero:
        return (
            "label 0, but B comes from another document. Does a document end with A? Then nothing "
            "follows, and the next document begins: such a pair does not count as a continuation."
        )
    return not set(zero) - {"next"} or "label 0, but B is not the sentence right after A."


def walks(
    docs: list[list], rows: list[tuple], after_next: int = 2, after_other: int = 1, last: bool = True
) -> bool:
    """True if the A's are those of the rule, given the labels; the other arguments change the rule."""
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
        "after a pair with label 1 you go on after the sentence that would have followed. It was not used: "
        "it is the next A. (BERT puts it back, so that no text is wasted.)",
        dict(after_other=2),
    ),
    (
        "after a pair with label 0 you go on with B. It was used already: go on with the sentence after it.",
        dict(after_next=1),
    ),
    (
        "a document's last sentence is left out. Nothing follows it, but it can be an A with a B from "
        "another document: label 1.",
        dict(last=False),
    ),
    (
        "you go on one sentence after label 0 and two after label 1. It is the other way round: B is used up "
        "only when it follows A.",
        dict(after_next=1, after_other=2),
    ),
    (
        "you move on by one sentence in every case, and leave each document's last one out. After label 0, B "
        "is used up: go on after it. A last sentence gets a B from another document.",
        dict(after_next=1, last=False),
    ),
    (
        "you move on by two sentences in every case, and leave a last one alone out. After label 1 the "
        "sentence after A is not used: it is the next A. A last sentence gets a B from another document.",
        dict(after_other=2, last=False),
    ),
)


def nsp_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: every sentence is used as the rule says, in the order of the text."""
    __tracebackhide__ = True
    samples = list(drawn(answer, rng))
    if all(walks(docs, rows) for docs, rows in samples):
        return True
    for hint, change in WALKS:
        if all(walks(docs, rows, **change) for docs, rows in samples):
            return hint
    if all(walks(docs, sorted(rows)) for docs, rows in samples):
        return (
            "the pairs are in another order than the text. Go through the documents, and in each from "
            "its first sentence on."
        )
    if not any(len(docs[a[0]]) == 1 for docs, rows in samples for a, _, _ in rows):
        return (
            "documents of a single sentence never give a pair. Their sentence has no next one, but it "
            "can be an A with a B from another document: label 1."
        )
    firsts = [docs for docs, rows in samples if not rows or rows[0][0] != (0, 0)]
    if firsts:
        return "the first pair does not begin with the first sentence of the first document."
    return (
        "the A's are not those of the rule. Begin each document with its first sentence; after label 0 "
        "go on after B, after label 1 with the sentence after A, until the document ends."
    )


def past_the_end(docs: list[list], rng: np.random.Generator) -> list:
    return docs[0][99]


def nothing_to_draw_from(docs: list[list], rng: np.random.Generator) -> int:
    return int(rng.integers(0))


def empty_choice(docs: list[list], rng: np.random.Generator) -> int:
    return rng.choice([])


LAST_ALONE = (
    "an index is past the end of a list. Does a document end with A? Then nothing follows: B must "
    "come from another document, and the label is 1."
)
NSP_CRASHES = (
    Mistake(LAST_ALONE, past_the_end),
    Mistake(
        "rng.integers(0): there is nothing to draw from. Do you draw below len(...) - 1 of a list with "
        "one element?",
        nothing_to_draw_from,
    ),
    Mistake(
        "rng.choice of an empty list: there is nothing to draw from. How many other documents are left?",
        empty_choice,
    ),
)
NSP_INVARIANTS = (
    *FORM,
    Invariant("label 0: B is the next sentence; label 1: B comes from another document", nsp_meaning),
    Invariant("goes through the text in order, and wastes none", nsp_walk),
    Invariant("draws anew at each call", chancy(fresh)),
    Invariant("tosses a fair coin for each pair", fair(lambda docs, a, b, label: a[1] < len(docs[a[0]]) - 1)),
    Invariant("draws each other document, and each of its sentences, equally often", foreign_sources),
)
