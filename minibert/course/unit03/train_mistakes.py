"""Students' common mistakes in `train_wordpiece`, as edits of a simple trainer.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. The trainer counts all pairs again after every merge.
"""

import math
from collections.abc import Callable

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer.train import alphabet

from ..checks.edits import edited, edits
from .score_mistakes import glued, merged, scored, spelled


def beginning(counts: dict[str, int]) -> list[str]:
    """Return the first tokens of a vocabulary: the special tokens and the alphabet of the words."""
    return [*SPECIAL_TOKENS, *alphabet(counts)]


def plain(
    counts: dict[str, int], vocab_size: int, score: str = "frequency", pair_scores: Callable = scored
) -> list[str]:
    """Return a WordPiece vocabulary learned from word counts, as `train_wordpiece` should."""
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
    """Return whether three equivalent formulas for the likelihood lead to the same vocabulary.

    Always True for other scores.
    """
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

    if scores are equal, you take the pair that was counted first. Take the pair that sorts first, so that the
    order of the words does not matter.
        $best => max(scores, key=scores.get)
    if scores are equal, you take the pair that sorts last. Take the pair that sorts first.
        $best => max(scores, key=lambda pair: (scores[pair], pair))
    you merge overlapping pairs from the right. Start from the left: in ##a ##a ##a, merge the first two.
        $merged => merged(split[::-1], right, left, new)[::-1]
    if scores are equal, you compare the merged tokens. Compare the pairs as tuples instead.
        $order => (-scores[pair], glued(*pair))
    if scores are equal, you compare the right parts first. Compare the left parts first, as Python does with
    tuples.
        $order => (-scores[pair], pair[::-1])
    if scores are equal, you compare the lengths of the tokens. Take the pair that sorts first.
        $order => (-scores[pair], {1 | -1} * len("".join(pair)), pair)
    you never merge pairs that occur only once. Continue until the list is full, or until every word is
    one token.
        $scores => {pair: n for pair, n in $scores.items() if pair_scores(splits, counts)[pair] > 1}
        or
        $scores => {pair: n for pair, n in $scores.items() if n > 1 or score != "frequency"}
    you leave out words that occur only once. Count them once.
        for word in counts} => for word in counts if counts[word] > 1}
    the tokens with ## are missing from the alphabet. Use alphabet(counts) as it is.
        $begin => [piece for piece in $begin if piece[:2] != "##"]
    the alphabet is in the wrong order. Use alphabet(counts) as it is.
        alphabet(counts) => alphabet(counts)[::-1]
    you cut off long words, so their ends are never merged. Split the whole word into characters.
        spelled(word) => spelled(word[:{10 | 20 | 30}])
    you never make long tokens. Allow tokens of any length: stop only if the list is full or no pair is left.
        $scores => {pair: n for pair, n in $scores.items() if $length <= {12 | 22 | 32}}
    you merge the pair with the lowest score. Merge the pair with the highest score.
        $order => (scores[pair], pair)
    you ignore `score`: you always merge the most frequent pair. Pass `score` on to pair_scores.
        $scores => pair_scores(splits, counts)
    you ignore `score`: you always merge by likelihood. Pass `score` on to pair_scores.
        $scores => pair_scores(splits, counts, "likelihood")
    you ignore `counts`: you count each word once. Pass `counts` on to pair_scores.
        $scores => pair_scores(splits, dict.fromkeys(counts, 1), score)
    the special tokens are missing. Start the list with SPECIAL_TOKENS, then add the alphabet.
        $begin => alphabet(counts)
    the special tokens are missing, although you count them in vocab_size. Start the list with SPECIAL_TOKENS.
        return result[5:]
    the special tokens come last. Put them first, so that [PAD] has the id 0.
        $begin => [*alphabet(counts), *SPECIAL_TOKENS]
    you return only the merged tokens. Put the special tokens and the alphabet before them.
        return result[len(beginning(counts)) :]
    the alphabet is missing, so most words would be [UNK]. Put alphabet(counts) after the special tokens.
        $begin => [*SPECIAL_TOKENS]
    a new token still has the ## of its right part in the middle. Remove it: ##u and ##g make ##ug, not
    ##u##g.
        glued(left, right) => left + right
    a new token has lost the ## of its left part. Keep it: ##u and ##g make ##ug, not ug.
        glued(left, right) => left.removeprefix("##") + right.removeprefix("##")
    you make vocab_size merges. Stop when the whole list has vocab_size tokens, including special tokens and
    alphabet.
        $short => len(vocab) < vocab_size + len(beginning(counts))
    you do not count the special tokens. Stop when the whole list has vocab_size tokens.
        $short => len(vocab) < vocab_size + 5
    the list is one token too long. Stop as soon as it has vocab_size tokens, even before the first merge.
        $short => len(vocab) <= vocab_size
    the list is one token too short. Continue while it has fewer than vocab_size tokens.
        $short => len(vocab) < vocab_size - 1
    you count the pairs only once, at the beginning. Each merge changes the pairs, so score them again.
        scores = $scores => pass
        while $short => scores = $scores\\nwhile $short
        vocab.append(new) => vocab.append(new)\\nscores.pop((left, right))
    you merge only the first occurrence of the pair in each word. Merge every occurrence, from left to right.
        == [left, right] => == [left, right] and len(found) == i
    you sort the tokens. Leave them in the order of the merges, because the id of a token is its index in
    the list.
        return beginning(counts) + sorted(result[len(beginning(counts)) :])
    letters inside a word have no ##. Add it: "hug" should start as h ##u ##g.
        spelled(word) => list(word)
    you look for a pair even if every word is a single token. Stop if no pair is left, with a shorter list.
        if not scores => if False
        or
        if not scores => if not scores and max({})
    """,
    merged,
)
