"""Invariants of `structbert_examples`, with hints for known mistakes.

Wang et al. (2020, arXiv 1908.04577), section 2.2, with one sentence per segment. A place is (document,
sentence).
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import fresh
from ..checks.exercise import Invariant, Mistake
from .foreign_invariants import foreign_sources
from .nsp_invariants import empty_choice, nothing_to_draw_from, past_the_end, walks
from .pair_invariants import all_drawn, chancy, drawn, form, relations
from .third_invariants import thirds

KINDS = ("next", "previous", "other")  # the relation of B to A, by label
MEANS = {"next": "follows A", "previous": "precedes A", "other": "comes from another document"}


def structbert_meaning(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: with label 0, B is the next sentence; with 1, the previous one; with 2, a foreign one."""
    __tracebackhide__ = True
    rows = all_drawn(answer, rng)
    found = relations(rows, (0, 1, 2))
    zero, one, two = map(set, found.values())
    if zero == one == two == {*KINDS}:
        return "the label and B are drawn one by one. One draw decides both: first the label, then its B."
    for label, kinds in enumerate((zero, one, two)):
        if kinds and KINDS[label] not in kinds and len(kinds) == 1 and not kinds - {*KINDS}:
            (own,) = kinds
            return (
                f"the labels are exchanged: with label {label}, B {MEANS[own]}. 0 means that B follows "
                "A, 1 that it precedes A, 2 that it comes from another document."
            )
    if any(label == 1 and a[1] == 0 and b == (a[0], len(docs[a[0]]) - 1) for docs, a, b, label in rows):
        return (
            "a document's first sentence has its last one as B: the index i - 1 is -1 there, which "
            "counts from the end. Nothing precedes a first sentence, so label 1 is not possible there."
        )
    if any(label == 0 and a[1] == len(docs[a[0]]) - 1 and b == (a[0], 0) for docs, a, b, label in rows):
        return (
            "a document's last sentence has its first one as B. Nothing follows a last sentence, so "
            "label 0 is not possible there."
        )
    if "other" in two and two - {"other"}:
        return (
            "label 2, but B comes from the same document as A; it may even be the next sentence. Draw "
            "among the other documents only: draw again while it is A's own, or leave that one out."
        )
    if any("same" in kinds for kinds in (zero, one, two)):
        return "sometimes B is A itself. B is the sentence after A, the one before A, or a foreign one."
    if two - {"other"}:
        return "label 2, but B comes from the same document as A. Draw among the other documents."
    if "other" in zero:
        return (
            "label 0, but B comes from another document. Nothing follows a document's last sentence: "
            "label 0 is not possible there."
        )
    if "other" in one:
        return (
            "label 1, but B comes from another document. Nothing precedes a document's first sentence: "
            "label 1 is not possible there."
        )
    if zero - {"next"}:
        return "label 0, but B is not the sentence right after A."
    return not one - {"previous"} or "label 1, but B is not the sentence right before A."


def cut(docs: list[list], start: int = 0, left: int = 0, step: int = 1, least: int = 1) -> list[tuple]:
    """The places of some A's: from sentence `start` on, without the `left` last ones, of longer documents."""
    return [
        (d, i) for d, doc in enumerate(docs) if len(doc) >= least for i in range(start, len(doc) - left, step)
    ]


CUTS = (
    (
        "documents of a single sentence give no pair. Their sentence has no neighbour, but it can be an A "
        "with a B from another document: label 2.",
        dict(least=2),
    ),
    (
        "a document's first and last sentence are left out. Each sentence is an A once; at the edges two "
        "labels are possible.",
        dict(start=1, left=1),
    ),
    (
        "a document's last sentence is left out. Each sentence is an A once: B precedes it, or is foreign.",
        dict(left=1),
    ),
    (
        "a document's first sentence is left out. Each sentence is an A once: B follows it, or is foreign.",
        dict(start=1),
    ),
    ("every second sentence is left out. Each sentence is an A once: go on by one.", dict(step=2)),
    (
        "every second sentence is left out, and a last one alone. Each sentence is an A once: go on by one.",
        dict(step=2, left=1),
    ),
)


def structbert_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: each sentence is an A once, in the order of the text."""
    __tracebackhide__ = True
    samples = [(docs, rows, [a for a, _, _ in rows]) for docs, rows in drawn(answer, rng)]
    if all(found == cut(docs) for docs, _, found in samples):
        return True
    for hint, change in CUTS:
        if all(found == cut(docs, **change) for docs, _, found in samples):
            return hint
    if all(sorted(found) == cut(docs) for docs, _, found in samples):
        return (
            "the pairs are in another order than the text. Go through the documents, and in each from "
            "its first sentence on."
        )
    if all(walks(docs, rows) for docs, rows, _ in samples):
        return (
            "after a pair with label 0 you go on behind B, as in `nsp_examples`. Here each sentence is "
            "an A once: B is the next A."
        )
    if all({*found} == {*cut(docs)} for docs, _, found in samples):
        return "some sentences are an A in several pairs. Each is an A once, with one label that is drawn."
    if any(label == 1 for _, rows, _ in samples for *_, label in rows) and all(
        [*dict.fromkeys(b if label == 1 else a for a, b, label in rows)]
        == [b if label == 1 else a for a, b, label in rows]
        for _, rows, _ in samples
    ):
        return (
            "with label 1 you exchange the two sentences, as in `sop_examples`, so that another sentence "
            "becomes A. Here A is given, and B is the sentence before it: docs[d][i - 1]."
        )
    return (
        "the A's are not those of the rule. Go through each document from its first sentence to its "
        "last: each is an A once."
    )


STRUCTBERT_CRASHES = (
    Mistake(
        "an index is past the end of a list. Does a document end with A? Then nothing follows, and label "
        "0 is not possible.",
        past_the_end,
    ),
    Mistake(
        "rng.integers(0): there is nothing to draw from. Do you draw below len(...) - 1 of a list with "
        "one element?",
        nothing_to_draw_from,
    ),
    Mistake(
        "rng.choice of an empty list: there is nothing to draw from. Label 2 is always possible; and how "
        "many other documents are left?",
        empty_choice,
    ),
)

STRUCTBERT_INVARIANTS = (
    *form(0, 1, 2),
    Invariant(
        "label 0: B follows A; label 1: B precedes A; label 2: B comes from another document",
        structbert_meaning,
    ),
    Invariant("each sentence is an A once, in the order of the text", structbert_walk),
    Invariant("draws anew at each call", chancy(fresh)),
    Invariant("draws a label for each pair, all that are possible there alike", thirds),
    Invariant(
        "draws each other document, and each of its sentences, equally often",
        lambda answer, rng: foreign_sources(answer, rng, foreign=2),
    ),
)
