"""The bug hunt `read_tags`: reading one tag per word from token logits, with three planted bugs.

Axes: T tokens, C tags, in the order O, B-X, I-X, B-Y, I-Y, ...
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant

TAGS = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
OTHERS = [
    "B-ART",
    "I-ART",
    "O",
    "I-WORK-OF-ART",
    "B-WORK-OF-ART",
]  # O is not first; one type ends with another


def version(left: frozenset[int]) -> Callable:
    """Return `read_tags` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: a tag is read at the word's last token. Bug 2: words without a token are left out. Bug 3: an
    I- tag may follow a tag of another type.
    """

    def read_tags(logits, word_ids, tags, num_words):
        best, found = np.argmax(logits, axis=-1), {}  # (T,)
        for token, word in enumerate(word_ids):
            if word is not None and (1 in left or word not in found):
                found[word] = tags[int(best[token])]
        answer = (
            [found[word] for word in sorted(found)]
            if 2 in left
            else [found.get(word, "O") for word in range(num_words)]
        )
        before = "O"
        for word, tag in enumerate(answer):
            stray = before == "O" if 3 in left else before[2:] != tag[2:]
            before = answer[word] = "B" + tag[1:] if tag[0] == "I" and stray else tag
        return answer

    return read_tags


def logits_of(rng: np.random.Generator, numbers: np.ndarray, strong: float = 4.0) -> np.ndarray:
    """Return random logits (T, C), by far the highest for the tags with the indices in `numbers` (T,)."""
    logits = rng.normal(size=(len(numbers), len(TAGS)))  # (T, C)
    logits[np.arange(len(numbers)), numbers] += strong + 4
    return logits


def said(rng: np.random.Generator, text: str, tags: list[str]) -> tuple[np.ndarray, list[int | None]]:
    """Return (logits, word_ids) for a sentence of one-token words with the tags in `text`.

    text: one tag for each word, separated by spaces. tags: all tags, in the order of the logits.
    """
    numbers = [0, *(tags.index(tag) for tag in text.split()), 0]
    return logits_of(rng, np.array(numbers)), [None, *range(len(numbers) - 2), None]


def drawn(
    rng: np.random.Generator, words: int, missing: tuple[int, ...] = ()
) -> tuple[np.ndarray, list[int | None]]:
    """Return (logits, word_ids) for a sentence of words with 1 to 3 tokens each and random tags.

    words: the number of words. missing: the indices of words without tokens.
    """
    word_ids = (
        [None]
        + [word for word in range(words) if word not in missing for _ in range(int(rng.integers(1, 4)))]
        + [None]
    )
    return logits_of(rng, rng.integers(len(TAGS), size=len(word_ids))), word_ids


def cases(rng: np.random.Generator) -> list[tuple]:
    long, some, one = drawn(rng, 9), drawn(rng, 7, missing=(0, 3, 6)), drawn(rng, 1)
    single = logits_of(rng, np.array([0, 2, 4, 2, 2, 3, 4, 1, 4, 0])), [None, 0, 1, 2, 3, 4, 5, 6, 7, None]
    alike, equal = said(rng, "B-ART I-WORK-OF-ART I-WORK-OF-ART I-ART I-ART O", OTHERS), np.zeros((4, 5))
    cases = [
        (*long, TAGS, 9),
        (*some, TAGS, 7),
        (*one, TAGS, 1),
        (*single, TAGS, 8),
        (*said(rng, "B-PER I-PER I-PER I-PER B-PER I-LOC I-LOC I-LOC", TAGS), TAGS, 8),
        (*alike, OTHERS, 6),
        (*drawn(rng, 5, missing=(1, 4)), OTHERS, 5),
        (equal, [None, 0, 1, None], TAGS, 2),
        (*said(rng, "I-PER I-PER O I-LOC", TAGS), TAGS, 4),
        (logits_of(rng, np.array([0, 0])), [None, None], TAGS, 2),
        (equal, [None, 0, 1, None], OTHERS, 2),
        (equal, [None, 0, 1, None], OTHERS[::-1], 2),
    ]
    coarse = [(logits.astype(np.float32), *rest) for logits, *rest in cases]
    return [*cases, *coarse, *(longer(case) for case in cases)]


def longer(case: tuple) -> tuple:
    """Return the test case `case` with its sentence repeated 50 times."""
    logits, word_ids, tags, words = case
    again = [None if word is None else word + turn * words for turn in range(50) for word in word_ids]
    return np.tile(logits, (50, 1)), again, tags, 50 * words


def later_pieces_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    word_ids = [None, 0, 0, 1, 2, 2, 2, None]
    logits = logits_of(rng, np.array([0, 1, 3, 0, 3, 0, 1, 0]))
    first = np.array([word is None or word != before for before, word in zip([None, *word_ids], word_ids)])
    return all(
        close(f(np.where(first[:, None], logits, other), word_ids, TAGS, 3), ["B-LOC", "O", "B-PER"])
        for other in (logits, rng.normal(size=logits.shape))
    )


def a_tag_for_every_word(f: Callable, rng: np.random.Generator) -> bool:
    def holds(tags, first, second):
        logits = logits_of(rng, np.array([0, tags.index(first), tags.index(second), 0]))
        return close(f(logits, [None, 1, 3, None], tags, 5), ["O", first, "O", second, "O"])

    return holds(TAGS, "B-LOC", "B-PER") and holds(OTHERS, "B-WORK-OF-ART", "B-ART")


def no_strays(f: Callable, rng: np.random.Generator) -> bool:
    def holds(tags, given, right):
        return close(f(*said(rng, given, tags), tags, 5), right.split())

    return holds(TAGS, "B-LOC I-PER I-PER I-LOC I-LOC", "B-LOC B-PER I-PER B-LOC I-LOC") and holds(
        OTHERS, "B-ART I-WORK-OF-ART I-ART I-ART O", "B-ART B-WORK-OF-ART B-ART I-ART O"
    )


def entities_stay(f: Callable, rng: np.random.Generator) -> bool:
    return all(
        close(f(*said(rng, text, TAGS), TAGS, len(text.split())), text.split())
        for text in ("B-PER I-PER O B-LOC", "B-PER I-PER I-PER I-PER", "B-LOC B-LOC I-LOC B-PER", "O O")
    )


def stray_after_o(f: Callable, rng: np.random.Generator) -> bool:
    return close(f(*said(rng, "O I-PER", TAGS), TAGS, 2), ["O", "B-PER"])


def stray_at_the_start(f: Callable, rng: np.random.Generator) -> bool:
    return close(f(*said(rng, "I-PER I-PER O I-LOC", TAGS), TAGS, 4), ["B-PER", "I-PER", "O", "B-LOC"])


def best_at_its_piece(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f reads a tag correctly, whatever the logits of the special tokens around it."""
    return all(
        close(f(logits_of(rng, np.array([other, number, other])), [None, 0, None], TAGS, 1), [TAGS[number]])
        for number in (0, 1, 3)
        for other in range(len(TAGS))
    )


BROKEN = (
    Invariant("only the first token of a word determines its tag", later_pieces_do_not_matter),
    Invariant("every word of the sentence gets a tag, O if it has no token", a_tag_for_every_word),
    Invariant("an I- after a tag of another type becomes B-", no_strays),
)
KEPT = (
    Invariant("a legal sequence of tags is returned unchanged", entities_stay),
    Invariant("an I- after O becomes B-", stray_after_o),
    Invariant("an I- at the start of the sentence becomes B-", stray_at_the_start),
    Invariant("a word of one token gets the tag with the largest logit", best_at_its_piece),
)
