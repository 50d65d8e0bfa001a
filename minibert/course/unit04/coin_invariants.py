"""The fair coin of `nsp_examples` and `sop_examples`: one toss for each pair, and none tells about another.

A row is (place of A, place of B, label); a place is (document, sentence).
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (12, 11, 12, 13), 400  # enough tosses to tell a coin of 0.45 or 0.55 from a fair one
Tosses = list[list[tuple[tuple[int, int], int]]]  # of each call: (place of the pair, label)


def tosses(answer: Callable, rng: np.random.Generator, has_choice: Callable) -> Tosses:
    """The labels of many calls, where both were possible: has_choice(docs, place of A, place of B, label)."""
    return [
        [(min(a, b) if a[0] == b[0] else a, label) for a, b, label in rows if has_choice(docs, a, b, label)]
        for docs, rows in drawn(answer, rng, sizes=(DOCUMENTS,), calls=CALLS)
    ]


def share(calls: Tosses, chosen: Callable = lambda place: True) -> str:
    """The share of label 1 among the tosses with chosen(place) as a percentage, or "" if it may be a half."""
    labels = [label for call in calls for place, label in call if chosen(place)]
    return "" if plausible(sum(labels), len(labels), 0.5) else f"{np.mean(labels):.0%}"


def changes(calls: Tosses) -> Iterator[bool]:
    for call in calls:
        labels = [label for _, label in call]
        yield from (before != label for before, label in zip(labels, labels[1:]))


def twins(calls: Tosses) -> Iterator[bool]:
    """Yield whether two labels are equal, for pairs at the same place of neighbouring documents."""
    for call in calls:
        found = dict(call)
        yield from (label == found[d + 1, i] for (d, i), label in call if (d + 1, i) in found)


def one_sided(calls: Tosses) -> str:
    """Say whether labels are equal everywhere, in a call, or in a document; "" if they are not."""
    labels = {label for call in calls for _, label in call}
    if len(labels) == 1:
        return (
            f"every label is {labels.pop():.0f}, also where there is a choice. Half of the pairs get the "
            "other one: toss a coin."
        )
    if all(len({label for _, label in call}) == 1 for call in calls):
        return "one toss decides for all pairs of a call. Toss for each pair."
    if all(
        len({(place[0], label) for place, label in call}) == len({place[0] for place, _ in call})
        for call in calls
    ):
        return "one toss decides for a whole document. Toss for each pair."
    return ""


DEPENDS = (
    "a label depends on the one before: they take turns, equal ones stand together, or a fixed number "
    "of "
    "each is dealt out. Toss for each pair."
)
SOME = (  # (whether a place belongs to them, what is wrong if the coin is fair everywhere else)
    (
        lambda place: place == (0, 0),
        "{} of the first pairs of a call have label 1, but half of the others. Toss for the first pair as "
        "for all.",
    ),
    (
        lambda place: place[1] == 0,
        "{} of the pairs with a document's first two sentences have label 1, but half of the others. Toss "
        "for each row.",
    ),
    (
        lambda place: place[1] >= DOCUMENTS[place[0]] - 3,
        "{} of the pairs with a document's last sentences have label 1, though both labels are possible "
        "there. Look at the end of your loop: which is the last A with a sentence after it?",
    ),
)


def unfair(calls: Tosses) -> str:
    """Say at which places the coin is not fair; "" if it is everywhere."""
    for chosen, words in SOME:
        said = share(calls, chosen)
        if said and not share(calls, lambda place, chosen=chosen: not chosen(place)):
            return words.format(said)
    if said := share(calls):
        return (
            f"{said} of the pairs with a choice have label 1. Both labels are equally likely: "
            "rng.random() < 0.5."
        )
    if any(share(calls, lambda place, d=d: place[0] == d) for d in range(len(DOCUMENTS))):
        return "the coin is another one for each document. Both labels are equally likely in all of them."
    return ""


def fair(has_choice: Callable) -> Callable:
    """Build the `holds` that half of the rows with a choice have label 1, each row by a toss of its own.

    has_choice(docs, place of A, place of B, label): whether both labels were possible.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        calls = tosses(answer, rng, has_choice)
        changed, alike = [*changes(calls)], [*twins(calls)]
        said = one_sided(calls) or (DEPENDS if abs(np.mean(changed) - 0.5) > 0.4 else unfair(calls))
        if said:
            return said
        if not plausible(sum(alike), len(alike), 0.5):
            return (
                "pairs at the same place of two documents have the same label more often than chance "
                "allows. "
                "Toss for each pair, not once for each place."
            )
        return plausible(sum(changed), len(changed), 0.5) or DEPENDS

    return holds


def not_dealt(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`, where each call has equally many rows: not just half of them have label 1 in every call."""
    calls = tosses(answer, rng, lambda docs, a, b, label: True)[:100]
    halves = sum(abs(2 * sum(label for _, label in call) - len(call)) <= 1 for call in calls)
    n = sum(size // 2 for size in DOCUMENTS)
    chance = (1 + n % 2) * math.comb(n, n // 2) / 2**n
    return (
        halves <= chance * len(calls)
        or plausible(halves, len(calls), chance)
        or (
            f"in {halves} of {len(calls)} calls just half of the pairs have label 1, as if the labels were "
            "dealt from a pack. Toss for each pair: then the halves are seldom equal."
        )
    )
