"""Known mistakes about `align_labels`."""

from collections.abc import Sequence

from minibert.data.batch import IGNORE

from ..checks.edits import edits, pairs_of_edits


def align_labels(word_ids: Sequence[int | None], labels: Sequence[int]) -> list[int]:
    """Return a label for each token: its word's at the first one of a word, else IGNORE."""
    return [
        IGNORE if word is None else IGNORE if word == before else labels[word]
        for before, word in zip([None, *word_ids], word_ids)
    ]


ALIGN = edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels[word]
    $walk = for before, word in zip([None, *word_ids], word_ids)

    every piece of a word gets its label. Only the first piece does; the others get IGNORE.
        $first => labels[word]
    the label is at the last piece of a word. It belongs at the first one.
        zip([None, *word_ids] => zip([*word_ids[1:], None]
    later pieces get 0, which is a tag: O. They get IGNORE, so that no loss counts them.
        IGNORE if word == before => 0 if word == before
    special tokens get 0, which is a tag: O. They get IGNORE, so that no loss counts them.
        IGNORE if word is None => 0 if word is None
    you take labels one after another, as if each word had a piece. A word may have none: look `labels[word]`
    up.
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    later pieces get the label of an inside word, B- turned into I-. The pieces of one word make one tag; give
    IGNORE.
        $first => labels[word] + (word == before) * labels[word] % 2
    special tokens are left out. The row keeps its length: give them IGNORE.
        $walk => $walk if word is not None
    later pieces are left out. The row keeps its length: give them IGNORE.
        $walk => $walk if word is None or word != before
    only the labels that count are returned. Return one number for each token of the row.
        return [label for label in result if label != IGNORE]
    these are word numbers. Look the label up: labels[word].
        labels[word] => word
    the labels come one token late or early. Item i of the result belongs to token i, [CLS] included.
        return result[1:] + result[:1]
    0 is a word, too: `if word` is False for it. Test `word is None`.
        word is None => not word
    IGNORE is -100; you give -1, which no loss ignores.
        IGNORE =>> -1
    IGNORE is -100; you give None, which no loss ignores.
        IGNORE =>> None
    IGNORE is -100; you give 100, which no loss ignores.
        IGNORE =>> 100
    a word with the label 0 gets IGNORE. 0 is a label like the others: no `or`, no `if label`.
        labels[word] => labels[word] or IGNORE
    a word with the same label as the word before gets none. Compare the words' numbers, not their labels.
        word == before => before is not None and labels[word] == labels[before]
    only the first word after a special token has a label. Each word has one, at its first piece.
        word == before => before is not None
    words of one piece get no label. Their only piece is their first one.
        word == before => word == before or word_ids.count(word) == 1
    the third piece of a word gets its label again. Remember the word at every token.
        word == before => (i - word_ids.index(word)) % 2
        $walk => for i, word in enumerate(word_ids)
    these are the labels of the next word. Words are counted from 0, as lists are: labels[word].
        labels[word] => [*labels, 0][word + 1]
    these are the labels of the word before. Words are counted from 0, as lists are: labels[word].
        labels[word] => labels[word - 1]
    the first and the last token are left out. The row keeps its length: give them IGNORE.
        return result[1:-1]
    """,
) + pairs_of_edits(
    align_labels,
    """
    $first = IGNORE if word == before else labels

    later pieces get 0 instead of IGNORE
        $first => 0 if word == before else labels
    every piece of a word gets its label
        $first => labels
    special tokens get 0 instead of IGNORE
        IGNORE if word is None => 0 if word is None
    labels are taken one after another, not looked up by word
        labels[word] => labels[sorted({*word_ids} - {None}).index(word)]
    """,
)
