"""From the logits of tokens back to one tag per word, with three planted bugs, and what each of them breaks.

Axes: T tokens, C tags. Tags come in the order O, B-X, I-X, B-Y, I-Y, ...
"""
from collections.abc import Callable

import numpy as np

from ..engine.exercise import Invariant

TAGS = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]


def version(left: frozenset[int]) -> Callable:
    """Build read_tags with the bugs `left`.

    1: the last token of a word decides; 2: words without a token are left out; 3: an I- may follow another
    type.
    """
    def read_tags(logits, word_ids, tags, num_words):
        best, found = np.argmax(logits, axis=-1), {}                            # (T,)
        for token, word in enumerate(word_ids):
            if word is not None and (1 in left or word not in found):
                found[word] = tags[int(best[token])]
        answer = [found[word] for word in sorted(found)] if 2 in left else [found.get(word, "O")
                                                                            for word in range(num_words)]
        before = "O"
        for word, tag in enumerate(answer):
            stray = before == "O" if 3 in left else before[2:] != tag[2:]
            before = answer[word] = "B" + tag[1:] if tag[0] == "I" and stray else tag
        return answer
    return read_tags


def logits_of(rng: np.random.Generator, numbers: np.ndarray, strong: float = 4.0) -> np.ndarray:
    """Logits (T, C) in which the tag with each number wins by far."""
    logits = rng.normal(size=(len(numbers), len(TAGS)))                         # (T, C)
    logits[np.arange(len(numbers)), numbers] += strong + 4
    return logits


def drawn(rng: np.random.Generator, words: int,
          missing: tuple[int, ...] = ()) -> tuple[np.ndarray, list[int | None]]:
    """(logits, word_ids) of words of 1 to 3 tokens, each with a tag of its own; `missing` words have none."""
    word_ids = [None] + [word for word in range(words) if word not in missing
                         for _ in range(int(rng.integers(1, 4)))] + [None]
    return logits_of(rng, rng.integers(len(TAGS), size=len(word_ids))), word_ids


def cases(rng: np.random.Generator) -> list[tuple]:
    long, some, one = drawn(rng, 9), drawn(rng, 7, missing=(0, 3, 6)), drawn(rng, 1)
    single = logits_of(rng, np.array([0, 2, 4, 2, 2, 3, 4, 1, 4, 0])), [None, 0, 1, 2, 3, 4, 5, 6, 7, None]
    return [(*long, TAGS, 9), (*some, TAGS, 7), (*one, TAGS, 1), (*single, TAGS, 8),
            (long[0].astype(np.float32), long[1], TAGS, 9)]


def later_pieces_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    word_ids = [None, 0, 0, 1, 2, 2, 2, None]
    logits = logits_of(rng, np.array([0, 1, 3, 0, 3, 0, 1, 0]))
    first = np.array([word is None or word != before for before, word in zip([None, *word_ids], word_ids)])
    return [f(np.where(first[:, None], logits, other), word_ids, TAGS, 3)
            for other in (logits, rng.normal(size=logits.shape))] == [["B-LOC", "O", "B-PER"]] * 2


def a_tag_for_every_word(f: Callable, rng: np.random.Generator) -> bool:
    logits = logits_of(rng, np.array([0, 1, 3, 0]))
    return f(logits, [None, 1, 3, None], TAGS, 5) == ["O", "B-LOC", "O", "B-PER", "O"]


def no_strays(f: Callable, rng: np.random.Generator) -> bool:
    logits = logits_of(rng, np.array([0, 1, 4, 4, 2, 2, 0]))
    return f(logits, [None, 0, 1, 2, 3, 4, None], TAGS, 5) == ["B-LOC", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def entities_stay(f: Callable, rng: np.random.Generator) -> bool:
    logits = logits_of(rng, np.array([0, 3, 4, 0, 1, 0]))
    return f(logits, [None, 0, 1, 2, 3, None], TAGS, 4) == ["B-PER", "I-PER", "O", "B-LOC"]


def stray_after_o(f: Callable, rng: np.random.Generator) -> bool:
    return f(logits_of(rng, np.array([0, 0, 4, 0])), [None, 0, 1, None], TAGS, 2) == ["O", "B-PER"]


BROKEN = (
    Invariant("only the first piece of a word decides on its tag", later_pieces_do_not_matter),
    Invariant("every word of the sentence gets a tag, O where it has no piece", a_tag_for_every_word),
    Invariant("an I- after a tag of another type becomes B-", no_strays),
)
KEPT = (
    Invariant("a legal row of tags comes back as it is", entities_stay),
    Invariant("an I- after O becomes B-", stray_after_o),
)
