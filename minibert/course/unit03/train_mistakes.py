"""Known mistakes about `train_wordpiece`: a plain trainer with some of its steps replaced.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. It recounts after every merge;
`minibert.tokenizer.train` does the same faster.
"""

import math
from collections.abc import Callable

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer.train import alphabet

from ..checks.exercise import Mistake
from .score_mistakes import glued, merged, scored, spelled


def beginning(counts: dict[str, int]) -> list[str]:
    """What a vocabulary starts with: the special tokens and the alphabet."""
    return [*SPECIAL_TOKENS, *alphabet(counts)]


def smallest(scores: dict[tuple[str, str], float]) -> tuple[str, str]:
    """The pair with the best score; of equal ones, the first in order."""
    return min(scores, key=lambda pair: (-scores[pair], pair))


def trainer(
    score_of: Callable = lambda splits, counts, score: scored(splits, counts, score),
    choose: Callable = smallest,
    start: Callable = beginning,
    spell: Callable = spelled,
    merge: Callable = merged,
    glue: Callable = glued,
    enough: Callable = lambda vocab, size, begun: len(vocab) >= size,
    recount: bool = True,
) -> Callable:
    """Build a trainer with some of its steps replaced."""

    def wrong(counts, vocab_size, score="frequency"):
        splits, vocab = {word: spell(word) for word in counts}, start(counts)
        scores, begun = score_of(splits, counts, score), len(vocab)
        while scores and not enough(vocab, vocab_size, begun):
            left, right = choose(scores)
            vocab.append(glue(left, right))
            splits = {word: merge(split, left, right, glue=glue) for word, split in splits.items()}
            scores.pop((left, right))
            scores = score_of(splits, counts, score) if recount else scores
        return vocab

    return wrong


def with_formula(formula: Callable) -> Callable:
    return trainer(lambda splits, counts, score: scored(splits, counts, score, formula=formula))


def steady(counts: dict[str, int], vocab_size: int, score: str) -> bool:
    """True if rounding decides nothing: all ways to compute the likelihood give the same vocabulary."""
    ways = (
        lambda n, a, b: n / (a * b),
        lambda n, a, b: n / a / b,
        lambda n, a, b: math.log(n) - math.log(a) - math.log(b),
    )
    return (
        score == "frequency"
        or len({tuple(with_formula(way)(counts, vocab_size, score)) for way in ways}) == 1
    )


def keeps_marks(left: str, right: str) -> str:
    return left + right


def only_pieces(counts: dict[str, int], vocab_size: int, score: str = "frequency") -> list[str]:
    return trainer()(counts, vocab_size, score)[len(beginning(counts)) :]


TRAIN = (
    Mistake(
        "among equal scores you take the pair that was met first. Take the one that sorts first, so that "
        "the order of the words does not matter: min(..., key=lambda pair: (-scores[pair], pair)).",
        trainer(choose=lambda scores: max(scores, key=scores.get)),
    ),
    Mistake(
        "among equal scores you take the pair that sorts last. Take the one that sorts first: with max, "
        "the pair itself would have to count the other way round; min over (-score, pair) does it.",
        trainer(choose=lambda scores: max(scores, key=lambda pair: (scores[pair], pair))),
    ),
    Mistake(
        "places that overlap are merged from the right. In ##a ##a ##a, the first two are merged.",
        trainer(merge=lambda split, left, right, glue: merged(split, left, right, glue, backwards=True)),
    ),
    Mistake(
        "among equal scores you compare the glued pieces. Compare the pairs.",
        trainer(choose=lambda scores: min(scores, key=lambda pair: (-scores[pair], glued(*pair)))),
    ),
    Mistake(
        "among equal scores you compare the right parts first. Compare the pairs, as Python compares tuples.",
        trainer(choose=lambda scores: min(scores, key=lambda pair: (-scores[pair], pair[::-1]))),
    ),
    *(
        Mistake(
            "among equal scores the length of the pieces decides in your answer. Take the pair that sorts "
            "first.",
            trainer(
                choose=lambda scores, sign=sign: min(
                    scores, key=lambda pair: (-scores[pair], sign * len(pair[0] + pair[1]), pair)
                )
            ),
        )
        for sign in (1, -1)
    ),
    Mistake(
        "pairs that occur once are never merged. Go on until the list is full, or every word is one piece.",
        trainer(
            lambda splits, counts, score: {
                pair: n
                for pair, n in scored(splits, counts, score).items()
                if scored(splits, counts)[pair] > 1
            }
        ),
    ),
    Mistake(
        "words that occur once are left out. They count once.",
        lambda counts, vocab_size, score="frequency": trainer(start=lambda _: beginning(counts))(
            {word: n for word, n in counts.items() if n > 1}, vocab_size, score
        ),
    ),
    Mistake(
        "the pieces with ## are missing from the alphabet: take alphabet(counts) as it is.",
        trainer(start=lambda counts: [piece for piece in beginning(counts) if piece[:2] != "##"]),
    ),
    Mistake(
        "the alphabet is in another order. Take alphabet(counts) as it is.",
        trainer(start=lambda counts: [*SPECIAL_TOKENS, *alphabet(counts)[::-1]]),
    ),
    *(
        Mistake(
            "long words are cut, so that their ends are never merged. Spell the whole word.",
            trainer(spell=lambda word, limit=limit: spelled(word[:limit])),
        )
        for limit in (10, 20, 30)
    ),
    *(
        Mistake(
            "long pieces are never made. Only the list's length and the pairs that are left end the "
            "training.",
            trainer(
                lambda splits, counts, score, limit=limit: {
                    pair: n
                    for pair, n in scored(splits, counts, score).items()
                    if len(glued(*pair).removeprefix("##")) <= limit
                }
            ),
        )
        for limit in (10, 20, 30)
    ),
    Mistake(
        "you merge the worst pair, the one with the lowest score.",
        trainer(choose=lambda scores: min(scores, key=lambda pair: (scores[pair], pair))),
    ),
    Mistake(
        "`score` is ignored: you always merge the most frequent pair.",
        trainer(lambda splits, counts, score: scored(splits, counts)),
    ),
    Mistake(
        '`score` is ignored: you always merge by likelihood. Its default is "frequency".',
        trainer(lambda splits, counts, score: scored(splits, counts, "likelihood")),
    ),
    Mistake(
        "`counts` is ignored: each word is counted once.",
        trainer(lambda splits, counts, score: scored(splits, counts, score, times=lambda count: 1)),
    ),
    Mistake(
        "the special tokens are missing. The list begins with SPECIAL_TOKENS, then the alphabet.",
        lambda counts, vocab_size, score="frequency": trainer(start=lambda counts: beginning(counts)[5:])(
            counts, vocab_size, score
        ),
    ),
    Mistake(
        "the special tokens are missing, though you leave room for them. The list begins with "
        "SPECIAL_TOKENS.",
        lambda counts, vocab_size, score="frequency": trainer()(counts, vocab_size, score)[5:],
    ),
    Mistake(
        "the special tokens come last. They come first: [PAD] must have the id 0.",
        trainer(start=lambda counts: beginning(counts)[5:] + beginning(counts)[:5]),
    ),
    Mistake(
        "these are the merged pieces only. The special tokens and the alphabet come before them.", only_pieces
    ),
    Mistake(
        "the alphabet is missing: without single characters, most words would be [UNK].",
        trainer(start=lambda counts: [*SPECIAL_TOKENS]),
    ),
    Mistake(
        "a new piece keeps the ## of its right part inside: ##u and ##g make ##ug, not ##u##g.",
        trainer(glue=keeps_marks),
    ),
    Mistake(
        "a new piece has lost the ## of its left part: ##u and ##g make ##ug, not ug.",
        trainer(glue=lambda left, right: left.removeprefix("##") + right.removeprefix("##")),
    ),
    Mistake(
        "vocab_size counts the whole list, special tokens and alphabet included. You make that many merges.",
        trainer(enough=lambda vocab, size, begun: len(vocab) - begun >= size),
    ),
    Mistake(
        "the special tokens are left out of the count: the whole list has vocab_size pieces.",
        trainer(enough=lambda vocab, size, begun: len(vocab) - 5 >= size),
    ),
    Mistake(
        "the list is one piece too long. Stop as soon as it has vocab_size pieces, even before the first "
        "merge.",
        trainer(enough=lambda vocab, size, begun: len(vocab) > size),
    ),
    Mistake(
        "the list is one piece too short. Go on while it has fewer than vocab_size pieces.",
        trainer(enough=lambda vocab, size, begun: len(vocab) >= size - 1),
    ),
    Mistake(
        "the pairs are counted once, at the beginning. Each merge makes new pairs and ends old ones: "
        "score them anew.",
        trainer(recount=False),
    ),
    Mistake(
        "in each word only the first place of the pair is merged. Merge every place, from left to right.",
        trainer(merge=lambda split, left, right, glue: merged(split, left, right, glue, once=True)),
    ),
    Mistake(
        "the pieces are sorted. Leave them in the order of merging: a piece's id is its place in the list.",
        lambda counts, vocab_size, score="frequency": (
            beginning(counts) + sorted(only_pieces(counts, vocab_size, score))
        ),
    ),
    Mistake('letters inside a word are spelled without ##: "hug" begins as h ##u ##g.', trainer(spell=list)),
    Mistake(
        "when every word has become one piece there is no pair left to choose. Stop then, with a shorter "
        "list.",
        lambda counts, vocab_size, score="frequency": min({}),
    ),
    Mistake(
        "when every word has become one piece there is no pair left to choose. Stop then, with a shorter "
        "list.",
        lambda counts, vocab_size, score="frequency": max({}),
    ),
    Mistake(
        "when every word has become one piece there is no pair left to choose. Stop then, with a shorter "
        "list.",
        lambda counts, vocab_size, score="frequency": min({}, key=len),
    ),
)
