"""Known mistakes in `align_labels`."""

from collections.abc import Sequence

from minibert.data.batch import IGNORE

from ..checks.edits import edits, pairs_of_edits


def align_labels(word_ids: Sequence[int | None], labels: Sequence[int]) -> list[int]:
    """Return a label for each token: the word's label at its first token, IGNORE at all others."""
    return [
        IGNORE if word is None else IGNORE if word == before else labels[word]
        for before, word in zip([None, *word_ids], word_ids)
    ]


ALIGN = edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels[word]
    $walk = for before, word in zip([None, *word_ids], word_ids)

    you give every token of a word its label. Only the first token gets the label; the others get IGNORE.
        $first => labels[word]
    you put the label at the last token of a word. It belongs at the first one.
        zip([None, *word_ids] => zip([*word_ids[1:], None]
    you give a word's later tokens 0, which is the tag O. Give them IGNORE, so that no loss counts them.
        IGNORE if word == before => 0 if word == before
    you give special tokens 0, which is the tag O. Give them IGNORE, so that no loss counts them.
        IGNORE if word is None => 0 if word is None
    you take labels one after another, as if each word had a token. A word may
    have none: look up `labels[word]`.
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    you turn B- into I- for a word's later tokens. The tokens of one word have one
    tag: give the later ones IGNORE.
        $first => labels[word] + (word == before) * labels[word] % 2
    you leave out special tokens. The sequence must keep its length: give them IGNORE.
        $walk => $walk if word is not None
    you leave out a word's later tokens. The sequence must keep its length: give them IGNORE.
        $walk => $walk if word is None or word != before
    you return only the labels that count. Return one number for each token of the sequence.
        return [label for label in result if label != IGNORE]
    you return word numbers. Look up the label: labels[word].
        labels[word] => word
    your labels are one token too late or too early. Item i of the result belongs to token i, including [CLS].
        return result[1:] + result[:1]
    `if word` is False for word 0, which is a word too. Check `word is None`.
        word is None => not word
    you return -1, which the loss does not ignore. Use IGNORE, which is -100.
        IGNORE =>> -1
    you return None, which the loss does not ignore. Use IGNORE, which is -100.
        IGNORE =>> None
    you return 100, which the loss does not ignore. Use IGNORE, which is -100.
        IGNORE =>> 100
    you give a word with the label 0 IGNORE. 0 is a label like the others, so do not use `or` or `if label`.
        labels[word] => labels[word] or IGNORE
    a word gets no label if the previous word has the same one. Compare word numbers, not labels.
        word == before => before is not None and labels[word] == labels[before]
    only the first word after a special token has a label. Each word needs one, at its first token.
        word == before => before is not None
    words of one token get no label. Their only token is also their first one.
        word == before => word == before or word_ids.count(word) == 1
    a word's third token gets the label again. Remember the previous word at every token.
        word == before => (i - word_ids.index(word)) % 2
        $walk => for i, word in enumerate(word_ids)
    you return the labels of the next word. Words are counted from 0, like the items of a list: labels[word].
        labels[word] => [*labels, 0][word + 1]
    you return the labels of the previous word. Words are counted from 0, like the
    items of a list: labels[word].
        labels[word] => labels[word - 1]
    you leave out the first and the last token. The sequence must keep its length: give them IGNORE.
        return result[1:-1]
    """,
) + pairs_of_edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels

    a word's later tokens get 0 instead of IGNORE
        $first => 0 if word == before else labels
    every token of a word gets its label
        $first => labels
    special tokens get 0 instead of IGNORE
        IGNORE if word is None => 0 if word is None
    you take labels one after another instead of looking them up by word
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    """,
)
