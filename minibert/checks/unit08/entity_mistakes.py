"""What a wrong `decode_entities` and a wrong `entity_f1` give themselves away by; see unit08.py."""
import numpy as np

from minibert import reference

from ..engine.base import Mistake, pairs


def decoded(opens=lambda edge, kind, before: edge == "B"
            or kind != before, last=lambda end: end, kind_of=lambda tag: tag[2:],
            finish=True, stray=True, order=lambda start, end, kind: (kind, start, end), outside=False):
    """decode_entities with one of its steps replaced.

    opens: whether a tag other than O opens an entity; stray: whether an I- may; finish: whether the last word
    may end one; outside: whether words outside are entities, too.
    """
    def wrong(tags):
        found, start, before = [], None, None
        for i, tag in enumerate([*tags, "O"]):
            edge, kind = ("O", None) if tag == "O" else (tag[0], kind_of(tag))
            if before is not None and (edge == "O" or opens(edge, kind, before)):
                if finish or i < len(tags):
                    found.append(order(start, last(i - 1), before))
                before = None
            if outside and tag == "O" and i < len(tags):
                found.append(order(i, last(i), "O"))
            if edge != "O" and before is None and (stray or edge == "B"):
                start, before = i, kind
        return found
    return wrong


def one_word_each(tags):
    return [(tag[2:], i, i) for i, tag in enumerate(tags) if tag != "O"]


def strays_are_glued(tags):
    """An I- goes on with the entity before it, whatever its type."""
    return decoded(opens=lambda edge, kind, before: edge == "B")(tags)


def stray_ends(tags):
    """An I- of another type ends the entity and opens none; one after O opens none either."""
    return decoded(stray=False)(tags)


def sorted_by_type(tags):
    return sorted(reference.decode_entities(tags))


SWITCHES = (
    (dict(last=lambda end: end + 1),
     "the last number is one too large: it is that of the entity's last word"),
    (dict(stray=False), "a stray I- opens no entity in your answer; here it does"),
    (dict(finish=False), "an entity that ends with the sentence is lost"),
    (dict(opens=lambda edge, kind, before: kind != before),
     "B- after a word of the same type must open a new entity"),
)
def two_parts(tags):
    edge, kind = next(tag for tag in tags if tag.count("-") > 1).split("-")


def always_two_parts(tags):
    for tag in tags:
        edge, kind = tag.split("-")


DECODE = (
    Mistake("a type may hold hyphens itself. Cut at the first one only: tag.split(\"-\", 1), or tag[2:].",
            two_parts),
    Mistake("O has no hyphen, and so no second part. Look for O first.", always_two_parts),
    Mistake("an I- of another type goes on with the entity before it. Where the type changes, a new entity "
            "begins.",
            strays_are_glued),
    Mistake("a stray I- (after O, at the start, or of another type) opens no entity in your answer. Here it "
            "does.",
            stray_ends),
    Mistake("an I- after O opens no entity in your answer, but one after another type does. Both do, as for "
            "conlleval.",
            lambda tags: decoded()([tag if tag == "O" or tag[0] == "B" or before != "O" else "O"
                                    for before, tag in zip(["O", *tags], tags)])),
    Mistake("B- after a word of the same type is read as going on. B- always opens a new entity.",
            decoded(**SWITCHES[3][0])),
    Mistake("an entity that ends with the sentence is lost. When the loop is over, one may still be open.",
            decoded(finish=False)),
    Mistake("the last number is one too large: it is the word after the entity. Give the number of its last "
            "word.",
            decoded(last=lambda end: end + 1)),
    Mistake("every word is an entity of its own. B-PER I-PER is one entity of two words.", one_word_each),
    Mistake("the type still has B- or I- in front. Cut the two characters off: tag[2:].",
            decoded(kind_of=lambda tag: tag, opens=lambda edge, kind, before: edge == "B"
                    or kind[2:] != before[2:])),
    Mistake("the type is cut at its last hyphen. Only what stands before the first one is cut off: tag[2:].",
            decoded(kind_of=lambda tag: tag.split("-")[-1])),
    Mistake("the entities are sorted by type. Return them in the order of the sentence.", sorted_by_type),
    Mistake("the order in a tuple is (first, last, type). It should be (type, first, last).",
            decoded(order=lambda start, end, kind: (start, end, kind))),
    Mistake("words are counted from 1. The first word is number 0.",
            decoded(order=lambda start, end, kind: (kind, start + 1, end + 1))),
    Mistake("the third number is the length. It should be the number of the last word.",
            decoded(order=lambda start, end, kind: (kind, start, end - start + 1))),
    Mistake("words tagged O are entities in your answer. O means: outside of all entities.",
            decoded(outside=True)),
    *pairs(decoded, *SWITCHES),
)


def scored(counted=lambda wanted, found: (len(wanted & found), len(found),
                                          len(wanted)), finish=None, reduce=sum):
    """entity_f1 with one of its steps replaced. counted: (right, found, wanted) of a sentence, from two
    sets.
    """
    finish = finish or (lambda right, found, wanted: reference.tagging.precision_recall_f1(right, found,
                                                                                           wanted))

    def wrong(gold, predicted):
        counts = [counted(set(reference.decode_entities(a)), set(reference.decode_entities(b)))
                  for a, b in zip(gold, predicted)]
        return finish(*map(reduce, zip(*counts)))
    return wrong


def without_types(wanted, found):
    wanted, found = ({entity[1:] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def without_ends(wanted, found):
    wanted, found = ({entity[:2] for entity in group} for group in (wanted, found))
    return len(wanted & found), len(found), len(wanted)


def overlapping(wanted, found):
    right = sum(any(kind == k and first <= l and f <= last for k, f, l in wanted)
                for kind, first, last in found)
    return right, len(found), len(wanted)


def pooled(gold, predicted):
    """One set for all sentences: entities at the same place in two sentences become one."""
    wanted, found = ({entity for tags in side for entity in reference.decode_entities(tags)}
                     for side in (gold, predicted))
    return reference.tagging.precision_recall_f1(len(wanted & found), len(found), len(wanted))


def each_sentence(gold, predicted):
    rows = [reference.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    return tuple(float(x) for x in np.mean(rows, axis=0))


def averaged(gold, predicted):
    """Precision and recall as means over the sentences, and F1 of these means."""
    rows = [reference.entity_f1([a], [b]) for a, b in zip(gold, predicted)]
    precision, recall, _ = np.mean(rows, axis=0)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def words(gold, predicted):
    """F1 over words that are not O."""
    sides = zip([t for tags in gold for t in tags], [t for tags in predicted for t in tags])
    kinds = [(a == b != "O", b != "O", a != "O") for a, b in sides]
    return reference.tagging.precision_recall_f1(*map(sum, zip(*kinds)))


def all_words(gold, predicted):
    right = [a == b for wanted, given in zip(gold, predicted) for a, b in zip(wanted, given)]
    return (100 * float(np.mean(right)),) * 3


def last_step(mean=lambda p, r: 2 * p * r / (p + r) if p + r else 0.0, scale=100, swap=False):
    def finish(right, found, wanted):
        precision, recall = scale * right / max(found, 1), scale * right / max(wanted, 1)
        return (recall, precision, mean(precision, recall)) if swap else (precision, recall,
                                                                          mean(precision, recall))
    return finish


def empty_is_perfect(right, found, wanted):
    precision, recall = (100 * right / count if count else 100.0 for count in (found, wanted))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def unguarded(right, found, wanted):
    precision, recall = 100 * right / found, 100 * right / wanted
    return precision, recall, 2 * precision * recall / (precision + recall)


F1 = (
    Mistake("the types are not compared. An entity is right only if its type is right, too.",
            scored(without_types)),
    Mistake("the ends are not compared. An entity is right only if both its ends are right.",
            scored(without_ends)),
    Mistake("an entity counts as right where it overlaps with a right one. Both ends and the type must be "
            "the same.",
            scored(overlapping)),
    Mistake("entities of different sentences are mixed: two at the same place count once. Compare sentence "
            "by sentence, and add "
            "up the counts.", pooled),
    *(Mistake("this is the mean over sentences. Add up the counts of all sentences first, then divide once.",
              wrong)
      for wrong in (each_sentence, averaged)),
    Mistake("you compare words. Compare entities: B-PER I-PER is right only as a whole.", words),
    Mistake("this is the share of words with the right tag. Words outside of all entities must not count.",
            all_words),
    Mistake("precision and recall have changed places. Precision divides by what was found, recall by what "
            "is there.",
            scored(finish=last_step(swap=True))),
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
