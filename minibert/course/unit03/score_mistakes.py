"""Splits, merges and pair scores in plain Python, and the known mistakes about `pair_scores`.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. `train_mistakes` builds trainers from these functions.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from ..checks.exercise import Mistake


def spelled(word: str) -> list[str]:
    return [word[0], *("##" + c for c in word[1:])]


def glued(left: str, right: str) -> str:
    return left + right.removeprefix("##")


def merged(
    split: list[str],
    left: str,
    right: str,
    glue: Callable = glued,
    backwards: bool = False,
    once: bool = False,
) -> list[str]:
    """The split with every `left`, `right` merged into one piece.

    backwards: from the right; once: at the first place only.
    """
    found, i = [], 0
    split = split[::-1] if backwards else split
    pair, done = [right, left] if backwards else [left, right], False
    while i < len(split):
        hit = split[i : i + 2] == pair and not (once and done)
        found.append(glue(left, right) if hit else split[i])
        done, i = done or hit, i + 1 + hit
    return found[::-1] if backwards else found


def neighbours(split: list[str]) -> list[tuple[str, str]]:
    return [*zip(split, split[1:])]


def counted(
    splits: dict[str, list[str]],
    counts: dict[str, int],
    pairs_of: Callable = neighbours,
    times: Callable = lambda count: count,
) -> tuple[Counter, Counter]:
    """Count how often each pair occurs, and how often each piece."""
    pairs: Counter = Counter()
    pieces: Counter = Counter()
    for word, split in splits.items():
        for pair in pairs_of(split):
            pairs[pair] += times(counts[word])
        for piece in split:
            pieces[piece] += times(counts[word])
    return pairs, pieces


def scored(
    splits: dict[str, list[str]],
    counts: dict[str, int],
    score: str = "frequency",
    formula: Callable = lambda pair, left, right: pair / (left * right),
    **how: Any,
) -> dict[tuple[str, str], float]:
    """The scores of all pairs. formula: that of "likelihood"; how: see `counted`."""
    pairs, pieces = counted(splits, counts, **how)
    if score == "frequency":
        return dict(pairs)
    return {pair: formula(n, pieces[pair[0]], pieces[pair[1]]) for pair, n in pairs.items()}


def wrong_scores(**how: Any) -> Callable:
    return lambda splits, counts, score="frequency": scored(splits, counts, score, **how)


def within_pairs(
    splits: dict[str, list[str]], counts: dict[str, int], score: str = "frequency"
) -> dict[tuple[str, str], float]:
    """Scores for which a piece counts only as the left or right of a pair."""
    pairs, _ = counted(splits, counts)
    lefts: Counter = Counter()
    rights: Counter = Counter()
    for (left, right), n in pairs.items():
        lefts[left] += n
        rights[right] += n
    return (
        dict(pairs)
        if score == "frequency"
        else {(a, b): n / (lefts[a] * rights[b]) for (a, b), n in pairs.items()}
    )


def longer_words_only(
    splits: dict[str, list[str]], counts: dict[str, int], score: str = "frequency"
) -> dict[tuple[str, str], float]:
    return scored({word: split for word, split in splits.items() if len(split) > 1}, counts, score)


def changed(change: Callable) -> Callable:
    """Build a function that returns change(scores, splits, counts) of the right scores."""
    return lambda splits, counts, score="frequency": change(scored(splits, counts, score), splits, counts)


def kept(pairs_last: bool, pieces_last: bool, once: bool = False, bare: bool = False) -> Callable:
    """Build the scores with counts that are overwritten, or taken once a word, or of pieces without ##."""

    def wrong(splits, counts, score="frequency"):
        def name(piece):
            return piece.removeprefix("##") if bare else piece

        pairs, pieces = {}, {}
        for word, split in splits.items():
            for piece in map(name, dict.fromkeys(split) if once else split):
                pieces[piece] = counts[word] + (0 if pieces_last else pieces.get(piece, 0))
            for pair in neighbours(split):
                pairs[pair] = counts[word] + (0 if pairs_last else pairs.get(pair, 0))
        return (
            pairs
            if score == "frequency"
            else {pair: n / (pieces[name(pair[0])] * pieces[name(pair[1])]) for pair, n in pairs.items()}
        )

    return wrong


last_pair, last_piece = kept(True, False), kept(False, True)
pieces_once, without_marks = kept(False, False, once=True), kept(False, False, bare=True)
SCORES_OF_PAIRS = (
    Mistake(
        "each word is counted once. A word that comes `counts[word]` times brings its pairs as often.",
        wrong_scores(times=lambda count: 1),
    ),
    Mistake(
        "a pair that comes twice in one word is counted once there. Count every place, not a set of pairs.",
        wrong_scores(pairs_of=lambda split: set(neighbours(split))),
    ),
    Mistake(
        'these are frequencies, though "likelihood" is asked for: divide by how often the two parts occur.',
        lambda splits, counts, score="frequency": scored(splits, counts),
    ),
    Mistake(
        'these are likelihoods, though "frequency" is asked for. Is `score` ignored, or are the two swapped?',
        lambda splits, counts, score="frequency": scored(splits, counts, "likelihood"),
    ),
    Mistake(
        "you divide by the sum of the two counts. Divide by their product: that is what chance would give.",
        wrong_scores(formula=lambda pair, left, right: pair / (left + right)),
    ),
    Mistake(
        "you multiply by the counts of the parts; divide by their product.",
        wrong_scores(formula=lambda pair, left, right: pair * left * right),
    ),
    Mistake(
        "pair / left * right divides by left and multiplies by right. Put brackets: pair / (left * right).",
        wrong_scores(formula=lambda pair, left, right: pair / left * right),
    ),
    Mistake(
        "you divide by the count of the left part only: by left * right.",
        wrong_scores(formula=lambda pair, left, right: pair / left),
    ),
    Mistake(
        "you divide by the count of the right part only: by left * right.",
        wrong_scores(formula=lambda pair, left, right: pair / right),
    ),
    Mistake(
        "this is the logarithm of the score. The order is the same; return the ratio itself.",
        wrong_scores(formula=lambda pair, left, right: math.log(pair / (left * right))),
    ),
    Mistake(
        "you divide by the square root of left * right; divide by the product itself.",
        wrong_scores(formula=lambda pair, left, right: pair / math.sqrt(left * right)),
    ),
    Mistake(
        "you divide by the smaller of the two counts. Divide by their product.",
        wrong_scores(formula=lambda pair, left, right: pair / min(left, right)),
    ),
    Mistake(
        "the parts are counted once per word. A piece counts `counts[word]` times, as a pair does.",
        lambda splits, counts, score="frequency": (
            dict(counted(splits, counts)[0])
            if score == "frequency"
            else {
                (a, b): n / (ones[a] * ones[b])
                for ones in [counted(splits, counts, times=lambda count: 1)[1]]
                for (a, b), n in counted(splits, counts)[0].items()
            }
        ),
    ),
    Mistake(
        "a piece is counted only where it is part of a pair. Count it everywhere: first, in the middle, "
        "last, and alone.",
        within_pairs,
    ),
    Mistake(
        "words of a single piece are skipped. They have no pair, but their piece counts in `left` and "
        "`right`.",
        longer_words_only,
    ),
    Mistake(
        "these are shares of all pairs. Return the counts themselves.",
        changed(lambda scores, *_: {pair: n / sum(scores.values()) for pair, n in scores.items()}),
    ),
    Mistake(
        "the keys are the glued texts. A key is the pair itself: (left, right).",
        changed(lambda scores, *_: {"".join(pair): n for pair, n in scores.items()}),
    ),
    Mistake(
        "the keys are the new pieces. A key is the pair itself: (left, right), as both stand in the split.",
        changed(lambda scores, *_: {glued(*pair): n for pair, n in scores.items()}),
    ),
    Mistake(
        "the pairs are reversed. A key is (left, right), in the order of the word.",
        changed(lambda scores, *_: {(b, a): n for (a, b), n in scores.items()}),
    ),
    Mistake(
        "pairs of the letters of the words, not of their present pieces: look at `splits[word]`.",
        lambda splits, counts, score="frequency": scored(
            {word: spelled(word) for word in splits}, counts, score
        ),
    ),
    Mistake(
        "a pair keeps the count of the last word only. Add up: += counts[word], not = counts[word].",
        last_pair,
    ),
    Mistake(
        "a piece keeps the count of the last word only. Add up: += counts[word], not = counts[word].",
        last_piece,
    ),
    Mistake("pieces without ## and with it are counted together. ##u and u are two pieces.", without_marks),
    Mistake("a piece that comes twice in a word is counted once there. Count every place.", pieces_once),
    Mistake(
        "a pair of two equal pieces is left out. It is a pair like any other.",
        wrong_scores(pairs_of=lambda split: [pair for pair in neighbours(split) if pair[0] != pair[1]]),
    ),
    Mistake(
        "the pieces of a word are taken two by two. Neighbours overlap: zip(split, split[1:]).",
        wrong_scores(pairs_of=lambda split: [*zip(split[::2], split[1::2])]),
    ),
    Mistake(
        "all pairs of pieces of a word are counted. Only neighbours are pairs.",
        wrong_scores(pairs_of=lambda split: [*itertools.combinations(split, 2)]),
    ),
    Mistake(
        "the pair's count is squared. Leave it as it is.",
        wrong_scores(formula=lambda pair, left, right: pair**2 / (left * right)),
    ),
    Mistake(
        "you divide by the larger of the two counts. Divide by their product.",
        wrong_scores(formula=lambda pair, left, right: pair / max(left, right)),
    ),
    Mistake(
        "you divide by the count of the left part twice. Divide by left * right.",
        wrong_scores(formula=lambda pair, left, right: pair / left**2),
    ),
    Mistake(
        "whole-number division: // throws the fraction away. Use /.",
        wrong_scores(formula=lambda pair, left, right: pair // (left * right)),
    ),
    *(
        Mistake(
            "the scores are rounded. Return them with all their digits.",
            wrong_scores(
                formula=lambda pair, left, right, digits=digits: round(pair / (left * right), digits)
            ),
        )
        for digits in (2, 3, 4)
    ),
    Mistake(
        "pairs that occur once are left out. Return the score of every pair.",
        changed(
            lambda scores, splits, counts: {
                pair: n for pair, n in scores.items() if counted(splits, counts)[0][pair] > 1
            }
        ),
    ),
    Mistake(
        '`score` is "frequency" unless the call says otherwise: leave the default as it is.',
        lambda splits, counts, score="likelihood": scored(splits, counts, score),
    ),
    Mistake(
        "the last pair of each word is missing. A split of n pieces has n - 1 pairs.",
        wrong_scores(pairs_of=lambda split: neighbours(split)[:-1]),
    ),
    Mistake(
        "the first pair of each word is missing. A split of n pieces has n - 1 pairs.",
        wrong_scores(pairs_of=lambda split: neighbours(split)[1:]),
    ),
)
