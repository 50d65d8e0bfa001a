"""Properties that `structbert_examples` must have, and hints for common mistakes.

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
    """Return True if B is next for label 0, previous for 1 and from another document for 2, else a hint."""
    __tracebackhide__ = True
    rows = all_drawn(answer, rng)
    found = relations(rows, (0, 1, 2))
    zero, one, two = map(set, found.values())
    if zero == one == two == {*KINDS}:
        return (
            "you draw the label and B separately. Let one draw decide both: first draw the label, then "
            "choose a B that matches it."
        )
    for label, kinds in enumerate((zero, one, two)):
        if kinds and KINDS[label] not in kinds and len(kinds) == 1 and not kinds - {*KINDS}:
            (own,) = kinds
            return (
                f"you swapped labels: with label {label}, B {MEANS[own]}. Use 0 if B follows A, 1 if it "
                "precedes A, and 2 if it comes from another document."
            )
    if any(label == 1 and a[1] == 0 and b == (a[0], len(docs[a[0]]) - 1) for docs, a, b, label in rows):
        return (
            "the first sentence of a document has the last as B, because the index -1 counts from the "
            "end. Do not use label 1 for a first sentence."
        )
    if any(label == 0 and a[1] == len(docs[a[0]]) - 1 and b == (a[0], 0) for docs, a, b, label in rows):
        return (
            "the last sentence of a document has the first sentence as B. Nothing follows a last sentence, "
            "so do not use label 0 there."
        )
    if "other" in two and two - {"other"}:
        return (
            "with label 2, B sometimes comes from the same document as A. Draw another document until it "
            "is not that of A."
        )
    if any("same" in kinds for kinds in (zero, one, two)):
        return (
            "sometimes B is A itself. Take the sentence after A, the sentence before A, or one from another "
            "document."
        )
    if two - {"other"}:
        return "with label 2, B comes from the same document as A. Draw from the other documents."
    if "other" in zero:
        return (
            "with label 0, B sometimes comes from another document. Nothing follows the last sentence of a "
            "document, so do not use label 0 there."
        )
    if "other" in one:
        return (
            "with label 1, B sometimes comes from another document. Nothing precedes the first sentence of "
            "a document, so do not use label 1 there."
        )
    if zero - {"next"}:
        return (
            "with label 0, B is not always the sentence right after A. Take the next sentence of the "
            "document."
        )
    return not one - {"previous"} or (
        "with label 1, B is not always the sentence right before A. Take the previous sentence of the "
        "document."
    )


def cut(docs: list[list], start: int = 0, left: int = 0, step: int = 1, least: int = 1) -> list[tuple]:
    """Return (document, sentence) for the sentences range(start, len(doc) - left, step) of each document.

    Documents with fewer than `least` sentences are left out.
    """
    return [
        (d, i) for d, doc in enumerate(docs) if len(doc) >= least for i in range(start, len(doc) - left, step)
    ]


CUTS = (
    (
        "documents of a single sentence give no pair. Use this sentence as an A with label 2 and a B from "
        "another document.",
        dict(least=2),
    ),
    (
        "you leave out the first and last sentence of a document. Use each sentence as A once; for these "
        "two, only two labels are possible.",
        dict(start=1, left=1),
    ),
    (
        "you leave out the last sentence of a document. Use it as A once, with the sentence before it as B, "
        "or with a B from another document.",
        dict(left=1),
    ),
    (
        "you leave out the first sentence of a document. Use it as A once, with the sentence after it as B, "
        "or with a B from another document.",
        dict(start=1),
    ),
    ("you leave out every second sentence. Use each sentence as A once: move on by one.", dict(step=2)),
    (
        "you leave out every second sentence, and a single last sentence. Use each sentence as A once: move "
        "on by one.",
        dict(step=2, left=1),
    ),
)


def structbert_walk(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if each sentence is the A of exactly one pair, in the order of the text, else a hint."""
    __tracebackhide__ = True
    samples = [(docs, rows, [a for a, _, _ in rows]) for docs, rows in drawn(answer, rng)]
    if all(found == cut(docs) for docs, _, found in samples):
        return True
    for hint, change in CUTS:
        if all(found == cut(docs, **change) for docs, _, found in samples):
            return hint
    if all(sorted(found) == cut(docs) for docs, _, found in samples):
        return (
            "the pairs are not in the order of the text. Go through the documents in order, and through "
            "each document from its first sentence."
        )
    if all(walks(docs, rows) for docs, rows, _ in samples):
        return (
            "after a pair with label 0, you continue after B, as in `nsp_examples`. Here, use B as the next "
            "A, because each sentence is A once."
        )
    if all({*found} == {*cut(docs)} for docs, _, found in samples):
        return "some sentences are A in several pairs. Use each sentence as A once, with one drawn label."
    if any(label == 1 for _, rows, _ in samples for *_, label in rows) and all(
        [*dict.fromkeys(b if label == 1 else a for a, b, label in rows)]
        == [b if label == 1 else a for a, b, label in rows]
        for _, rows, _ in samples
    ):
        return (
            "with label 1, you swap the two sentences, as in `sop_examples`, so A becomes another "
            "sentence. Keep A, and use the sentence before it as B."
        )
    return (
        "the sentences A do not follow the rule. Go through each document from its first sentence to its "
        "last, and use each sentence as A once."
    )


STRUCTBERT_CRASHES = (
    Mistake(
        "an index is past the end of a list. If A is the last sentence of its document, nothing follows "
        "it, so do not use label 0.",
        past_the_end,
    ),
    Mistake(
        "you draw from an empty range. An upper bound of `len(...)` - 1 is 0 for a list with one element, "
        "so use the length itself.",
        nothing_to_draw_from,
    ),
    Mistake(
        "rng.choice has nothing to draw from, because the list is empty. Label 2 is always possible, and "
        "only the document of A should be left out.",
        empty_choice,
    ),
)

STRUCTBERT_INVARIANTS = (
    *form(0, 1, 2),
    Invariant(
        "B follows A with label 0, precedes A with label 1, and comes from another document with label 2",
        structbert_meaning,
    ),
    Invariant("uses each sentence as A once, in the order of the text", structbert_walk),
    Invariant("makes new draws in each call", chancy(fresh)),
    Invariant("draws a label for each pair, with equal probability for all possible labels", thirds),
    Invariant(
        "draws every other document, and each of its sentences, with equal probability",
        lambda answer, rng: foreign_sources(answer, rng, foreign=2),
    ),
)
