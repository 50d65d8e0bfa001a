"""Check that `nsp_examples` and `sop_examples` choose each label by a separate toss of a fair coin.

A row is (place of A, place of B, label), where a place is (document, sentence).
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from ..checks.chance import plausible
from .pair_invariants import drawn

DOCUMENTS, CALLS = (12, 11, 12, 13), 400  # enough to distinguish 0.45 or 0.55 from 0.5
Tosses = list[list[tuple[tuple[int, int], int]]]  # for each call: (place of the pair, label)


def tosses(answer: Callable, rng: np.random.Generator, has_choice: Callable) -> Tosses:
    """Call a student's function often; return, per call, (place, label) of pairs that allow both labels.

    has_choice(docs, place of A, place of B, label): returns whether the pair could have had either label.
    """
    return [
        [(min(a, b) if a[0] == b[0] else a, label) for a, b, label in rows if has_choice(docs, a, b, label)]
        for docs, rows in drawn(answer, rng, sizes=(DOCUMENTS,), calls=CALLS)
    ]


def share(calls: Tosses, chosen: Callable = lambda place: True) -> str:
    """Return the percentage of pairs with label 1, or "" if chance can explain its distance from 50%.

    calls: the result of `tosses`. chosen(place): returns whether to count the pair at `place`.
    """
    labels = [label for call in calls for place, label in call if chosen(place)]
    return "" if plausible(sum(labels), len(labels), 0.5) else f"{np.mean(labels):.0%}"


def changes(calls: Tosses) -> Iterator[bool]:
    for call in calls:
        labels = [label for _, label in call]
        yield from (before != label for before, label in zip(labels, labels[1:]))


def twins(calls: Tosses) -> Iterator[bool]:
    """Yield whether pairs at the same index in two consecutive documents have equal labels."""
    for call in calls:
        found = dict(call)
        yield from (label == found[d + 1, i] for (d, i), label in call if (d + 1, i) in found)


def one_sided(calls: Tosses) -> str:
    """Return a hint if all labels are equal overall, within each call or within each document, else ""."""
    labels = {label for call in calls for _, label in call}
    if len(labels) == 1:
        return (
            f"every label is {labels.pop():.0f}, even if both labels are possible. Toss a coin for each "
            "pair, so that half of them get the other label."
        )
    if all(len({label for _, label in call}) == 1 for call in calls):
        return "one toss decides for all pairs of a call. Toss separately for each pair."
    if all(
        len({(place[0], label) for place, label in call}) == len({place[0] for place, _ in call})
        for call in calls
    ):
        return "one toss decides for a whole document. Toss separately for each pair."
    return ""


DEPENDS = (
    "labels depend on earlier ones: they alternate, come in blocks, or occur a fixed number of times. "
    "Toss separately for each pair."
)
SOME = (  # (condition on a place, hint if the coin is fair everywhere else)
    (
        lambda place: place == (0, 0),
        "{} of the first pairs of a call have label 1, but about half of the other pairs do. Toss a coin for "
        "the first pair too.",
    ),
    (
        lambda place: place[1] == 0,
        "{} of the pairs with the first two sentences of a document have label 1, but about half of the "
        "other pairs do. Toss separately for each pair.",
    ),
    (
        lambda place: place[1] >= DOCUMENTS[place[0]] - 3,
        "{} of the pairs near the end of a document have label 1, although both labels are possible there. "
        "Check the end of your loop: which is the last A that has a sentence after it?",
    ),
)


def unfair(calls: Tosses) -> str:
    """Return a hint about pairs for which the two labels are not equally likely, or "" if there are none."""
    for chosen, words in SOME:
        said = share(calls, chosen)
        if said and not share(calls, lambda place, chosen=chosen: not chosen(place)):
            return words.format(said)
    if said := share(calls):
        return (
            f"{said} of the pairs for which both labels are possible have label 1. Make both labels "
            "equally likely."
        )
    if any(share(calls, lambda place, d=d: place[0] == d) for d in range(len(DOCUMENTS))):
        return "the coin is different for each document. Make both labels equally likely in all documents."
    return ""


def fair(has_choice: Callable) -> Callable:
    """Return a check that the labels are drawn fairly and separately, for pairs that can have either label.

    The check returns True, False or a hint. has_choice: as for `tosses`.
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
                "pairs at the same index of two documents have the same label more often than by chance. "
                "Toss a coin for each pair, not once for each index."
            )
        return plausible(sum(changed), len(changed), 0.5) or DEPENDS

    return holds


def not_dealt(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if exactly half of the pairs have label 1 no more often than by chance, else a hint."""
    calls = tosses(answer, rng, lambda docs, a, b, label: True)[:100]
    halves = sum(abs(2 * sum(label for _, label in call) - len(call)) <= 1 for call in calls)
    n = sum(size // 2 for size in DOCUMENTS)
    chance = (1 + n % 2) * math.comb(n, n // 2) / 2**n
    return (
        halves <= chance * len(calls)
        or plausible(halves, len(calls), chance)
        or (
            f"in {halves} of {len(calls)} calls, exactly half of the pairs have label 1, which chance "
            "alone would rarely give. Toss separately for each pair."
        )
    )
