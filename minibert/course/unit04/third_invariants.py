"""The labels of `structbert_examples`: a third each, or a half each at the edges, and drawn for each row.

A row is (place of A, label); a place is (document, sentence).
"""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import all_plausible, named, plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (12, 2, 11, 12, 13), 200
Labels = list[list[tuple[tuple[int, int], int]]]  # of each call: (place of A, label)


def inner(place: tuple[int, int]) -> bool:
    """True if a sentence stands on either side of this one, so that all three labels are possible."""
    return 0 < place[1] < DOCUMENTS[place[0]] - 1


def first(place: tuple[int, int]) -> bool:
    return place[1] == 0


def last(place: tuple[int, int]) -> bool:
    return place[1] == DOCUMENTS[place[0]] - 1


def shares() -> list[tuple[tuple[float, ...], str]]:
    """(shares of the labels 0, 1, 2, hint) of the usual mistakes where all three are possible."""
    tiny = 1e-9  # a probability of 0 would rule a share out that has one stray draw
    said = [
        (
            (2 / 9, 3 / 9, 4 / 9),
            "The later draws are made only where the first one failed: a third of "
            "the other two thirds is 2/9. Draw once, and cut it in three.",
        ),
        (
            (0.25, 0.25, 0.5),
            "Two coins one after the other give a half, a quarter and a quarter. Draw "
            "one of the three: rng.integers(3).",
        ),
        (
            (0.5, 0.5, tiny),
            "One label is never drawn: rng.integers(n) gives 0 to n - 1, so three labels need n = 3.",
        ),
    ]
    return [(share, hint) for parts, hint in said for share in sorted(set(itertools.permutations(parts)))]


def counts(calls: Labels, chosen: Callable) -> np.ndarray:
    """How often each label was drawn where chosen(place), (3,)."""
    return np.bincount([label for call in calls for place, label in call if chosen(place)], minlength=3)


def uneven(calls: Labels) -> str:
    """Say where a label is drawn more often than another that is possible; "" if nowhere."""
    found = counts(calls, inner)
    if not all_plausible(found, [1 / 3] * 3):
        percent = " : ".join(f"{share:.0%}" for share in found / found.sum())
        return (
            f"where all labels are possible, 0, 1 and 2 come in shares of {percent}; each should have a "
            f"third. {named(found, shares())}"
        ).strip()
    for edge, where, possible in ((first, "first", 0), (last, "last", 1)):
        some = counts(calls, edge)
        if not plausible(int(some[2]), int(some.sum()), 0.5):
            hint = (
                "Where the draw falls on the label that is not possible, you take label 2: draw again, "
                "among those that are."
                if plausible(int(some[2]), int(some.sum()), 2 / 3)
                else "Where the draw falls on the label that is not possible, you take the other neighbour: "
                "draw again, among those that are."
                if plausible(int(some[2]), int(some.sum()), 1 / 3)
                else ""
            )
            return (
                f"{some[2] / some.sum():.0%} of the pairs with a document's {where} sentence as A have "
                f"label 2. The labels {possible} and 2 are possible there, a half each. {hint}"
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
                    "the shares of the labels are others in each document. Draw among all labels that "
                    "are possible, all alike, in each of them."
                )
    return ""


def places_differ(calls: Labels) -> str:
    """Say whether the second or last but one sentence of a document has other shares; "" if neither has."""
    for chosen, where in (
        (lambda place: place[1] == 1, "second"),
        (lambda place: place[1] == DOCUMENTS[place[0]] - 2, "last but one"),
    ):
        some = counts(calls, lambda place, chosen=chosen: inner(place) and chosen(place))
        rest = counts(calls, lambda place, chosen=chosen: inner(place) and not chosen(place))
        if all_plausible(rest, [1 / 3] * 3) and not all_plausible(some, [1 / 3] * 3):
            return (
                f"the {where} sentence of a document has other labels than those between. Look at your "
                "conditions: a sentence follows if i + 1 < len(doc), and one precedes if i > 0."
            )
    return ""


def repeats(calls: Labels) -> Iterator[bool]:
    """Yield whether a label is the one before, where both A's stand inside documents."""
    for call in calls:
        labels = [label for place, label in call if inner(place)]
        yield from (before == label for before, label in itertools.pairwise(labels))


def twins(calls: Labels) -> Iterator[bool]:
    """Yield whether two labels are equal, for A's at the same place of two documents."""
    for call in calls:
        found = {place: label for place, label in call if inner(place)}
        yield from (found[d, i] == found[e, i] for d, i in found for e in range(d) if (e, i) in found)


def one_sided(calls: Labels) -> str:
    """Say whether labels are equal everywhere, in a call, or in a document; "" if they are not."""
    kept = [[(place, label) for place, label in call if inner(place)] for call in calls]
    labels = {label for call in kept for _, label in call}
    if len(labels) == 1:
        return (
            f"every label is {labels.pop()}, also where there is a choice. Draw one for each pair: "
            "rng.integers(3)."
        )
    if all(len({label for _, label in call}) == 1 for call in kept):
        return "one draw decides for all pairs of a call. Draw a label for each pair."
    if all(
        len({(place[0], label) for place, label in call}) == len({place[0] for place, _ in call})
        for call in kept
    ):
        return "one draw decides for a whole document. Draw a label for each pair."
    return ""


DEPENDS = (
    "a label depends on the one before: they take turns, equal ones stand together, or a fixed number "
    "of each is dealt out. Draw for each pair, whatever was drawn before."
)


def dealt(calls: Labels) -> bool:
    """True if too many calls have just a third of each label, where all three are possible."""
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
    """`holds`: each label that is possible is equally likely, and each row has a draw of its own."""
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
        "pairs at the same place of two documents have the same label more often than chance allows. Draw "
        "for each pair, not once for each place."
    )
