"""Properties that `whole_word_positions` must have, and hints for common mistakes.

Whole-word masking comes from code released in May 2019 by the authors of arXiv 1810.04805. T: tokens. Words
are numbered in order, and -1 marks a special token. The order in which words are chosen is tested
statistically; all other properties must hold in every sample.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks.chance import counted, plausible
from ..checks.exercise import Invariant
from ..checks.failure import CheckFailed
from ..checks.guard import many


def row(*sizes: int) -> np.ndarray:
    """Return each token's word index for words of the given `sizes` in tokens; 0 adds a special token, -1."""
    words, number = [], 0
    for size in sizes:
        words += [number] * size if size else [-1]
        number += size > 0
    return np.array(words)


ROWS = [
    row(0, 1, 2, 1, 4, 1, 0, 1, 3, 1, 1, 2, 0, 0, 0),
    row(0, 3, 1, 1, 5, 2, 1, 1, 1, 2, 3, 1, 0),
    row(0, 4, 5, 0),
    row(0, *[1] * 13, 0, *[0] * 27),
    row(0, 1, 0),
    row(*[1, 2] * 12),
]
RATES = (0.15, 0.4, 0.04)


def budget(words: np.ndarray, rate: float) -> int:
    """Return how many tokens to choose: the share `rate` of all tokens that belong to words, at least 1."""
    return max(1, round(rate * int((words >= 0).sum())))


def sizes(words: np.ndarray) -> np.ndarray:
    return np.bincount(words[words >= 0])


def taken(words: np.ndarray, chosen: ArrayLike) -> np.ndarray:
    """Return whether each word's first token is chosen, a bool array (..., number of words).

    words: each token's word index, (T,). chosen: bool, (..., T).
    """
    return np.asarray(chosen)[..., np.flatnonzero((words >= 0) & (np.r_[-1, words[:-1]] != words))]


def drawn(
    answer: Callable,
    rng: np.random.Generator,
    rows: list[np.ndarray] = ROWS,
    rates: Sequence[float] = RATES,
    calls: int = 3,
) -> list[tuple[np.ndarray, float, np.ndarray]]:
    """Call a student's function `calls` times per row and rate; return a list of (words, rate, chosen)."""
    asked = [(words, rate, counted(rng)) for words in rows for rate in rates for _ in range(calls)]
    return [
        (words, rate, chosen) for (words, rate, _), chosen in zip(asked, many(answer, asked), strict=True)
    ]


def no_specials(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function never chooses a special token, else a hint."""
    __tracebackhide__ = True
    together, apart = 0, 0
    for words, _, chosen in drawn(answer, rng):
        together += bool(chosen[words < 0].all() and (words < 0).any())
        apart += bool(chosen[words < 0].any() and not chosen[words < 0].all())
    if together > 2 * apart:
        return (
            "all special tokens are chosen together, because you treat -1 as the number of a word. Leave "
            "it out."
        )
    return not together + apart or "special tokens (-1) are chosen. Never choose [CLS], [SEP] or padding."


def only_specials(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function chooses nothing in a row without words, else a hint."""
    __tracebackhide__ = True
    try:
        chosen = answer(row(0, 0, 0), 0.15, counted(rng))
    except NotImplementedError:
        raise
    except Exception as error:
        if isinstance(error, CheckFailed) and not error.error:
            raise
        what = (
            "an error" if isinstance(error, CheckFailed) else f"{type(error).__name__}: {error}"
        )  # a hidden check shows no error text
        return (
            f"a sequence of only special tokens raises {what}. There is nothing to choose, so return False "
            "everywhere."
        )
    return not np.any(chosen) or (
        "you choose a token in a sequence of only special tokens. Return False everywhere."
    )


def whole(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function chooses all or none of the tokens of each word, else a hint."""
    __tracebackhide__ = True
    split = first = 0
    for words, _, chosen in drawn(answer, rng):
        inside = (words[1:] == words[:-1]) & (words[1:] >= 0)  # neighbours in one word
        split += int((inside & (chosen[1:] != chosen[:-1])).sum())
        first += int((inside & chosen[1:]).sum())
    if split and not first:
        return "only one token of a word is chosen. Choose all tokens of the word together."
    return not split or (
        "some tokens of a word are chosen and others are not. Draw words, and choose all tokens of each."
    )


def something(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if at least one token is chosen in every row that contains a word, else a hint."""
    __tracebackhide__ = True
    empty = [(words, rate) for words, rate, chosen in drawn(answer, rng) if not chosen.any()]
    if not empty:
        return True
    if all((words <= 0).all() for words, _ in empty):
        return "word 0 is never chosen. It is a word like the others; only -1 is not."
    if all(round(rate * (words >= 0).sum()) == 0 for words, rate in empty):
        return "in a short sequence, the budget is rounded to 0, and nothing is chosen. Make it at least 1."
    if all(budget(words, rate) < sizes(words).max() for words, rate in empty):
        return (
            "nothing is chosen if every word is longer than the budget. Always take the first word drawn, "
            "whatever its size."
        )
    return "sometimes nothing is chosen. Choose at least one word in each sequence that has words."


def follows(words: np.ndarray, chosen: np.ndarray, limit: int) -> bool:
    """Return whether `chosen` has at most `limit` tokens, and no other word would fit.

    A single word may have more than `limit` tokens.
    """
    size, took = sizes(words), taken(words, chosen)
    used, left = size[took].sum(), size[~took]
    if used > limit:
        return took.sum() == 1
    return not left.size or used + left.min() > limit


OTHER_BUDGETS = (
    (
        "it includes special tokens and padding. Count only the tokens of words.",
        lambda words, rate: max(1, round(rate * len(words))),
    ),
    (
        "it is rounded up. Round it to the nearest integer.",
        lambda words, rate: max(1, int(np.ceil(rate * (words >= 0).sum()))),
    ),
    (
        ("it is rounded down. Round it to the nearest integer."),
        lambda words, rate: max(1, int(rate * (words >= 0).sum())),
    ),
    (
        "it is one token too small. May the chosen tokens equal the budget?",
        lambda words, rate: max(1, budget(words, rate) - 1),
    ),
    ("0.15 is hard-coded in your answer. Use the argument `rate`.", lambda words, rate: budget(words, 0.15)),
)


def within_budget(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if words are added as long as they fit in the budget, else a hint.

    The first word is always chosen, even if it is too long.
    """
    __tracebackhide__ = True
    samples = drawn(answer, rng)
    if all(follows(words, chosen, budget(words, rate)) for words, rate, chosen in samples):
        return True
    if all(
        taken(words, chosen).sum() == max(1, round(rate * len(sizes(words))))
        for words, rate, chosen in samples
    ):
        return "you count words, but the budget is a number of tokens. Add up the tokens of each word."
    for hint, other in OTHER_BUDGETS:
        if all(follows(words, chosen, other(words, rate)) for words, rate, chosen in samples):
            return f"your budget is wrong: {hint}"
    over = sum(
        chosen.sum() > budget(words, rate) and taken(words, chosen).sum() > 1
        for words, rate, chosen in samples
    )
    under = sum(chosen.sum() < budget(words, rate) for words, rate, chosen in samples)
    if over and under and any(chosen.sum() >= budget(words, rate) + 3 for words, rate, chosen in samples):
        return (
            "the number of chosen tokens varies far too much. Do not draw for each word separately: add "
            "words in random order until the budget is used up."
        )
    if over:
        return (
            "the last word exceeds the budget. Before you add a word, check whether it fits; if not, try "
            "the next."
        )
    if all(taken(words, chosen).sum() == 1 for words, _, chosen in samples):
        return "only one word is chosen in each sequence. Continue until the budget is used up."
    return "you stop although another word still fits. If a word is too long, skip it and try the next."


def random_order(answer: Callable, rng: np.random.Generator, calls: int = 150) -> bool | str:
    """Return True if words of any length and position are equally likely to be chosen, else a hint."""
    __tracebackhide__ = True
    equal, mixed = row(0, *[1] * 10, 0), row(0, 1, 1, 9, 1, 1, 0)  # 9 tokens reveal draws by token
    pairs = drawn(answer, rng, [equal], [0.2], calls)  # two of ten words
    took = taken(equal, [chosen for _, _, chosen in pairs])  # (calls, words)
    if not all(plausible(count, calls, 0.2) for count in took.sum(0)):
        first = took[:, :2].all()
        return (
            "the first words of the sequence are always chosen. Take the words in random order."
            if first
            else "some words are chosen more often than others, depending on their position. Take the "
            "words in random order."
        )
    if not plausible(int((took[:, 1:] & took[:, :-1]).any(1).sum()), calls, 0.2):
        return "the chosen words are adjacent too often. Draw them independently of each other."
    firsts = drawn(answer, rng, [mixed], [0.1], calls)  # the first word alone
    took = taken(mixed, [chosen for _, _, chosen in firsts])  # (calls, words)
    long = int(took[:, 2].sum())
    if not plausible(long, calls, 1 / 5):
        return (
            "long words are chosen first too often, because you draw a token and take its word. Draw a word."
            if long > calls / 5
            else "long words are chosen too rarely. Take the first word drawn, whatever its size."
        )
    return True


WORDS_INVARIANTS = (
    Invariant("never chooses special tokens", no_specials),
    Invariant("returns False everywhere for a sequence without words", only_specials),
    Invariant("chooses all tokens of a word, or none", whole),
    Invariant("chooses at least one word", something),
    Invariant("adds words as long as they fit into the budget", within_budget),
    Invariant("takes words in random order", random_order),
)
