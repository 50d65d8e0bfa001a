"""Invariants of `whole_word_positions`, some of which `span_positions` shares, with hints for known mistakes.

Whole words: the release of May 2019 by the authors of arXiv 1810.04805. Axes: T tokens. Words are numbered in
order, and -1 is a special token. `chance` judges the order; all else holds on every sample.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks.chance import counted, plausible
from ..checks.exercise import Invariant
from ..checks.failure import CheckFailed
from ..checks.guard import many


def row(*sizes: int) -> np.ndarray:
    """Word numbers (T,) of a row with a word of each size in turn; size 0 is one special token."""
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
    """How many tokens are to be chosen."""
    return max(1, round(rate * int((words >= 0).sum())))


def sizes(words: np.ndarray) -> np.ndarray:
    return np.bincount(words[words >= 0])


def taken(words: np.ndarray, chosen: ArrayLike) -> np.ndarray:
    """Which words are chosen, (..., number of words) bool, by their first token in `chosen` (..., T)."""
    return np.asarray(chosen)[..., np.flatnonzero((words >= 0) & (np.r_[-1, words[:-1]] != words))]


def drawn(
    answer: Callable,
    rng: np.random.Generator,
    rows: list[np.ndarray] = ROWS,
    rates: Sequence[float] = RATES,
    calls: int = 3,
) -> list[tuple[np.ndarray, float, np.ndarray]]:
    """The results of many calls: (words, rate, chosen) of each."""
    asked = [(words, rate, counted(rng)) for words in rows for rate in rates for _ in range(calls)]
    return [
        (words, rate, chosen) for (words, rate, _), chosen in zip(asked, many(answer, asked), strict=True)
    ]


def no_specials(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: a special token is never chosen."""
    __tracebackhide__ = True
    together, apart = 0, 0
    for words, _, chosen in drawn(answer, rng):
        together += bool(chosen[words < 0].all() and (words < 0).any())
        apart += bool(chosen[words < 0].any() and not chosen[words < 0].all())
    if together > 2 * apart:
        return (
            "all special tokens are chosen at once: you take -1 for the number of a word. Leave it out: "
            "words >= 0."
        )
    return (
        not together + apart
        or "special tokens (-1) are chosen. [CLS], [SEP] and padding are never predicted."
    )


def only_specials(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: a row without words gives False everywhere."""
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
        )  # hidden: no text
        return (
            f"a sequence of special tokens only, words = [-1, -1, -1], ends in {what}. There is nothing "
            "to choose: return False everywhere."
        )
    return not np.any(chosen) or (
        "in a sequence of special tokens only, words = [-1, -1, -1], something is chosen."
    )


def whole(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: all tokens of a word are chosen, or none."""
    __tracebackhide__ = True
    split = first = 0
    for words, _, chosen in drawn(answer, rng):
        inside = (words[1:] == words[:-1]) & (words[1:] >= 0)  # neighbours in one word
        split += int((inside & (chosen[1:] != chosen[:-1])).sum())
        first += int((inside & chosen[1:]).sum())
    if split and not first:
        return (
            "only one token of a chosen word is chosen. All its tokens go together: chosen |= words == word."
        )
    return not split or (
        "words are cut: some tokens of a word are chosen and others are not. Choose words, "
        "then all tokens of each: words == word."
    )


def something(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: every row with a word has something to predict."""
    __tracebackhide__ = True
    empty = [(words, rate) for words, rate, chosen in drawn(answer, rng) if not chosen.any()]
    if not empty:
        return True
    if all((words <= 0).all() for words, _ in empty):
        return "word 0 is never chosen. It is a word like the others: words >= 0, not words > 0."
    if all(round(rate * (words >= 0).sum()) == 0 for words, rate in empty):
        return (
            "a short sequence may end up with nothing to predict: round(0.15 * 3) is 0. The budget is at "
            "least 1: max(1, ...)."
        )
    if all(budget(words, rate) < sizes(words).max() for words, rate in empty):
        return (
            "sometimes nothing is chosen, where the first words drawn are longer than the budget. The "
            "first word is always taken, whatever its size."
        )
    return "sometimes nothing is chosen at all. Each sequence with a word has something to predict."


def follows(words: np.ndarray, chosen: np.ndarray, limit: int) -> bool:
    """True if `chosen` obeys the rule with the budget `limit`: no further word fits, or it is one word."""
    size, took = sizes(words), taken(words, chosen)
    used, left = size[took].sum(), size[~took]
    if used > limit:
        return took.sum() == 1
    return not left.size or used + left.min() > limit


OTHER_BUDGETS = (
    (
        "it counts special tokens and padding. Count the tokens of words only: (words >= 0).sum().",
        lambda words, rate: max(1, round(rate * len(words))),
    ),
    (
        "it is rounded up. Take round(...).",
        lambda words, rate: max(1, int(np.ceil(rate * (words >= 0).sum()))),
    ),
    ("it is rounded down. Take round(...).", lambda words, rate: max(1, int(rate * (words >= 0).sum()))),
    (
        "it is one token too small: did you write < instead of <=?",
        lambda words, rate: max(1, budget(words, rate) - 1),
    ),
    ("0.15 is written into your answer. Use the argument `rate`.", lambda words, rate: budget(words, 0.15)),
)


def within_budget(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: words are added as long as they fit, the first one in any case."""
    __tracebackhide__ = True
    samples = drawn(answer, rng)
    if all(follows(words, chosen, budget(words, rate)) for words, rate, chosen in samples):
        return True
    if all(
        taken(words, chosen).sum() == max(1, round(rate * len(sizes(words))))
        for words, rate, chosen in samples
    ):
        return "you count words. The budget is in tokens: a word of three tokens uses up three."
    for hint, other in OTHER_BUDGETS:
        if all(follows(words, chosen, other(words, rate)) for words, rate, chosen in samples):
            return f"the budget is a different one: {hint}"
    over = sum(
        chosen.sum() > budget(words, rate) and taken(words, chosen).sum() > 1
        for words, rate, chosen in samples
    )
    under = sum(chosen.sum() < budget(words, rate) for words, rate, chosen in samples)
    if over and under and any(chosen.sum() >= budget(words, rate) + 3 for words, rate, chosen in samples):
        return (
            "sometimes far too much is chosen, sometimes too little: does each word have a toss of its "
            "own? Add words up to the budget."
        )
    if over:
        return (
            "the budget is exceeded: the last word overshoots. Before you add a word, see whether it "
            "still fits; if not, skip it and try the next."
        )
    if all(taken(words, chosen).sum() == 1 for words, _, chosen in samples):
        return "only one word is chosen in each sequence. Go on until the budget is used up."
    return (
        "you stop too early: a word that still fits is left out. Skip a word that is too long, and go on "
        "with the next."
    )


def random_order(answer: Callable, rng: np.random.Generator, calls: int = 150) -> bool | str:
    """`holds`: each word is equally likely, wherever it is and however long it is."""
    __tracebackhide__ = True
    equal, mixed = row(0, *[1] * 10, 0), row(0, 1, 1, 9, 1, 1, 0)  # 9: drawn by piece, it shows soon
    pairs = drawn(answer, rng, [equal], [0.2], calls)  # two of ten words
    took = taken(equal, [chosen for _, _, chosen in pairs])  # (calls, words)
    if not all(plausible(count, calls, 0.2) for count in took.sum(0)):
        first = took[:, :2].all()
        return (
            "always the first words of the sequence are chosen. Take them in random order: rng.permutation."
            if first
            else "some places in the sequence are chosen more often than others. Take the words in random "
            "order: rng.permutation."
        )
    if not plausible(int((took[:, 1:] & took[:, :-1]).any(1).sum()), calls, 0.2):
        return (
            "the chosen words are neighbours too often. Draw them independently of each other: that "
            "would be spans, the next exercise."
        )
    firsts = drawn(answer, rng, [mixed], [0.1], calls)  # the first word alone
    took = taken(mixed, [chosen for _, _, chosen in firsts])  # (calls, words)
    long = int(took[:, 2].sum())
    if not plausible(long, calls, 1 / 5):
        return (
            "long words are chosen first too often. You draw a token and take its word; draw among the "
            "words: np.unique(words)."
            if long > calls / 5
            else "long words are avoided. The first word drawn is taken, whatever its size."
        )
    return True


WORDS_INVARIANTS = (
    Invariant("never chooses special tokens", no_specials),
    Invariant("a sequence without words gives False", only_specials),
    Invariant("chooses all tokens of a word or none", whole),
    Invariant("chooses at least one word", something),
    Invariant("uses the budget as far as words fit", within_budget),
    Invariant("takes words in random order", random_order),
)
