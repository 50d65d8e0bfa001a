"""Known mistakes about `decode_entities`."""

from minibert.data.tagging import decode_entities

from ..checks.edits import edits, pairs_of_edits

DECODE = edits(
    decode_entities,
    r"""
    $cut = edge, _, kind = tag.partition("-")
    $ends = edge in ("B", "O") or kind != inside
    $opens = edge != "O" and inside is None
    $entity = (inside, start, i - 1)

    a type may contain hyphens itself. Cut at the first one only: tag.split("-", 1), or tag[2:].
        $cut => edge, kind = tag.split("-") if tag != "O" else ("O", "")
    O has no hyphen, and so no second part. Look for O first.
        $cut => edge, kind = tag.split("-")
    an I- of another type continues the entity before it. Where the type changes, a new entity begins.
        $ends => edge in ("B", "O")
    a stray I- (after O, at the start, or of another type) opens no entity in your answer. Here it does.
        $opens => edge == "B" and inside is None
    an I- after O opens no entity in your answer, but one after another type does. Both do, as for conlleval.
        $opens => $opens and (edge == "B" or i > 0 and tags[i - 1] != "O")
    B- after a word of the same type is read as continuing it. B- always opens a new entity.
        $ends => kind != inside
    an entity that ends with the sentence is lost. When the loop is over, one may still be open.
        [*tags, "O"] => tags
    the last number is one too large: it is the word after the entity. Give the number of its last word.
        i - 1 => i
    every word is an entity of its own. B-PER I-PER is one entity of two words.
        $ends => True
    the type still has B- or I- in front. Cut the two characters off: tag[2:].
        kind != inside => kind != inside[2:]
        start, inside = i, kind => start, inside = i, tag
    the type is cut at its last hyphen. Cut off only the part before the first one: tag[2:].
        $cut => edge, kind = tag[0], tag.split("-")[-1]
    types are compared by their ends, so that one continues another. Compare them whole.
        kind != inside => not kind.endswith(inside)
    types are compared by their beginnings, so that one continues another. Compare them whole.
        kind != inside => not kind.startswith(inside)
    types are compared by a part, so that one continues another. Compare them whole.
        kind != inside => inside not in f"I-{kind}"
    a name ends after two words in your answer. It continues as long as its I- do.
        $ends => $ends or i - start == 2
        or
        $ends => $ends or tags[i - 1][0] != "B"
    the letters B, I and - are stripped from the type, too. Cut two characters off: tag[2:].
        $cut => edge, kind = tag[0], tag.lstrip("BI-")
    B- and I- are taken out of the tag everywhere, also out of the type. Cut two characters off: tag[2:].
        $cut => edge, kind = tag[0], tag.replace("B-", "").replace("I-", "")
    an O anywhere in a tag counts as outside. Only the tag O is: ask whether tag == "O".
        $cut => $cut if "O" not in tag else ("O", "", "")
    each type once: a later entity replaces an earlier one. Keep a list of all.
        return [*{entity[0]: entity for entity in result}.values()]
    only the first entity is there. Go on to the end of the sentence.
        return result[:1]
    an I- at the very start opens no entity in your answer. Like any stray I-, it does.
        $opens => $opens and (edge == "B" or i > 0)
    the entities are in reverse order. Return them in the order of the sentence.
        return result[::-1]
    the entities are sorted by type. Return them in the order of the sentence.
        return sorted(result)
    the order in a tuple is (first, last, type). It should be (type, first, last).
        $entity => (start, i - 1, inside)
    words are counted from 1. The first word is number 0.
        $entity => (inside, start + 1, i)
    the third number is the length. It should be the number of the last word.
        $entity => (inside, start, i - start)
    words tagged O are entities in your answer. O means: outside of all entities.
        if $opens => if edge == "O" and i < len(tags):\n    found.append(("O", i, i))\nif $opens
    """,
) + pairs_of_edits(
    decode_entities,
    """
    the last number is one too large: it is that of the entity's last word
        i - 1 => i
    a stray I- opens no entity in your answer; here it does
        edge != "O" => edge == "B"
    an entity that ends with the sentence is lost
        [*tags, "O"] => tags
    B- after a word of the same type must open a new entity
        edge in ("B", "O") or kind => kind
    """,
)
