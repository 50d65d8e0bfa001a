"""Properties that `sop_examples` must have, and hints for common mistakes.

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
    """Return True if pairs are consecutive sentences, in order for label 0, swapped for 1, else a hint."""
    __tracebackhide__ = True
    zero, one = relations(all_drawn(answer, rng)).values()
    if {"next", "previous"} == {*zero} == {*one}:
        return (
            "you toss separately for the label and for the order. Let one toss decide both, so that the "
            "label is 1 exactly if the sentences are swapped."
        )
    if "previous" in zero and "next" in one:
        return "you swapped the labels. Use 0 if the two sentences are in order, and 1 if they are swapped."
    if "other" in one and "previous" not in one and "other" not in zero:
        return (
            "with label 1, B comes from another document. That is next sentence prediction; here, swap two "
            "consecutive sentences of one document."
        )
    if "other" in one or "other" in zero:
        return "some pairs cross the end of a document. Leave out the last sentence if it remains alone."
    if "same" in zero or "same" in one:
        return "sometimes both sentences are the same. Take sentences i and i + 1 of a document."
    if "elsewhere" in zero or "elsewhere" in one:
        return "the two sentences of a pair are not consecutive. Take sentences i and i + 1 of a document."
    if "next" in one:
        return "with label 1, the sentences are sometimes in order. Swap them."
    return not set(zero) - {"next"} or (
        "with label 0, the sentences are sometimes swapped. Keep them in order."
    )


def sop_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if each document is cut into pairs, starting with its first sentence, else a hint."""
    __tracebackhide__ = True
    samples = [(docs, [min(a, b) for a, b, _ in rows]) for docs, rows in drawn(answer, rng)]

    def cut(docs, start=0, step=2, left=1):
        return [(d, i) for d, doc in enumerate(docs) for i in range(start, len(doc) - left, step)]

    if all(found == cut(docs) for docs, found in samples):
        return True
    if all(found == cut(docs, step=1) for docs, found in samples):
        return (
            "you use most sentences in two pairs. Use each only once: pair 0 and 1, then 2 and 3, and so on."
        )
    if all(found == cut(docs, left=2) for docs, found in samples):
        return (
            "you leave out the last two sentences of a document, although they are a pair. Check the end "
            "of your range."
        )
    if all(found == cut(docs, start=1) for docs, found in samples):
        return "you leave out the first sentence of a document. Start with sentences 0 and 1."
    if all(sorted(found) == cut(docs) for docs, found in samples):
        return (
            "the pairs are not in the order of the text. Go through the documents in order, and through "
            "each document from its first sentence."
        )
    return (
        "the pairs do not follow the rule. Pair sentences 0 and 1 of a document, then 2 and 3, and so on; "
        "leave out a single last sentence."
    )


def single_sentences(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if one-sentence documents give no pairs, else a hint."""
    rows, labels = answer(documents((1, 1)), counted(rng))
    return len(rows) == len(labels) == 0 or (
        "documents of a single sentence give pairs. With one sentence there is nothing to swap: return no "
        "pair for such a document."
    )


SOP_CRASHES = (
    Mistake(
        "an index is past the end of a list. If a single last sentence remains, stop before it, because it "
        "gives no pair.",
        past_the_end,
    ),
)

SOP_INVARIANTS = (
    *FORM,
    Invariant("pairs are consecutive sentences, in order with label 0 and swapped with label 1", sop_meaning),
    Invariant("documents of one sentence give no pair", single_sentences),
    Invariant("cuts each document into pairs, starting with its first sentence", sop_walk),
    Invariant("makes new draws in each call", chancy(fresh)),
    Invariant("does not use a fixed number of each label", not_dealt),
    Invariant("tosses a fair coin for each pair", fair(lambda docs, a, b, label: True)),
)
