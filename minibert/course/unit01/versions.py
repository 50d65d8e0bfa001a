"""Correct and wrong versions of `whole_word_positions`, which the student's test must tell apart."""

from collections.abc import Callable

import numpy as np

from ..checks.student_tests import Version


def budget_of(words: np.ndarray, rate: float) -> int:
    return max(1, round(rate * int((words >= 0).sum())))


def chosen_words(
    words: np.ndarray,
    rate: float,
    rng: np.random.Generator,
    order: Callable | None = None,
    fits: Callable = lambda used, size, budget: used + size <= budget,
    first: bool = True,
    budget: Callable = budget_of,
    real: Callable = lambda words: np.unique(words[words >= 0]),
) -> np.ndarray:
    """Return a bool array (T,), True at the tokens of randomly chosen whole words within a budget.

    The parameters after `rng` replace parts of the rule, to make wrong versions.
    """
    chosen, limit = np.zeros(len(words), bool), budget(words, rate)
    for word in (order or rng.permutation)(real(words)):
        pieces = words == word  # (T,)
        if (first and not chosen.any()) or fits(chosen.sum(), pieces.sum(), limit):
            chosen |= pieces
    return chosen


def by_random_keys(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    return chosen_words(words, rate, rng, order=lambda unique: unique[np.argsort(rng.random(len(unique)))])


def by_one_draw_after_another(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    taken: list[int] = []
    left = list(np.unique(words[words >= 0]))
    while left:
        word = left.pop(int(rng.integers(len(left))))
        if not taken or np.isin(words, [*taken, word]).sum() <= budget_of(words, rate):
            taken.append(word)
    return np.isin(words, taken)


def first_pieces(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    chosen = chosen_words(words, rate, rng)
    return chosen & np.r_[True, words[1:] != words[:-1]]


def pieces_alone(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    return (words >= 0) & (rng.random(len(words)) < rate)


def at_most_one(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    return chosen_words(words, rate, rng, fits=lambda used, size, budget: False)


def in_place(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    chosen = chosen_words(words, rate, rng)
    words[words < 0] = 0
    return chosen


RIGHT = (
    Version("one that draws one word after another", by_one_draw_after_another),
    Version("one that sorts the words by random numbers", by_random_keys),
)
WRONG = (
    Version("draws separately for each token, so that words are cut", pieces_alone),
    Version("chooses only the first token of a word", first_pieces),
    Version(
        "treats -1 as the number of a word, and chooses special tokens",
        lambda words, rate, rng: chosen_words(words, rate, rng, real=np.unique),
    ),
    Version(
        "exceeds the budget with the last word",
        lambda words, rate, rng: chosen_words(
            words, rate, rng, fits=lambda used, size, budget: used < budget
        ),
    ),
    Version(
        "chooses nothing if no word fits into the budget",
        lambda words, rate, rng: chosen_words(words, rate, rng, first=False),
    ),
    Version("chooses every word of the sequence", lambda words, rate, rng: words >= 0),
)
MORE = (
    Version("stops after a single word, although others fit", at_most_one),
    Version(
        "includes special tokens and padding in the budget",
        lambda words, rate, rng: chosen_words(
            words, rate, rng, budget=lambda words, rate: max(1, round(rate * len(words)))
        ),
    ),
    Version(
        "goes through the words from left to right instead of in random order",
        lambda words, rate, rng: chosen_words(words, rate, rng, order=lambda unique: unique),
    ),
    Version("changes its input array", in_place),
    Version(
        "chooses 15% of the subwords, whatever `rate` is",
        lambda words, rate, rng: chosen_words(words, 0.15, rng),
    ),
)
