"""Known mistakes in `decode_entities`."""

from minibert.data.tagging import decode_entities

from ..checks.edits import edits, pairs_of_edits

DECODE = edits(
    decode_entities,
    r"""
    $cut = edge, _, kind = tag.partition("-")
    $ends = edge in ("B", "O") or kind != inside
    $opens = edge != "O" and inside is None
    $entity = (inside, start, i - 1)

    a type may contain hyphens. Split at the first one only: tag.split("-", 1), or tag[2:].
        $cut => edge, kind = tag.split("-") if tag != "O" else ("O", "")
    O has no hyphen, so it has no second part. Check for O first.
        $cut => edge, kind = tag.split("-")
    an I- of another type continues the previous entity in your answer. If the
    type changes, a new entity begins.
        $ends => edge in ("B", "O")
    a stray I- (after O, at the start, or of another type) does not begin an entity in your answer. It should.
        $opens => edge == "B" and inside is None
    an I- after O does not begin an entity in your answer, but an I- after another type
    does. Both should, as in conlleval.
        $opens => $opens and (edge == "B" or i > 0 and tags[i - 1] != "O")
    a B- after a word of the same type continues the entity in your answer. B- always begins a new entity.
        $ends => kind != inside
    you lose an entity that ends with the sentence. When the loop is over, one may still be open.
        [*tags, "O"] => tags
    your last number is one too large: it is the word after the entity. Return the number of its last word.
        i - 1 => i
    every word is a separate entity in your answer. B-PER I-PER is one entity of two words.
        $ends => True
    your type still has B- or I- in front. Cut off the first two characters: tag[2:].
        kind != inside => kind != inside[2:]
        start, inside = i, kind => start, inside = i, tag
    you split the type at its last hyphen. Cut off only the part before the first one: tag[2:].
        $cut => edge, kind = tag[0], tag.split("-")[-1]
    you compare only the ends of types, so one type continues another. Compare whole types.
        kind != inside => not kind.endswith(inside)
    you compare only the beginnings of types, so one type continues another. Compare whole types.
        kind != inside => not kind.startswith(inside)
    you compare only parts of types, so one type continues another. Compare whole types.
        kind != inside => inside not in f"I-{kind}"
    an entity ends after two words in your answer. It continues as long as there are I- tags of its type.
        $ends => $ends or i - start == 2
        or
        $ends => $ends or tags[i - 1][0] != "B"
    you also strip the characters B, I and - from the type. Cut off only the first two characters: tag[2:].
        $cut => edge, kind = tag[0], tag.lstrip("BI-")
    you remove B- and I- everywhere in the tag, even in the type. Cut off only the
    first two characters: tag[2:].
        $cut => edge, kind = tag[0], tag.replace("B-", "").replace("I-", "")
    an O anywhere in a tag counts as outside in your answer. Only the tag O does: check tag == "O".
        $cut => $cut if "O" not in tag else ("O", "", "")
    a later entity replaces an earlier one of the same type in your answer. Keep a list of all entities.
        return [*{entity[0]: entity for entity in result}.values()]
    you return only the first entity. Continue to the end of the sentence.
        return result[:1]
    an I- at the very start does not begin an entity in your answer. Like any stray I-, it should.
        $opens => $opens and (edge == "B" or i > 0)
    the entities are in reverse order. Return them in the order of the sentence.
        return result[::-1]
    the entities are sorted by type. Return them in the order of the sentence.
        return sorted(result)
    your tuples have the order (first, last, type). It should be (type, first, last).
        $entity => (start, i - 1, inside)
    you count words from 1. The first word is number 0.
        $entity => (inside, start + 1, i)
    your third number is the length. It should be the number of the last word.
        $entity => (inside, start, i - start)
    words tagged O are entities in your answer. O means outside of all entities.
        if $opens => if edge == "O" and i < len(tags):\n    found.append(("O", i, i))\nif $opens
    """,
) + pairs_of_edits(
    decode_entities,
    """
    the last number is one too large: it should be the entity's last word
        i - 1 => i
    a stray I- does not begin an entity
        edge != "O" => edge == "B"
    you lose an entity that ends with the sentence
        [*tags, "O"] => tags
    a B- after a word of the same type does not begin a new entity
        edge in ("B", "O") or kind => kind
    """,
)
