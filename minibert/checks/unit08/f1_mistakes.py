"""Known mistakes about `entity_f1`: what counts as right, and what is averaged."""
from collections.abc import Callable

import numpy as np

from minibert import reference

from ..engine.exercise import Mistake


def scored(counted: Callable = lambda wanted, found: (len(wanted & found), len(found), len(wanted)),
           finish: Callable | None = None, reduce: Callable = sum) -> Callable:
    """Build `entity_f1` with some of its steps replaced.

    counted: (right, found, wanted) of a sentence, from the two sets of its entities.
    """
    finish = finish or (lambda right, found, wanted: reference.tagging.precision_recall_f1(right, found,
                                                                                           wanted))

    def wrong(gold, predicted):
        counts = [counted(set(reference.decode_entities(a)), set(reference.decode_entities(b)))
                  for a, b in zip(gold, predicted)]
        return finish(*map(reduce, zip(*counts)))
    return wrong


def without_types(wanted: set, found: set) -> tuple[int, int, int]:
    wanted, found = ({entity[1:] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def without_ends(wanted: set, found: set) -> tuple[int, int, int]:
    wanted, found = ({entity[:2] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def overlapping(wanted: set, found: set) -> tuple[int, int, int]:
    right = sum(any(kind == k and first <= l and f <= last for k, f, l in wanted)
                for kind, first, last in found)
    return right, len(found), len(wanted)


def pooled(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """Compare one set for all sentences: entities at the same place in two sentences become one."""
    wanted, found = ({entity for tags in side for entity in reference.decode_entities(tags)}
                     for side in (gold, predicted))
    return reference.tagging.precision_recall_f1(len(wanted & found), len(found), len(wanted))


def each_sentence(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, ...]:
    rows = [reference.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    return tuple(float(x) for x in np.mean(rows, axis=0))


def averaged(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """Average precision and recall over the sentences, and compute F1 of these means."""
    rows = [reference.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    precision, recall, _ = np.mean(rows, axis=0)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def words(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, float, float]:
    """F1 over words that are not O."""
    sides = zip([t for tags in gold for t in tags], [t for tags in predicted for t in tags])
    kinds = [(a == b != "O", b != "O", a != "O") for a, b in sides]
    return reference.tagging.precision_recall_f1(*map(sum, zip(*kinds)))


def all_words(gold: list[list[str]], predicted: list[list[str]]) -> tuple[float, ...]:
    right = [a == b for wanted, given in zip(gold, predicted) for a, b in zip(wanted, given)]
    return (100 * float(np.mean(right)),) * 3


def last_step(mean: Callable = lambda p, r: 2 * p * r / (p + r) if p + r else 0.0, scale: int = 100,
              swap: bool = False) -> Callable:
    def finish(right, found, wanted):
        precision, recall = scale * right / max(found, 1), scale * right / max(wanted, 1)
        return (recall, precision, mean(precision, recall)) if swap else (precision, recall,
                                                                          mean(precision, recall))
    return finish


def empty_is_perfect(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    precision, recall = (100 * right / count if count else 100.0 for count in (found, wanted))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def unguarded(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    precision, recall = 100 * right / found, 100 * right / wanted
    return precision, recall, 2 * precision * recall / (precision + recall)


F1 = (
    Mistake("the types are not compared. An entity is right only if its type is right, too.",
            scored(without_types)),
    Mistake("the ends are not compared. An entity is right only if both its ends are right.",
            scored(without_ends)),
    Mistake("an entity counts as right where it overlaps with a right one. Both ends and the type must be "
            "the same.", scored(overlapping)),
    Mistake("entities of different sentences are mixed: two at the same place count once. Compare sentence "
            "by sentence, and add up the counts.", pooled),
    *(Mistake("this is the mean over sentences. Add up the counts of all sentences first, then divide once.",
              wrong)
      for wrong in (each_sentence, averaged)),
    Mistake("you compare words. Compare entities: B-PER I-PER is right only as a whole.", words),
    Mistake("this is the share of words with the right tag. Words outside of all entities must not count.",
            all_words),
    Mistake("precision and recall have changed places. Precision divides by what was found, recall by what "
            "is there.", scored(finish=last_step(swap=True))),
    Mistake("the scores go from 0 to 1. Return them in percent, 0 to 100.",
            scored(finish=last_step(scale=1))),
    Mistake("F1 is the arithmetic mean in your answer. It is the harmonic one: 2 P R / (P + R).",
            scored(finish=last_step(mean=lambda p, r: (p + r) / 2))),
    Mistake("F1 is the geometric mean in your answer. It is the harmonic one: 2 P R / (P + R).",
            scored(finish=last_step(mean=lambda p, r: (p * r) ** 0.5))),
    Mistake("the 2 is missing in F1: it is 2 P R / (P + R).",
            scored(finish=last_step(mean=lambda p, r: p * r / (p + r) if p + r else 0.0))),
    Mistake("where nothing is found, or nothing is there, you give 100. Nothing is right then: give 0.",
            scored(finish=empty_is_perfect)),
    Mistake("where nothing is found, or nothing is right, you divide by 0. All three scores are 0.0 then.",
            scored(finish=unguarded)),
    Mistake("only the last sentence counts. Add the counts up before you divide.",
            scored(reduce=lambda counts: counts[-1])),
)
