"""Invariants of `sop_examples`, with hints for known mistakes.

Lan et al. (2020, arXiv 1909.11942), section 3.1, with one sentence per segment. A place is (document,
sentence).
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import fresh
from ..checks.exercise import Invariant, Mistake
from .coin_invariants import fair, not_dealt
from .nsp_invariants import past_the_end
from .pair_invariants import FORM, all_drawn, chancy, counted, documents, drawn, relations


def sop_meaning(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: two neighbouring sentences of one document; in order with label 0, swapped with label 1."""
    __tracebackhide__ = True
    zero, one = relations(all_drawn(answer, rng)).values()
    if {"next", "previous"} == {*zero} == {*one}:
        return (
            "the label and the order are tossed for one by one. One toss decides both: label 1 just "
            "where "
            "exchanged."
        )
    if "previous" in zero and "next" in one:
        return "the labels are exchanged. 0 means in order, 1 that the two sentences are exchanged."
    if "other" in one and "previous" not in one and "other" not in zero:
        return (
            "B with label 1 comes from another document. That is next sentence prediction: here both "
            "sentences come from one document, and label 1 exchanges them."
        )
    if "other" in one or "other" in zero:
        return (
            "a pair runs over the end of a document into the next one. A last sentence that is left "
            "alone gives no pair."
        )
    if "same" in zero or "same" in one:
        return "sometimes both sentences are the same one. Take two neighbours."
    if "elsewhere" in zero or "elsewhere" in one:
        return "the two sentences of a pair are not neighbours. Take sentences i and i + 1 of a document."
    if "next" in one:
        return "label 1, but the sentences stand in their order. Exchange them: (docs[d][i + 1], docs[d][i])."
    return not set(zero) - {"next"} or "label 0, but the sentences are exchanged."


def sop_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: each document is cut into pairs, beginning with its first sentence."""
    __tracebackhide__ = True
    samples = [(docs, [min(a, b) for a, b, _ in rows]) for docs, rows in drawn(answer, rng)]

    def cut(docs, start=0, step=2, left=1):
        return [(d, i) for d, doc in enumerate(docs) for i in range(start, len(doc) - left, step)]

    if all(found == cut(docs) for docs, found in samples):
        return True
    if all(found == cut(docs, step=1) for docs, found in samples):
        return (
            "each sentence but the first and last stands in two pairs. Each is used once: sentences 0 "
            "and 1, then 2 and 3, and so on."
        )
    if all(found == cut(docs, left=2) for docs, found in samples):
        return (
            "the last two sentences of a document are left out, though they are a pair. Look at the end "
            "of your range."
        )
    if all(found == cut(docs, start=1) for docs, found in samples):
        return "the first sentence of a document is left out. Begin with sentences 0 and 1."
    if all(sorted(found) == cut(docs) for docs, found in samples):
        return (
            "the pairs are in another order than the text. Go through the documents, and in each from "
            "its first sentence on."
        )
    return (
        "the pairs are not those of the rule: sentences 0 and 1 of a document, then 2 and 3, and so on; "
        "an odd last one is left."
    )


def single_sentences(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: documents of one sentence give no row."""
    rows, labels = answer(documents((1, 1)), counted(rng))
    return len(rows) == len(labels) == 0 or (
        "documents of a single sentence give pairs. Nothing can be "
        "exchanged there: such a document gives no pair."
    )


SOP_CRASHES = (
    Mistake(
        "an index is past the end of a list. A last sentence that is left alone gives no pair: stop "
        "before it.",
        past_the_end,
    ),
)

SOP_INVARIANTS = (
    *FORM,
    Invariant("label 0: two neighbours in order; label 1: exchanged", sop_meaning),
    Invariant("documents of one sentence give no pair", single_sentences),
    Invariant("cuts each document into pairs, from its first sentence on", sop_walk),
    Invariant("draws anew at each call", chancy(fresh)),
    Invariant("does not deal out a fixed number of each label", not_dealt),
    Invariant("tosses a fair coin for each pair", fair(lambda docs, a, b, label: True)),
)
