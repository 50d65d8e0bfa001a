"""Known mistakes about `align_labels`."""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Mistake, pairs


def starts(i: int, word: int | None, before: int | None, seen: set[int]) -> bool:
    """True if a token is the first of its word."""
    return word != before


def aligned(
    first: Callable = starts,
    looked_up: Callable = lambda labels, word, count: labels[word],
    later: Callable = lambda label: IGNORE,
    special: Callable = lambda: IGNORE,
) -> Callable:
    """Build `align_labels` with some of its steps replaced.

    later: the label of a token that is not the first one of its word.
    """

    def wrong(word_ids, labels):
        row, before, seen = [], None, set()
        for i, word in enumerate(word_ids):
            label = None if word is None else looked_up(labels, word, len(seen | {word}) - 1)
            row.append(special() if word is None else label if first(i, word, before, seen) else later(label))
            seen, before = seen | ({word} - {None}), word
        return [label for label in row if label is not None]

    return wrong


def last_pieces(word_ids: list[int | None], labels: list[int]) -> list[int]:
    after = [*word_ids[1:], None]
    return [IGNORE if word is None or word == next_ else labels[word] for word, next_ in zip(word_ids, after)]


def labels_only(word_ids: list[int | None], labels: list[int]) -> list[int]:
    return [label for label in aligned()(word_ids, labels) if label != IGNORE]


def when_labels_differ(word_ids: list[int | None], labels: list[int]) -> list[int]:
    """`align_labels` that takes a word for the one before where both have the same label."""
    return [
        IGNORE if word is None or before is not None and labels[word] == labels[before] else labels[word]
        for before, word in zip([None, *word_ids], word_ids)
    ]


def of_several_pieces(word_ids: list[int | None], labels: list[int]) -> list[int]:
    return [
        label if word_ids.count(word) > 1 else IGNORE
        for word, label in zip(word_ids, aligned()(word_ids, labels))
    ]


def every_other(word_ids: list[int | None], labels: list[int]) -> list[int]:
    """`align_labels` that forgets the word after each of its later pieces."""
    row, before = [], None
    for word in word_ids:
        first = word is not None and word != before
        row.append(labels[word] if first else IGNORE)  # type: ignore[index]  # first: word is a number
        before = word if first else None
    return row


ZERO = (dict(later=lambda label: 0), "later pieces get 0 instead of IGNORE")
EVERY = (dict(later=lambda label: label), "every piece of a word gets its label")
OTHERS = (
    (dict(special=lambda: 0), "special tokens get 0 instead of IGNORE"),
    (
        dict(looked_up=lambda labels, word, count: labels[count]),
        "labels are taken one after another, not looked up by word",
    ),
)
ALIGN = (
    Mistake(
        "every piece of a word gets its label. Only the first piece does; the others get IGNORE.",
        aligned(later=lambda label: label),
    ),
    Mistake("the label stands at the last piece of a word. It belongs at the first one.", last_pieces),
    Mistake(
        "later pieces get 0, which is a tag: O. They get IGNORE, so that no loss counts them.",
        aligned(later=lambda label: 0),
    ),
    Mistake(
        "special tokens get 0, which is a tag: O. They get IGNORE, so that no loss counts them.",
        aligned(special=lambda: 0),
    ),
    Mistake(
        "you take labels one after another, as if each word had a piece. A word may have none: look "
        "`labels[word]` up.",
        aligned(looked_up=lambda labels, word, count: labels[count]),
    ),
    Mistake(
        "later pieces get the label of an inside word, B- turned into I-. The pieces of one word make "
        "one tag; give IGNORE.",
        aligned(later=lambda label: label + label % 2),
    ),
    Mistake(
        "special tokens are left out. The row keeps its length: give them IGNORE.",
        aligned(special=lambda: None),
    ),
    Mistake(
        "later pieces are left out. The row keeps its length: give them IGNORE.",
        aligned(later=lambda label: None),
    ),
    Mistake(
        "only the labels that count are returned. Return one number for each token of the row.", labels_only
    ),
    Mistake(
        "these are word numbers. Look the label up: labels[word].",
        aligned(looked_up=lambda labels, word, count: word),
    ),
    Mistake(
        "the labels come one token late or early. Item i of the result belongs to token i, [CLS] included.",
        lambda word_ids, labels: np.roll(aligned()(word_ids, labels), -1).tolist(),
    ),
    Mistake(
        "0 is a word, too: `if word` is False for it. Test `word is None`.",
        aligned(first=lambda i, word, before, seen: bool(word) and word != before),
    ),
    *(
        Mistake(
            f"IGNORE is {IGNORE}; you give {other}, which no loss ignores.",
            lambda word_ids, labels, other=other: [
                other if label == IGNORE else label for label in aligned()(word_ids, labels)
            ],
        )
        for other in (-1, None, -IGNORE)
    ),
    Mistake(
        "a word with the label 0 gets IGNORE. 0 is a label like the others: no `or`, no `if label`.",
        aligned(looked_up=lambda labels, word, count: labels[word] or IGNORE),
    ),
    Mistake(
        "a word with the same label as the word before gets none. Compare the words' numbers, not their "
        "labels.",
        when_labels_differ,
    ),
    Mistake(
        "only the first word after a special token has a label. Each word has one, at its first piece.",
        aligned(first=lambda i, word, before, seen: before is None),
    ),
    Mistake("words of one piece get no label. Their only piece is their first one.", of_several_pieces),
    Mistake("the third piece of a word gets its label again. Remember the word at every token.", every_other),
    Mistake(
        "these are the labels of the next word. Words are counted from 0, as lists are: labels[word].",
        aligned(looked_up=lambda labels, word, count: [*labels, 0][word + 1]),
    ),
    Mistake(
        "these are the labels of the word before. Words are counted from 0, as lists are: labels[word].",
        aligned(looked_up=lambda labels, word, count: labels[word - 1]),
    ),
    Mistake(
        "the first and the last token are left out. The row keeps its length: give them IGNORE.",
        lambda word_ids, labels: aligned()(word_ids, labels)[1:-1],
    ),
    *pairs(aligned, ZERO, *OTHERS),
    *pairs(aligned, EVERY, *OTHERS)[:2],
)
