"""Students' common mistakes in `align_labels`, which transfers the labels of words to their tokens."""

from collections.abc import Sequence

from minibert.data.batch import IGNORE

from ..checks.edits import edits, pairs_of_edits


def align_labels(word_ids: Sequence[int | None], labels: Sequence[int]) -> list[int]:
    """Return a label for each token: its word's label if the token is the first of the word, else IGNORE."""
    return [
        IGNORE if word is None else IGNORE if word == before else labels[word]
        for before, word in zip([None, *word_ids], word_ids)
    ]


ALIGN = edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels[word]
    $walk = for before, word in zip([None, *word_ids], word_ids)

    you give every token of a word its label. Only the first token gets the label: give the others IGNORE.
        $first => labels[word]
    you give the label to the last token of a word. Give it to the first token.
        zip([None, *word_ids] => zip([*word_ids[1:], None]
    you give a word's later tokens 0, which is the label of O. Give them IGNORE, so that the loss ignores
    them.
        IGNORE if word == before => 0 if word == before
    you give special tokens 0, which is the label of O. Give them IGNORE, so that the loss ignores them.
        IGNORE if word is None => 0 if word is None
    you use the labels one after another, but a word may have no token. Look up each label by its word's
    number.
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    you give a word's later tokens an I- label. Give them IGNORE: only the first token has a label.
        $first => labels[word] + (word == before) * labels[word] % 2
    you leave out special tokens. Give them IGNORE: the result has one item per token.
        $walk => $walk if word is not None
    you leave out a word's later tokens. Give them IGNORE: the result has one item per token.
        $walk => $walk if word is None or word != before
    you return only the labels that are not IGNORE. Return one number for each token of the sequence.
        return [label for label in result if label != IGNORE]
    you return word numbers. Return the label of each word.
        labels[word] => word
    your labels are one token too late or too early. Item i of the result belongs to token i, including [CLS].
        return result[1:] + result[:1]
    your test for special tokens also leaves out word 0. Check for None instead.
        word is None => not word
    you return -1, which the loss does not ignore. Use the constant IGNORE.
        IGNORE =>> -1
    you return None, which the loss does not ignore. Use the constant IGNORE.
        IGNORE =>> None
    you return 100, which the loss does not ignore. Use the constant IGNORE.
        IGNORE =>> 100
    you give words with the label 0 IGNORE. 0 is a label like the others; does your code treat it as False?
        labels[word] => labels[word] or IGNORE
    you give a word no label if the previous word has the same label. Compare word numbers, not labels.
        word == before => before is not None and labels[word] == labels[before]
    you label only the first word after a special token. Label the first token of every word.
        word == before => before is not None
    you give words of one token no label. Label them too: their only token is also their first.
        word == before => word == before or word_ids.count(word) == 1
    you give the label again to a word's third token. Remember the word of every token, not only of the first.
        word == before => (i - word_ids.index(word)) % 2
        $walk => for i, word in enumerate(word_ids)
    you return the label of the next word. Words count from 0, like list indices.
        labels[word] => [*labels, 0][word + 1]
    you return the label of the previous word. Words count from 0, like list indices.
        labels[word] => labels[word - 1]
    you leave out the first and the last token. Give them IGNORE: the result has one item per token.
        return result[1:-1]
    """,
) + pairs_of_edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels

    you give a word's later tokens 0 instead of IGNORE
        $first => 0 if word == before else labels
    you give every token of a word its label, although only the first should get it
        $first => labels
    you give special tokens 0 instead of IGNORE
        IGNORE if word is None => 0 if word is None
    you use the labels one after another instead of looking up labels[word]
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    """,
)
