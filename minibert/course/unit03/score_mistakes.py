"""Splits, merges and pair scores in plain Python, and common mistakes in `pair_scores`.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2.
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
    """Return the tokens of a word, with each adjacent pair `left`, `right` replaced by the token `new`."""
    found, i = [], 0
    while i < len(split):
        hit = split[i : i + 2] == [left, right]
        found.append(new if hit else split[i])
        i += 1 + hit
    return found


def scored(
    splits: dict[str, list[str]], counts: dict[str, int], score: str = "frequency"
) -> dict[tuple[str, str], float]:
    """Return {pair of adjacent tokens: score}, as `pair_scores` should.

    splits: the tokens of each word. counts: how often each word occurs. score: "frequency" or "likelihood".
    """
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
    $counts = dict(pairs)

    you count each word once. Count its pairs and tokens `counts[word]` times.
        counts[word] =>> 1
    you count a pair only once if it occurs twice in a word. Count every occurrence, not a set of pairs.
        $pairs => set($pairs)
    you return frequencies if `score` is "likelihood". Divide each by the product of the counts of the two
    tokens.
        $frequency => True
    you return likelihoods if `score` is "frequency". Return the counts of the pairs in this case.
        $frequency => False
        or
        $frequency => score != "frequency"
    you divide by the sum of the counts of the two tokens. Divide by their product.
        $ratio => n / (pieces[a] + pieces[b])
    you multiply by the counts of the two tokens. Divide by their product instead.
        $ratio => n * pieces[a] * pieces[b]
    you divide by the count of the left token and then multiply by that of the right. Divide by their product.
        $ratio => n / pieces[a] * pieces[b]
    you divide only by the count of the left token. Divide by the product of both counts.
        $ratio => n / pieces[a]
    you divide only by the count of the right token. Divide by the product of both counts.
        $ratio => n / pieces[b]
    you return the logarithm of the score. Return the score itself, even though the order is the same.
        $ratio => math.log($ratio)
    you divide by the square root of the product of the two counts. Divide by the product itself.
        $ratio => n / math.sqrt(pieces[a] * pieces[b])
    you divide by the smaller of the counts of the two tokens. Divide by their product.
        $ratio => n / min(pieces[a], pieces[b])
    you count the tokens once per word. Count each token `counts[word]` times, like a pair.
        pieces[piece] += counts[word] => pieces[piece] += 1
    you count a left token only where it begins a pair, and a right token only where it ends one. Count all
    occurrences of each token.
        pieces[piece] += counts[word] => pass
        $pairs: => $pairs:\\n    $left\\n    $right
        $ratio => n / (pieces["left", a] * pieces["right", b])
    you skip words of a single token. They have no pair, but count their token in `left` and `right`.
        splits.items(): => splits.items():\\n    if len(split) < 2:\\n        continue
    you divide the scores by their sum. Return the scores themselves.
        return {pair: n / sum(result.values()) for pair, n in result.items()}
        or
        $counts => {pair: n / sum(pairs.values()) for pair, n in pairs.items()}
    the keys are concatenated strings. Use the pair itself as the key: (left, right).
        return {"".join(pair): n for pair, n in result.items()}
        or
        $counts => {"".join(pair): n for pair, n in pairs.items()}
    the keys are the merged tokens. Use the pair itself as the key, (left, right), with the two tokens of the
    split.
        return {glued(*pair): n for pair, n in result.items()}
        or
        $counts => {glued(*pair): n for pair, n in pairs.items()}
    the pairs are reversed. Use (left, right) as the key, in the order of the word.
        return {pair[::-1]: n for pair, n in result.items()}
    you count pairs of letters, not of the current tokens. Use the tokens in `splits[word]`.
        splits.items(): => splits.items():\\n    split = spelled(word)
    a pair has the count of its last word only. Add up the counts of all its words.
        pairs[pair] += => pairs[pair] =
    a token has the count of its last word only. Add up the counts of all its words.
        pieces[piece] += => pieces[piece] =
    you count tokens with and without ## together. Count them separately: ##u and u are different tokens.
        pieces[piece] => pieces[piece.removeprefix("##")]
        $ratio => n / (pieces[a.removeprefix("##")] * pieces[b.removeprefix("##")])
    you count a token only once if it occurs twice in a word. Count every occurrence.
        piece in split => piece in set(split)
    you leave out pairs of two equal tokens. Count them like any other pair.
        $pairs: => $pairs:\\n    if pair[0] == pair[1]:\\n        continue
    you skip every second pair of adjacent tokens. Let the pairs overlap: each inner token is in two of them.
        $pairs => zip(split[::2], split[1::2])
    you count all pairs of tokens in a word. Count only pairs of adjacent tokens.
        $pairs => itertools.combinations(split, 2)
    you square the count of the pair. Leave it as it is.
        $ratio => n**2 / (pieces[a] * pieces[b])
    you divide by the larger of the counts of the two tokens. Divide by their product.
        $ratio => n / max(pieces[a], pieces[b])
    you divide twice by the count of the left token. Divide by the product of both counts.
        $ratio => n / pieces[a] ** 2
    you use integer division, which discards the fraction. Use ordinary division.
        $ratio => n // (pieces[a] * pieces[b])
    you round the scores. Return them with all their digits.
        $ratio => round($ratio, {2 | 3 | 4})
    you leave out pairs that occur once. Return the score of every pair.
        if $frequency => pairs = {pair: n for pair, n in pairs.items() if n > 1}\\nif $frequency
    you changed the default of `score`. Leave it at "frequency".
        str = "frequency" => str = "likelihood"
    the last pair of each word is missing. Count all n - 1 pairs of a split of n tokens.
        $pairs => zip(split, split[1:-1])
    the first pair of each word is missing. Count all n - 1 pairs of a split of n tokens.
        $pairs => zip(split[1:], split[2:])
    """,
    itertools=itertools,
    math=math,
)
