"""Students' common mistakes in `decode_entities`, which reads entities from BIO tags."""

from minibert.data.tagging import decode_entities

from ..checks.edits import edits, pairs_of_edits

DECODE = edits(
    decode_entities,
    r"""
    $cut = edge, _, kind = tag.partition("-")
    $ends = edge in ("B", "O") or kind != inside
    $opens = edge != "O" and inside is None
    $entity = (inside, start, i - 1)

    a type may contain hyphens, but you split the tag at each of them. Split only at the first.
        $cut => edge, kind = tag.split("-") if tag != "O" else ("O", "")
    the tag O has no hyphen, so it cannot be split into two parts. Check for O first.
        $cut => edge, kind = tag.split("-")
    an I- of another type continues the previous entity in your answer. It should begin a new entity.
        $ends => edge in ("B", "O")
    a stray I- (after O, at the start, or of another type) begins no entity in your answer. It should begin
    one.
        $opens => edge == "B" and inside is None
    an I- after O does not begin an entity in your answer, but an I- after another type does. Both should
    begin one, as in conlleval.
        $opens => $opens and (edge == "B" or i > 0 and tags[i - 1] != "O")
    a B- after a word of the same type continues the entity in your answer. It should end that entity, because
    B- always begins a new entity.
        $ends => kind != inside
    you leave out an entity that ends with the sentence. When the loop is over, store the open entity.
        [*tags, "O"] => tags
    your third item is one too large: it is the word after the entity. Return the index of its last word.
        i - 1 => i
    every word is a separate entity in your answer. Join adjacent words of one entity: B-PER I-PER is a single
    entity.
        $ends => True
    your type still begins with B- or I-. Remove the first two characters of the tag.
        kind != inside => kind != inside[2:]
        start, inside = i, kind => start, inside = i, tag
    you split the tag at its last hyphen. Split it at the first.
        $cut => edge, kind = tag[0], tag.split("-")[-1]
    you compare only the ends of types, so that one type may continue another. Compare whole types.
        kind != inside => not kind.endswith(inside)
    you compare only the beginnings of types, so that one type may continue another. Compare whole types.
        kind != inside => not kind.startswith(inside)
    you compare only parts of types, so that one type may continue another. Compare whole types.
        kind != inside => inside not in f"I-{kind}"
    your entities end after two words. Continue each as long as there are I- tags of its type.
        $ends => $ends or i - start == 2
        or
        $ends => $ends or tags[i - 1][0] != "B"
    you also strip the characters B, I and - from the type. Remove only the first two characters of the tag.
        $cut => edge, kind = tag[0], tag.lstrip("BI-")
    you remove B- and I- everywhere in the tag, even in the type. Remove only the first two characters.
        $cut => edge, kind = tag[0], tag.replace("B-", "").replace("I-", "")
    you treat every tag that contains an O as outside of all entities. Only the tag O itself is.
        $cut => $cut if "O" not in tag else ("O", "", "")
    a later entity replaces an earlier one of the same type in your answer. Keep a list of all entities.
        return [*{entity[0]: entity for entity in result}.values()]
    you return only the first entity. Continue the search to the end of the sentence.
        return result[:1]
    an I- at the start of the sentence begins no entity in your answer. Like any stray I-, it should begin
    one.
        $opens => $opens and (edge == "B" or i > 0)
    the entities are in reverse order. Return them in the order of the sentence.
        return result[::-1]
    you sort the entities by type. Return them in the order of the sentence.
        return sorted(result)
    your tuples have the order (first, last, type). The order should be (type, first, last).
        $entity => (start, i - 1, inside)
    you count words from 1. Count from 0, like list indices.
        $entity => (inside, start + 1, i)
    your third item is the number of words. Return the index of the entity's last word.
        $entity => (inside, start, i - start)
    you return words tagged O as entities. Leave them out: O means outside of all entities.
        if $opens => if edge == "O" and i < len(tags):\n    found.append(("O", i, i))\nif $opens
    """,
) + pairs_of_edits(
    decode_entities,
    """
    the third item is one too large, because it is not the index of the entity's last word
        i - 1 => i
    a stray I- does not begin an entity, but it should
        edge != "O" => edge == "B"
    you leave out an entity that ends with the sentence, which is still open after the loop
        [*tags, "O"] => tags
    a B- after a word of the same type does not begin a new entity, but it should
        edge in ("B", "O") or kind => kind
    """,
)
