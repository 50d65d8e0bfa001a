"""Known mistakes about `entity_f1`: what counts as right, and what is averaged."""

from collections.abc import Callable

import numpy as np

from minibert.data import tagging

from ..checks.exercise import Mistake


def scored(
    counted: Callable = lambda wanted, found: (len(wanted & found), len(found), len(wanted)),
    finish: Callable | None = None,
    reduce: Callable = sum,
) -> Callable:
    """Build `entity_f1` with some of its steps replaced.

    counted: (right, found, wanted) of a sentence, from the two sets of its entities.
    """
    finish = finish or (lambda right, found, wanted: tagging.precision_recall_f1(right, found, wanted))

    def wrong(gold, predicted):
        counts = [
            counted(set(tagging.decode_entities(a)), set(tagging.decode_entities(b)))
            for a, b in zip(gold, predicted)
        ]
        return finish(*map(reduce, zip(*counts or [(0, 0, 0)])))

    return wrong


def without_types(wanted: set, found: set) -> tuple[int, int, int]:
    wanted, found = ({entity[1:] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def without_ends(wanted: set, found: set) -> tuple[int, int, int]:
    wanted, found = ({entity[:2] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def overlapping(wanted: set, found: set) -> tuple[int, int, int]:
    right = sum(
        any(kind == k and first <= l and f <= last for k, f, l in wanted) for kind, first, last in found
    )
    return right, len(found), len(wanted)


def without_starts(wanted: set, found: set) -> tuple[int, int, int]:
    wanted, found = ({(kind, last) for kind, _, last in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def half_for_overlaps(wanted: set, found: set) -> tuple[float, int, int]:
    right = len(wanted & found)
    return right + 0.5 * (overlapping(wanted, found - wanted)[0]), len(found), len(wanted)


def strays_differ(compare: bool) -> Callable:
    """Build `entity_f1` that tells a stray I- from a B-; compare: by tags, else strays are no entities."""

    def wrong(gold, predicted):
        counts = []
        for sides in zip(gold, predicted):
            a, b = ({(*e, tags[e[1]][0]) for e in tagging.decode_entities(tags)} for tags in sides)
            if not compare:
                a, b = ({e for e in side if e[-1] == "B"} for side in (a, b))
            counts.append((len(a & b), len(b), len(a)))
        return tagging.precision_recall_f1(*map(sum, zip(*counts or [(0, 0, 0)])))

    return wrong


def over_types(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, ...]:
    """The mean of the three scores over the types of entities."""
    pairs = [tuple(set(tagging.decode_entities(tags)) for tags in sides) for sides in zip(gold, predicted)]
    rows = [
        tagging.precision_recall_f1(
            *(
                sum(entity[0] == kind for group in groups for entity in group)
                for groups in zip(*((a & b, b, a) for a, b in pairs))
            )
        )
        for kind in {entity[0] for pair in pairs for side in pair for entity in side}
    ]
    return tuple(float(x) for x in np.mean(rows, axis=0)) if rows else (0.0, 0.0, 0.0)


def pooled(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """Compare one set for all sentences: entities at the same place in two sentences become one."""
    wanted, found = (
        {entity for tags in side for entity in tagging.decode_entities(tags)} for side in (gold, predicted)
    )
    return tagging.precision_recall_f1(len(wanted & found), len(found), len(wanted))


def each_sentence(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, ...]:
    rows = [tagging.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    return tuple(float(x) for x in np.mean(rows, axis=0))


def averaged(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """Average precision and recall over the sentences, and compute F1 of these means."""
    rows = [tagging.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    precision, recall, _ = np.mean(rows, axis=0)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def words(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """F1 over words that are not O."""
    sides = zip([t for tags in gold for t in tags], [t for tags in predicted for t in tags])
    kinds = [(a == b != "O", b != "O", a != "O") for a, b in sides]
    return tagging.precision_recall_f1(*map(sum, zip(*kinds)))


def all_words(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, ...]:
    right = [a == b for wanted, given in zip(gold, predicted) for a, b in zip(wanted, given)]
    return (100 * float(np.mean(right)),) * 3


def last_step(
    mean: Callable = lambda p, r: 2 * p * r / (p + r) if p + r else 0.0, scale: int = 100, swap: bool = False
) -> Callable:
    def finish(right, found, wanted):
        precision, recall = scale * right / max(found, 1), scale * right / max(wanted, 1)
        return (
            (recall, precision, mean(precision, recall))
            if swap
            else (precision, recall, mean(precision, recall))
        )

    return finish


def empty_is_perfect(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    precision, recall = (100 * right / count if count else 100.0 for count in (found, wanted))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def unguarded(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    precision, recall = 100 * right / found, 100 * right / wanted
    return precision, recall, 2 * precision * recall / (precision + recall)


F1 = (
    Mistake(
        "the types are not compared. An entity is right only if its type is right, too.",
        scored(without_types),
    ),
    Mistake(
        "the ends are not compared. An entity is right only if both its ends are right.", scored(without_ends)
    ),
    Mistake(
        "an entity counts as right where it overlaps with a right one. Both ends and the type must be "
        "the same.",
        scored(overlapping),
    ),
    Mistake(
        "entities of different sentences are mixed: two at the same place count once. Compare sentence "
        "by sentence, and add up the counts.",
        pooled,
    ),
    *(
        Mistake(
            "this is the mean over sentences. Add up the counts of all sentences first, then divide once.",
            wrong,
        )
        for wrong in (each_sentence, averaged)
    ),
    Mistake("you compare words. Compare entities: B-PER I-PER is right only as a whole.", words),
    Mistake(
        "this is the share of words with the right tag. Words outside of all entities must not count.",
        all_words,
    ),
    Mistake(
        "precision and recall have changed places. Precision divides by what was found, recall by what "
        "is there.",
        scored(finish=last_step(swap=True)),
    ),
    Mistake(
        "the scores go from 0 to 1. Return them in percent, 0 to 100.", scored(finish=last_step(scale=1))
    ),
    Mistake(
        "F1 is the arithmetic mean in your answer. It is the harmonic one: 2 P R / (P + R).",
        scored(finish=last_step(mean=lambda p, r: (p + r) / 2)),
    ),
    Mistake(
        "F1 is the geometric mean in your answer. It is the harmonic one: 2 P R / (P + R).",
        scored(finish=last_step(mean=lambda p, r: (p * r) ** 0.5)),
    ),
    Mistake(
        "the 2 is missing in F1: it is 2 P R / (P + R).",
        scored(finish=last_step(mean=lambda p, r: p * r / (p + r) if p + r else 0.0)),
    ),
    Mistake(
        "where nothing is found, or nothing is there, you give 100. Nothing is right then: give 0.",
        scored(finish=empty_is_perfect),
    ),
    Mistake(
        "where nothing is found, or nothing is right, you divide by 0. All three scores are 0.0 then.",
        scored(finish=unguarded),
    ),
    *(
        Mistake(
            "sentences without entities, on one of the two sides, are left out. What is found there is "
            "wrong, and "
            "what is there is missed: count them.",
            scored(counted),
        )
        for counted in (
            lambda wanted, found: (len(wanted & found), len(found), len(wanted)) if wanted else (0, 0, 0),
            lambda wanted, found: (len(wanted & found), len(found), len(wanted)) if found else (0, 0, 0),
        )
    ),
    Mistake(
        "entities count only where the whole sentence is right. Each counts by itself.",
        scored(lambda wanted, found: (len(wanted) * (wanted == found), len(found), len(wanted))),
    ),
    Mistake(
        "only one of its ends is compared. An entity is right only if both its ends are right.",
        scored(without_starts),
    ),
    Mistake(
        "an entity that overlaps with a right one counts half. It is wrong: both ends must be the same.",
        scored(half_for_overlaps),
    ),
    *(
        Mistake(
            "a stray I- is told from a B-. decode_entities reads both alike, so compare what it gives.",
            strays_differ(compare),
        )
        for compare in (True, False)
    ),
    Mistake(
        "this is the mean over the types. Add up the counts of all entities, whatever their type.", over_types
    ),
    Mistake(
        "only the first sentence counts. Add the counts up before you divide.",
        scored(reduce=lambda counts: counts[0]),
    ),
    *(
        Mistake(
            "the scores are rounded. Return them as they are.",
            scored(
                finish=lambda *counts, digits=digits: tuple(
                    round(x, digits) for x in tagging.precision_recall_f1(*counts)
                )
            ),
        )
        for digits in (0, 1, 2)
    ),
    Mistake(
        "F1 is the smaller of the two in your answer. It is the harmonic mean: 2 P R / (P + R).",
        scored(finish=last_step(mean=min)),
    ),
    Mistake(
        "F1 goes from 0 to 1 in your answer. Like the two others, it goes to 100.",
        scored(finish=last_step(mean=lambda p, r: 2 * p * r / (p + r) / 100 if p + r else 0.0)),
    ),
    Mistake(
        "only the last sentence counts. Add the counts up before you divide.",
        scored(reduce=lambda counts: counts[-1]),
    ),
)
