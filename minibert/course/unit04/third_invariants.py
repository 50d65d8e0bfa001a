"""Check that the labels in `structbert_examples` are equally likely and drawn separately for each pair.

Each label has the probability 1/3, or 1/2 if A is the first or last sentence of a document. A row is (place
of A, label), where a place is (document, sentence).
"""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import all_plausible, named, plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (12, 2, 11, 12, 13), 200
Labels = list[list[tuple[tuple[int, int], int]]]  # for each call: (place of A, label)


def inner(place: tuple[int, int]) -> bool:
    """Return whether the sentence at `place` has a previous and a next sentence in its document."""
    return 0 < place[1] < DOCUMENTS[place[0]] - 1


def first(place: tuple[int, int]) -> bool:
    return place[1] == 0


def last(place: tuple[int, int]) -> bool:
    return place[1] == DOCUMENTS[place[0]] - 1


def shares() -> list[tuple[tuple[float, ...], str]]:
    """Return (shares, hint) for each common mistake.

    The shares are the frequencies of labels 0, 1 and 2 where all three are possible.
    """
    tiny = 1e-9  # with a probability of 0, a single stray draw would exclude these shares
    said = [
        (
            (2 / 9, 3 / 9, 4 / 9),
            "You draw again only if the first draw failed, and so the labels are not equally likely. Draw "
            "once, and divide the range into three.",
        ),
        (
            (0.25, 0.25, 0.5),
            "Two coin tosses in a row give the shares 1/2, 1/4 and 1/4. Draw one of three numbers instead.",
        ),
        (
            (0.5, 0.5, tiny),
            "One label is never drawn. Check the range of the numbers that you draw.",
        ),
    ]
    return [(share, hint) for parts, hint in said for share in sorted(set(itertools.permutations(parts)))]


def counts(calls: Labels, chosen: Callable) -> np.ndarray:
    """Return how often each of the labels 0, 1 and 2 was drawn, (3,).

    chosen(place): returns whether to count the label there.
    """
    return np.bincount([label for call in calls for place, label in call if chosen(place)], minlength=3)


def uneven(calls: Labels) -> str:
    """Return a hint if the possible labels are not equally likely, else an empty string."""
    found = counts(calls, inner)
    if not all_plausible(found, [1 / 3] * 3):
        percent = " : ".join(f"{share:.0%}" for share in found / found.sum())
        return (
            f"where all labels are possible, 0, 1 and 2 have the shares {percent}, but they should be "
            f"equally likely. {named(found, shares())}"
        ).strip()
    for edge, where, possible in ((first, "first", 0), (last, "last", 1)):
        some = counts(calls, edge)
        if not plausible(int(some[2]), int(some.sum()), 0.5):
            hint = (
                "If you draw an impossible label, you use label 2. Draw only from the possible labels."
                if plausible(int(some[2]), int(some.sum()), 2 / 3)
                else "If you draw an impossible label, you use the sentence on the other side. Draw only "
                "from the possible labels."
                if plausible(int(some[2]), int(some.sum()), 1 / 3)
                else ""
            )
            return (
                f"{some[2] / some.sum():.0%} of the pairs with the {where} sentence of a document as A have "
                f"label 2. There, the labels {possible} and 2 are possible, and each should have a half. "
                f"{hint}"
            ).strip()
    for d in range(len(DOCUMENTS)):
        for label, chosen, share in (
            (0, inner, 1 / 3),
            (1, inner, 1 / 3),
            (2, inner, 1 / 3),
            (2, first, 1 / 2),
            (2, last, 1 / 2),
        ):
            some = counts(calls, lambda place, d=d, chosen=chosen: place[0] == d and chosen(place))
            if not plausible(int(some[label]), int(some.sum()), share):
                return (
                    "the shares of the labels differ between documents. In every document, draw from all "
                    "possible labels with equal probability."
                )
    return ""


def places_differ(calls: Labels) -> str:
    """Return a hint if second or second-to-last sentences have unusual shares of labels, else ""."""
    for chosen, where in (
        (lambda place: place[1] == 1, "second"),
        (lambda place: place[1] == DOCUMENTS[place[0]] - 2, "second-to-last"),
    ):
        some = counts(calls, lambda place, chosen=chosen: inner(place) and chosen(place))
        rest = counts(calls, lambda place, chosen=chosen: inner(place) and not chosen(place))
        if all_plausible(rest, [1 / 3] * 3) and not all_plausible(some, [1 / 3] * 3):
            return (
                f"the labels of the {where} sentence of a document are drawn differently from those in the "
                "middle. Check your conditions for the labels 0 and 1."
            )
    return ""


def repeats(calls: Labels) -> Iterator[bool]:
    """Yield whether each label equals the previous one, for pairs that could have any label."""
    for call in calls:
        labels = [label for place, label in call if inner(place)]
        yield from (before == label for before, label in itertools.pairwise(labels))


def twins(calls: Labels) -> Iterator[bool]:
    """Yield whether sentences A at the same index in two documents have equal labels."""
    for call in calls:
        found = {place: label for place, label in call if inner(place)}
        yield from (found[d, i] == found[e, i] for d, i in found for e in range(d) if (e, i) in found)


def one_sided(calls: Labels) -> str:
    """Return a hint if all labels are equal overall, within each call or within each document, else ""."""
    kept = [[(place, label) for place, label in call if inner(place)] for call in calls]
    labels = {label for call in kept for _, label in call}
    if len(labels) == 1:
        return (
            f"every label is {labels.pop()}, even if other labels are possible. Draw a label for each pair."
        )
    if all(len({label for _, label in call}) == 1 for call in kept):
        return "one draw decides for all pairs of a call. Draw a new label for each pair."
    if all(
        len({(place[0], label) for place, label in call}) == len({place[0] for place, _ in call})
        for call in kept
    ):
        return "one draw decides for a whole document. Draw a new label for each pair."
    return ""


DEPENDS = (
    "labels depend on earlier ones: they alternate, come in blocks, or occur a fixed number of times. "
    "Draw separately for each pair."
)


def dealt(calls: Labels) -> bool:
    """Return whether each label goes to almost exactly a third of the pairs in suspiciously many calls."""
    n = sum(max(0, size - 2) for size in DOCUMENTS)
    some = [np.bincount([label for place, label in call if inner(place)], minlength=3) for call in calls]
    even = sum(max(abs(3 * count - n)) <= 3 for count in some)
    near = [
        (a, b)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        if max(abs(3 * count - n) for count in (a, b, n - a - b)) <= 3
    ]
    chance = sum(math.comb(n, a) * math.comb(n - a, b) for a, b in near) / 3**n
    return even > chance * len(calls) and not plausible(int(even), len(calls), chance)


def thirds(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the possible labels are equally likely, with a draw for each pair, else a hint."""
    __tracebackhide__ = True
    calls = [
        [(a, label) for a, _, label in rows]
        for _, rows in drawn(answer, rng, sizes=(DOCUMENTS,), calls=CALLS)
    ]
    again, alike = [*repeats(calls)], [*twins(calls)]
    said = one_sided(calls) or (
        DEPENDS if not 0.1 < np.mean(again) < 0.7 else places_differ(calls) or uneven(calls)
    )
    if said:
        return said
    if not plausible(sum(again), len(again), 1 / 3) or dealt(calls):
        return DEPENDS
    return share_of_twins(alike)


def share_of_twins(alike: list[bool]) -> bool | str:
    return plausible(sum(alike), len(alike), 1 / 3) or (
        "pairs at the same index of two documents have the same label more often than by chance. Draw for "
        "each pair, not once for each index."
    )
