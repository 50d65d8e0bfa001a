"""Splits, merges and pair scores in plain Python, and the known mistakes about `pair_scores`.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. `train_mistakes` trains with these functions.
"""

import itertools
import math
from collections import Counter

from ..checks.edits import edits


def spelled(word: str) -> list[str]:
    return [word[0], *("##" + c for c in word[1:])]


def glued(left: str, right: str) -> str:
    return left + right.removeprefix("##")


def merged(split: list[str], left: str, right: str, new: str) -> list[str]:
    """Return the split with every `left`, `right` replaced by `new`."""
    found, i = [], 0
    while i < len(split):
        hit = split[i : i + 2] == [left, right]
        found.append(new if hit else split[i])
        i += 1 + hit
    return found


def scored(
    splits: dict[str, list[str]], counts: dict[str, int], score: str = "frequency"
) -> dict[tuple[str, str], float]:
    """Return what `pair_scores` should."""
    pairs: Counter = Counter()
    pieces: Counter = Counter()
    for word, split in splits.items():
        for pair in zip(split, split[1:]):
            pairs[pair] += counts[word]
        for piece in split:
            pieces[piece] += counts[word]
    if score == "frequency":
        return dict(pairs)
    return {(a, b): n / (pieces[a] * pieces[b]) for (a, b), n in pairs.items()}


SCORES_OF_PAIRS = edits(
    scored,
    """
    $pairs = zip(split, split[1:])
    $left = pieces["left", pair[0]] += counts[word]
    $right = pieces["right", pair[1]] += counts[word]
    $ratio = n / (pieces[a] * pieces[b])
    $frequency = score == "frequency"

    each word is counted once. A word that comes `counts[word]` times brings its pairs as often.
        counts[word] =>> 1
    a pair that comes twice in one word is counted once there. Count every place, not a set of pairs.
        $pairs => set($pairs)
    these are frequencies, though "likelihood" is asked for: divide by how often the two parts occur.
        $frequency => True
    these are likelihoods, though "frequency" is asked for. Is `score` ignored, or are the two swapped?
        $frequency => False
    you divide by the sum of the two counts. Divide by their product: that is what chance would give.
        $ratio => n / (pieces[a] + pieces[b])
    you multiply by the counts of the parts; divide by their product.
        $ratio => n * pieces[a] * pieces[b]
    pair / left * right divides by left and multiplies by right. Put brackets: pair / (left * right).
        $ratio => n / pieces[a] * pieces[b]
    you divide by the count of the left part only: by left * right.
        $ratio => n / pieces[a]
    you divide by the count of the right part only: by left * right.
        $ratio => n / pieces[b]
    this is the logarithm of the score. The order is the same; return the ratio itself.
        $ratio => math.log($ratio)
    you divide by the square root of left * right; divide by the product itself.
        $ratio => n / math.sqrt(pieces[a] * pieces[b])
    you divide by the smaller of the two counts. Divide by their product.
        $ratio => n / min(pieces[a], pieces[b])
    the parts are counted once per word. A piece counts `counts[word]` times, as a pair does.
        pieces[piece] += counts[word] => pieces[piece] += 1
    a piece is counted only where it is part of a pair. Count it everywhere: first, in the middle, last, and
    alone.
        pieces[piece] += counts[word] => pass
        $pairs: => $pairs:\\n    $left\\n    $right
        $ratio => n / (pieces["left", a] * pieces["right", b])
    words of a single piece are skipped. They have no pair, but their piece counts in `left` and `right`.
        splits.items(): => splits.items():\\n    if len(split) < 2:\\n        continue
    these are shares of all pairs. Return the counts themselves.
        return {pair: n / sum(result.values()) for pair, n in result.items()}
    the keys are the glued texts. A key is the pair itself: (left, right).
        return {"".join(pair): n for pair, n in result.items()}
    the keys are the new pieces. A key is the pair itself: (left, right), as both are in the split.
        return {glued(*pair): n for pair, n in result.items()}
    the pairs are reversed. A key is (left, right), in the order of the word.
        return {pair[::-1]: n for pair, n in result.items()}
    pairs of the letters of the words, not of their present pieces: look at `splits[word]`.
        splits.items(): => splits.items():\\n    split = spelled(word)
    a pair keeps the count of the last word only. Add up: += counts[word], not = counts[word].
        pairs[pair] += => pairs[pair] =
    a piece keeps the count of the last word only. Add up: += counts[word], not = counts[word].
        pieces[piece] += => pieces[piece] =
    pieces without ## and with it are counted together. ##u and u are two pieces.
        pieces[piece] => pieces[piece.removeprefix("##")]
        $ratio => n / (pieces[a.removeprefix("##")] * pieces[b.removeprefix("##")])
    a piece that comes twice in a word is counted once there. Count every place.
        piece in split => piece in set(split)
    a pair of two equal pieces is left out. It is a pair like any other.
        $pairs: => $pairs:\\n    if pair[0] == pair[1]:\\n        continue
    the pieces of a word are taken two by two. Neighbours overlap: zip(split, split[1:]).
        $pairs => zip(split[::2], split[1::2])
    all pairs of pieces of a word are counted. Only neighbours are pairs.
        $pairs => itertools.combinations(split, 2)
    the pair's count is squared. Leave it as it is.
        $ratio => n**2 / (pieces[a] * pieces[b])
    you divide by the larger of the two counts. Divide by their product.
        $ratio => n / max(pieces[a], pieces[b])
    you divide by the count of the left part twice. Divide by left * right.
        $ratio => n / pieces[a] ** 2
    whole-number division: // throws the fraction away. Use /.
        $ratio => n // (pieces[a] * pieces[b])
    the scores are rounded. Return them with all their digits.
        $ratio => round($ratio, {2 | 3 | 4})
    pairs that occur once are left out. Return the score of every pair.
        if $frequency => pairs = {pair: n for pair, n in pairs.items() if n > 1}\\nif $frequency
    `score` is "frequency" unless the call says otherwise: leave the default as it is.
        str = "frequency" => str = "likelihood"
    the last pair of each word is missing. A split of n pieces has n - 1 pairs.
        $pairs => zip(split, split[1:-1])
    the first pair of each word is missing. A split of n pieces has n - 1 pairs.
        $pairs => zip(split[1:], split[2:])
    """,
    itertools=itertools,
    math=math,
)
