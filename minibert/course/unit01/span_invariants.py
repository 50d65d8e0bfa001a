"""Properties that `span_positions` must have, and hints for common mistakes.

Joshi et al. (2020, arXiv 1907.10529), section 3.1. Mistakes are recognised by the lengths and starts of
spans; with a budget of one token, the result is a single span. Axes: T tokens.
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import all_plausible, named, plausible
from ..checks.exercise import Invariant
from .whole_word_invariants import ROWS, budget, drawn, only_specials, row, something, taken, whole

P, LONGEST = 0.2, 10  # the parameter of the geometric span length in words, and the maximum length
PADDED_ROW = row(0, *[1] * 40, 0, *[0] * 60)
LONG_WORD = 4  # the word of six subwords in SINGLE_ROW
SINGLE_ROW = row(0, 1, 2, 1, 1, 6, 1, 1, 3, *[1] * 6, 2, *[1] * 8, 2, 0, 0)  # 24 words
ONE_PIECE = 0.04  # the rate that gives SINGLE_ROW a budget of 1
TOP = 11  # longer spans are counted as having this length
EARLY = SINGLE_ROW.max() + 2 - TOP  # at least TOP words follow the start of a span before this word


def stops_at_specials(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if no span contains or skips a special token, else a hint."""
    __tracebackhide__ = True
    samples = drawn(answer, rng)
    if any(chosen[words < 0].any() for words, _, chosen in samples):
        return (
            "special tokens (-1) are chosen. End a span before a special token, so that it never contains "
            "[SEP] or padding."
        )
    pair = row(0, 1, 1, 2, 0, 1, 3, 0)
    for _, _, chosen in drawn(answer, rng, [pair], [0.04], 60):
        if chosen[:4].any() and chosen[5:].any():
            return (
                "a span continues beyond [SEP]. End it before a special token (-1), even if the next word "
                "has the next number."
            )
    return True


def widest(words: np.ndarray) -> int:
    """Return the maximum number of tokens in a span of at most LONGEST adjacent words.

    words: each token's word index, or -1 for a special token.
    """
    best, edges = 0, np.flatnonzero(np.r_[True, words[1:] != words[:-1], True])
    for i in range(len(edges) - 1):
        j = i
        while j < len(edges) - 1 and j < i + LONGEST and words[edges[j]] >= 0:
            j += 1
        best = max(best, int(edges[j] - edges[i]))
    return best


def reaches_budget(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if spans are added until enough tokens are chosen, and no longer, else a hint."""
    __tracebackhide__ = True
    samples = drawn(answer, rng, [*ROWS, PADDED_ROW], [0.15, 0.3, 1.0])
    under = [chosen for words, rate, chosen in samples if chosen.sum() < budget(words, rate)]
    if under and all(runs(chosen) == 1 for _, _, chosen in samples):
        return "you draw only one span. Draw more until a share `rate` of the tokens is chosen."
    if under:
        return (
            "you stop before the budget is reached. Count each chosen token once, and keep the last span "
            "whole even if it exceeds the budget."
        )
    if any(chosen.sum() > budget(words, rate) - 1 + widest(words) for words, rate, chosen in samples):
        return (
            "you continue after the budget is reached. Does your budget include special tokens and "
            "padding? Count only tokens of words."
        )
    return True


def runs(chosen: np.ndarray) -> np.ndarray:
    """Return the number of unbroken runs of True in each row of `chosen` (..., T)."""
    chosen = np.asarray(chosen, bool)
    return chosen[..., 0] + (chosen[..., 1:] & ~chosen[..., :-1]).sum(-1)


def single_spans(
    answer: Callable, rng: np.random.Generator, calls: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Let a student's function choose one span per call, and return the spans' first words and lengths.

    Both are arrays (calls,), with lengths in words. Returns None if any result is not exactly one span. The
    required number of tokens is 1.36, rounded to 1.
    """
    chosen = np.array(
        [chosen for _, _, chosen in drawn(answer, rng, [SINGLE_ROW], [ONE_PIECE], calls)]
    )  # (calls, T)
    if (runs(chosen) != 1).any():
        return None
    took = taken(SINGLE_ROW, chosen)  # (calls, words)
    return took.argmax(1), took.sum(1)


def geometric(p: float, longest: int) -> np.ndarray:
    """Return the probabilities of the span lengths 1 to TOP; the last one includes all longer spans.

    P(n) is proportional to p (1 - p)^(n - 1) for n up to `longest`, and 0 for greater lengths.
    """
    weights = p * (1 - p) ** np.arange(500) * (np.arange(1, 501) <= longest)
    return folded(weights / weights.sum())


def folded(weights: np.ndarray) -> np.ndarray:
    return np.r_[weights[: TOP - 1], weights[TOP - 1 :].sum()]


def clipped(p: float, longest: int) -> np.ndarray:
    weights = p * (1 - p) ** np.arange(500)
    weights[longest - 1] = weights[longest - 1 :].sum()
    return folded(np.where(np.arange(1, 501) <= longest, weights, 0))


def uniform(low: int, high: int) -> np.ndarray:
    return folded(np.array([low <= n <= high for n in range(1, 501)]) / (high - low + 1))


LENGTHS = [
    (
        clipped(P, LONGEST),
        "every length above 10 becomes 10, so spans of 10 words are too frequent. If the length is above "
        "10, draw again.",
    ),
    (
        clipped(P, LONGEST - 1),
        "longer spans are cut to 9 words. Allow 10 words, and draw again if the length is above 10.",
    ),
    (geometric(P, 400), "spans may be longer than 10 words. Draw again if the length is above 10."),
    (
        uniform(1, LONGEST),
        "all lengths from 1 to 10 are equally likely. They should be geometric: each is 0.8 times as "
        "likely as the one before.",
    ),
    (
        uniform(1, LONGEST - 1),
        "all lengths from 1 to 9 are equally likely. They should be geometric, from 1 to 10: each is 0.8 "
        "times as likely as the one before.",
    ),
    (
        geometric(P, LONGEST - 1),
        "spans of 10 words never occur: your lengths run from 1 to 9, and should run from 1 to 10.",
    ),
    (
        geometric(P, LONGEST + 1),
        "spans of 11 words occur: your lengths run from 1 to 11, and should run from 1 to 10.",
    ),
    (
        np.r_[0, geometric(P, LONGEST)[:-1]],
        "spans are one word too long: your lengths run from 2 to 11. Do you count the start as the "
        "first word?",
    ),
    (
        geometric(0.8, LONGEST),
        "each length is 0.2 times as likely as the one before, but it should be 0.8 times. A span "
        "continues with probability 0.8.",
    ),
    (
        geometric(0.5, LONGEST),
        "each length is 0.5 times as likely as the one before, but it should be 0.8 times.",
    ),
    (
        geometric(0.25, LONGEST),
        "each length is 0.75 times as likely as the one before, but it should be 0.8 times.",
    ),
    (
        geometric(0.3, LONGEST),
        "each length is 0.7 times as likely as the one before, but it should be 0.8 times.",
    ),
    (
        geometric(0.1, LONGEST),
        "each length is 0.9 times as likely as the one before, but it should be 0.8 times.",
    ),
    (
        uniform(1, 1),
        "each span has only one word. Do you end it as soon as the budget is reached? Keep the last "
        "span whole.",
    ),
]


def right_lengths(answer: Callable, rng: np.random.Generator, calls: int = 4000) -> bool | str:
    """Return True if spans can start at any word and have the right distribution of lengths, else a hint."""
    __tracebackhide__ = True
    spans = single_spans(answer, rng, calls)
    if spans is None:
        return (
            "you draw another span although the first has already reached the budget, which is one token "
            "here. Round the budget, and check it before each span."
        )
    starts, lengths = spans
    verdict = right_starts(starts, calls)
    if verdict:
        return verdict
    counts = np.bincount(np.minimum(lengths[starts < EARLY], TOP), minlength=TOP + 1)[1:]
    right = geometric(P, LONGEST)
    if all_plausible(counts, right):
        return True
    mean = (counts * np.arange(1, TOP + 1)).sum() / counts.sum()
    always = (
        f"every span has length {1 + counts.argmax()}. Draw a new length for each span, from 1 to 10 words."
    )
    return (
        named(counts, LENGTHS)
        or (counts > 0).sum() == 1
        and always
        or (
            f"the lengths have the wrong distribution: yours are {mean:.1f} words on average instead of "
            f"{(right * np.arange(1, TOP + 1)).sum():.1f}, and "
            f"{counts[LONGEST:].sum() / counts.sum():.0%} are above 10. Each length should be 0.8 times "
            "as likely as the one before."
        )
    )


def right_starts(starts: np.ndarray, calls: int) -> str:
    """Return a hint if spans start more often at some words than at others, else an empty string.

    starts: the index of each span's first word.
    """
    n = SINGLE_ROW.max() + 1
    counts = np.bincount(starts, minlength=n)
    if not plausible(int(counts[LONG_WORD]), calls, 1 / n) and counts[LONG_WORD] > calls / n:
        return (
            "more spans start at long words than at short ones. Draw a word, not a token, and start at "
            "its first token."
        )
    if counts.max() == calls:
        return "every span starts at the same word. Draw the start, with equal probability for each word."
    if not counts[-1] and counts[-2]:
        return "no span starts at the last word. Check the range of the indices that you draw."
    if not counts[0] and counts[1]:
        return "no span starts at the first word. Make each word equally likely as a start."
    if not plausible(int(counts[-4:].sum()), calls, 4 / n) and counts[-4:].sum() < calls * 4 / n:
        return (
            "spans start too rarely near the end of the sentence. Each word must be equally likely as a "
            "start; a span that reaches the end is cut off there."
        )
    return (
        ""
        if all(plausible(int(count), calls, 1 / n) for count in counts)
        else (
            "more spans start at some words than at others. Draw the start with equal probability for each "
            "word, and extend the span to the right."
        )
    )


def own_lengths(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the length of each span in a call is drawn separately, else a hint.

    Three lengths are all equal in 2% of the calls if drawn separately, and in most calls otherwise.
    """
    __tracebackhide__ = True
    alike = calls = 0
    for _, _, chosen in drawn(answer, rng, [row(0, *[1] * 500, 0)], [0.04], 60):
        edges = np.flatnonzero(np.diff(np.r_[0, np.asarray(chosen, int), 0]))
        lengths = edges[1::2] - edges[::2]
        if len(lengths) > 2:
            calls, alike = calls + 1, alike + (len(np.unique(lengths)) == 1)
    return (
        calls < 10
        or alike < 0.4 * calls
        or ("all spans of a call have the same length. Draw a new length for each span, inside the loop.")
    )


SPANS_INVARIANTS = (
    Invariant("ends each span before a special token", stops_at_specials),
    Invariant("returns False everywhere for a sequence without words", only_specials),
    Invariant("chooses all tokens of a word, or none", whole),
    Invariant("chooses at least one word", something),
    Invariant(
        "starts at each word with equal probability, and draws geometric lengths of up to 10 words",
        right_lengths,
    ),
    Invariant("draws a new length for each span", own_lengths),
    Invariant("adds spans until the budget is reached", reaches_budget),
)
