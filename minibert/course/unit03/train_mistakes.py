"""Known mistakes about `train_wordpiece`: edits of a plain trainer.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. It recounts after every merge;
`minibert.tokenizer.train` does the same faster.
"""

import math
from collections.abc import Callable

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer.train import alphabet

from ..checks.edits import edited, edits
from .score_mistakes import glued, merged, scored, spelled


def beginning(counts: dict[str, int]) -> list[str]:
    """Return what a vocabulary starts with: the special tokens and the alphabet."""
    return [*SPECIAL_TOKENS, *alphabet(counts)]


def plain(
    counts: dict[str, int], vocab_size: int, score: str = "frequency", pair_scores: Callable = scored
) -> list[str]:
    """Return what `train_wordpiece` should."""
    vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
    splits = {word: spelled(word) for word in counts}
    while len(vocab) < vocab_size:
        scores = pair_scores(splits, counts, score)
        if not scores:
            break
        left, right = min(scores, key=lambda pair: (-scores[pair], pair))
        new = glued(left, right)
        vocab.append(new)
        splits = {word: merged(split, left, right, new) for word, split in splits.items()}
    return vocab


def steady(counts: dict[str, int], vocab_size: int, score: str) -> bool:
    """Return True if rounding decides nothing: each way to compute the likelihood gives one vocabulary."""
    ways = (
        "n / (pieces[a] * pieces[b])",
        "n / pieces[a] / pieces[b]",
        "math.log(n) - math.log(pieces[a]) - math.log(pieces[b])",
    )
    made = (
        plain(counts, vocab_size, score, edited(scored, f"{ways[0]} => {way}", math=math)) for way in ways
    )
    return score == "frequency" or len(set(map(tuple, made))) == 1


TRAIN = edits(
    plain,
    """
    $begin = [*SPECIAL_TOKENS, *alphabet(counts)]
    $scores = pair_scores(splits, counts, score)
    $length = len(glued("##", glued(*pair)))
    $order = (-scores[pair], pair)
    $best = min(scores, key=lambda pair: $order)
    $short = len(vocab) < vocab_size
    $merged = merged(split, left, right, new)

    among equal scores you take the pair that was met first. Take the one that sorts first, so that the order
    of the words does not matter: min(..., key=lambda pair: (-scores[pair], pair)).
        $best => max(scores, key=scores.get)
    among equal scores you take the pair that sorts last. Take the one that sorts first: with max, the pair
    itself would have to count the other way round; min over (-score, pair) does it.
        $best => max(scores, key=lambda pair: (scores[pair], pair))
    places that overlap are merged from the right. In ##a ##a ##a, the first two are merged.
        $merged => merged(split[::-1], right, left, new)[::-1]
    among equal scores you compare the glued pieces. Compare the pairs.
        $order => (-scores[pair], glued(*pair))
    among equal scores you compare the right parts first. Compare the pairs, as Python compares tuples.
        $order => (-scores[pair], pair[::-1])
    among equal scores the length of the pieces decides in your answer. Take the pair that sorts first.
        $order => (-scores[pair], {1 | -1} * len("".join(pair)), pair)
    pairs that occur once are never merged. Go on until the list is full, or every word is one piece.
        $scores => {pair: n for pair, n in $scores.items() if pair_scores(splits, counts)[pair] > 1}
    words that occur once are left out. They count once.
        for word in counts} => for word in counts if counts[word] > 1}
    the pieces with ## are missing from the alphabet: take alphabet(counts) as it is.
        $begin => [piece for piece in $begin if piece[:2] != "##"]
    the alphabet is in another order. Take alphabet(counts) as it is.
        alphabet(counts) => alphabet(counts)[::-1]
    long words are cut, so that their ends are never merged. Spell the whole word.
        spelled(word) => spelled(word[:{10 | 20 | 30}])
    long pieces are never made. Only the list's length and the pairs that are left end the training.
        $scores => {pair: n for pair, n in $scores.items() if $length <= {12 | 22 | 32}}
    you merge the worst pair, the one with the lowest score.
        $order => (scores[pair], pair)
    `score` is ignored: you always merge the most frequent pair.
        $scores => pair_scores(splits, counts)
    `score` is ignored: you always merge by likelihood. Its default is "frequency".
        $scores => pair_scores(splits, counts, "likelihood")
    `counts` is ignored: each word is counted once.
        $scores => pair_scores(splits, dict.fromkeys(counts, 1), score)
    the special tokens are missing. The list begins with SPECIAL_TOKENS, then the alphabet.
        $begin => alphabet(counts)
    the special tokens are missing, though you leave room for them. The list begins with SPECIAL_TOKENS.
        return result[5:]
    the special tokens come last. They come first: [PAD] must have the id 0.
        $begin => [*alphabet(counts), *SPECIAL_TOKENS]
    these are the merged pieces only. The special tokens and the alphabet come before them.
        return result[len(beginning(counts)) :]
    the alphabet is missing: without single characters, most words would be [UNK].
        $begin => [*SPECIAL_TOKENS]
    a new piece keeps the ## of its right part inside: ##u and ##g make ##ug, not ##u##g.
        glued(left, right) => left + right
    a new piece has lost the ## of its left part: ##u and ##g make ##ug, not ug.
        glued(left, right) => left.removeprefix("##") + right.removeprefix("##")
    vocab_size counts the whole list, special tokens and alphabet included. You make that many merges.
        $short => len(vocab) < vocab_size + len(beginning(counts))
    the special tokens are left out of the count: the whole list has vocab_size pieces.
        $short => len(vocab) < vocab_size + 5
    the list is one piece too long. Stop as soon as it has vocab_size pieces, even before the first merge.
        $short => len(vocab) <= vocab_size
    the list is one piece too short. Go on while it has fewer than vocab_size pieces.
        $short => len(vocab) < vocab_size - 1
    the pairs are counted once, at the beginning. Each merge makes new pairs and ends old ones: score them
    again.
        scores = $scores => pass
        while => scores = $scores\\nwhile
        vocab.append(new) => vocab.append(new)\\nscores.pop((left, right))
    in each word only the first place of the pair is merged. Merge every place, from left to right.
        == [left, right] => == [left, right] and len(found) == i
    the pieces are sorted. Leave them in the order of merging: a piece's id is its place in the list.
        return beginning(counts) + sorted(result[len(beginning(counts)) :])
    letters inside a word are spelled without ##: "hug" begins as h ##u ##g.
        spelled(word) => list(word)
    when every word has become one piece there is no pair left to choose. Stop then, with a shorter list.
        if not scores => if False
        or
        if not scores => if not scores and max({})
    """,
    merged,
)
