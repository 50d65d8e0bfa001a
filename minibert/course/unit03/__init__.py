"""Check the exercises of unit 03, from text to the model's input.

Wu et al. (2016, arXiv 1609.08144), section 4.1, for greedy matching; Sennrich et al. (2016, arXiv
1508.07909), section 3.2, for merges; Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2, for
input sequences and embeddings.
"""

from collections.abc import Callable, Sequence

import numpy as np

from minibert import reference
from minibert.data.batch import SPECIAL_TOKENS, Specials, collate, pack
from minibert.data.packing import truncate_pair
from minibert.tokenizer import BasicTokenizer, WordPiece, count_words
from minibert.tokenizer.basic import runs, split_punctuation, strip_accents
from minibert.tokenizer.train import Pairs
from minibert.tokenizer.train import train_wordpiece as trained

from ..checks.climb import functions_to_lend
from ..checks.compare import agree, describe, is_list
from ..checks.difference import list_difference
from ..checks.exercise import Exercise, Invariant
from ..checks.guard import CheckFailed, lending, not_written_message
from ..checks.planted_bugs import planted
from . import (
    bug_hunt,
    embed_mistakes,
    pack_mistakes,
    score_mistakes,
    text_mistakes,
    train_mistakes,
    wordpiece_mistakes,
)
from .cases import (
    PIECES,
    embed_cases,
    embedding_weights,
    encode_cases,
    ids_of,
    pack_cases,
    scores_cases,
    tokenize_cases,
    train_cases,
)
from .hints import HINTS

EXAMPLE = {
    token: i for i, token in enumerate(["[UNK]", "hug", "hu", "##g", "##s", "##gs", "un", "una", "##able"])
}
SMALL = text_mistakes.SMALL  # the vocabulary of `revealing_words`


wordpiece_encode = Exercise(
    "wordpiece_encode",
    ("word", "vocab", "longest"),
    encode_cases,
    wordpiece_mistakes.greedy,
    examples=(
        (("hug", EXAMPLE, 200), ["hug"]),
        (("hugs", EXAMPLE, 200), ["hug", "##s"]),
        (("hux", EXAMPLE, 200), ["[UNK]"]),
        (("unable", EXAMPLE, 200), ["[UNK]"]),
    ),
    free=("word",),
    hints=HINTS["wordpiece_encode"],
    mistakes=wordpiece_mistakes.ENCODE,
    implementations=(WordPiece.match,),
    invariants=(
        Invariant(
            "without ##, the tokens together are the word",
            lambda f, rng: "".join(f("abcab", ids_of(PIECES), 200)).replace("##", "") == "abcab",
        ),
        Invariant(
            "a word of the vocabulary stays whole",
            lambda f, rng: list(f("abc", ids_of(PIECES), 200)) == ["abc"],
        ),
    ),
)


def many_words(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether multiplying word counts by 1000 multiplies f's frequency score of a pair by 1000.

    The likelihood score must become 1000 times smaller.
    """
    splits, pair = {"ab": ["a", "##b"], "a": ["a"]}, ("a", "##b")
    few, many = ({"ab": 3 * times, "a": 4 * times} for times in (1, 1000))
    return all(
        np.isclose(
            float(f(splits, many, score)[pair]),
            factor * float(f(splits, few, score)[pair]),
            rtol=1e-4,
            atol=0,
        )
        for score, factor in (("frequency", 1000), ("likelihood", 1e-3))
    )


pair_scores = Exercise(
    "pair_scores",
    ("splits", "counts", "score"),
    scores_cases,
    score_mistakes.scored,
    examples=(
        (
            (
                {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"], "gu": ["g", "##u"]},
                {"hug": 10, "hugs": 5, "gu": 2},
                "frequency",
            ),
            {("h", "##u"): 15, ("##u", "##g"): 15, ("##g", "##s"): 5, ("g", "##u"): 2},
        ),
    ),
    hints=HINTS["pair_scores"],
    mistakes=score_mistakes.SCORES_OF_PAIRS,
    implementations=(Pairs.count, Pairs.rank, Pairs.best),
    invariants=(
        Invariant(
            "a word of one token has no pair",
            lambda f, rng: dict(f({"a": ["a"]}, {"a": 3}, "frequency")) == {},
        ),
        Invariant(
            "with a thousand times as many words, the frequency is a thousand times as large, and the "
            "likelihood a thousandth",
            many_words,
        ),
        Invariant(
            "a word of two tokens has one pair, which occurs as often as the word",
            lambda f, rng: dict(f({"ab": ["a", "##b"]}, {"ab": 3}, "frequency")) == {("a", "##b"): 3},
        ),
    ),
)


def right_train(counts: dict[str, int], vocab_size: int, score: str = "frequency") -> list[str]:
    return trained(counts, vocab_size, score)


train_wordpiece = Exercise(
    "train_wordpiece",
    ("counts", "vocab_size", "score"),
    train_cases,
    right_train,
    hints=HINTS["train_wordpiece"],
    mistakes=train_mistakes.TRAIN,
    builds_on=(pair_scores,),
    implementations=(trained, Pairs.count, Pairs.rank, Pairs.best, Pairs.merge),
    invariants=(
        Invariant(
            "the five special tokens come first",
            lambda f, rng: tuple(f({"ab": 1}, 12, "frequency"))[:5] == SPECIAL_TOKENS,
        ),
        Invariant(
            "no token occurs twice",
            lambda f, rng: (
                len(set(f({"abab": 2, "ab": 1}, 40, "frequency")))
                == len(f({"abab": 2, "ab": 1}, 40, "frequency"))
            ),
        ),
    ),
)


revealing_words = Exercise(
    "revealing_words",
    (),
    lambda rng: [()],
    hints=HINTS["revealing_words"],
    invariants=(
        Invariant("returns a list of at most six words", text_mistakes.few_words),
        *text_mistakes.REVEALED,
    ),
)


def right_pack(a: list[int], b: list[int] | None, max_length: int) -> tuple[np.ndarray, ...]:
    room = max_length - (2 if b is None else 3)
    a, b = (list(a)[:room], None) if b is None else truncate_pair(a, b, room)
    batch = collate([(a, b)], Specials(), length=max_length)
    return batch.input_ids[0], batch.token_type_ids[0], batch.real[0]


pack_pair = Exercise(
    "pack_pair",
    ("a", "b", "max_length"),
    pack_cases,
    right_pack,
    free=("a", "b"),
    whole=True,
    hints=HINTS["pack_pair"],
    mistakes=pack_mistakes.PACK,
    implementations=(truncate_pair, pack, collate),
    invariants=(
        Invariant(
            "every sequence has exactly the length max_length",
            lambda f, rng: all(np.shape(part) == (9,) for part in f(list(range(5, 20)), [5, 6], 9)),
        ),
        Invariant(
            "a pair is truncated at its longer segment",
            lambda f, rng: np.asarray(f([5] * 9, [6, 7], 9)[0]).tolist() == [2, 5, 5, 5, 5, 3, 6, 7, 3],
        ),
    ),
)


def right_embed(
    input_ids: np.ndarray, token_type_ids: np.ndarray, weights: dict[str, np.ndarray], eps: float = 1e-12
) -> np.ndarray:
    return reference.embeddings(input_ids, token_type_ids, weights, eps)


embed = Exercise(
    "embed",
    ("input_ids", "token_type_ids", "weights", "eps"),
    embed_cases,
    right_embed,
    hints=HINTS["embed"],
    mistakes=embed_mistakes.EMBED,
    implementations=(reference.embeddings,),
    invariants=(
        Invariant(
            "the same token gets different vectors at different positions",
            lambda f, rng: (
                not np.allclose(
                    *f(np.array([[3, 3]]), np.zeros((1, 2), int), embedding_weights(rng, 5, 4, 6), 1e-12)[0]
                )
            ),
        ),
    ),
)


basic_words = planted(
    "basic_words",
    ("text",),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    implementations=(BasicTokenizer.split, runs, strip_accents, split_punctuation),
    hints=HINTS["basic_words"],
    free=("text",),
)


def right_tokenize(text: str, vocab: Sequence[str]) -> list[int]:
    return WordPiece(vocab).encode(text).ids


tokenize = Exercise(
    "tokenize",
    ("text", "vocab"),
    tokenize_cases,
    right_tokenize,
    free=("text",),
    whole=True,
    hints=HINTS["tokenize"],
    mistakes=text_mistakes.TOKENIZE,
    builds_on=(wordpiece_encode,),
    implementations=(WordPiece.match, WordPiece.encode, WordPiece._encoding),
)


def by_basic_words(text: str, vocab: Sequence[str]) -> list[int]:
    """Split a text into words with a correct `basic_words`, and return the ids of their tokens.

    Unlike BasicTokenizer, `basic_words` keeps invisible characters, such as zero-width joiners and byte order
    marks.
    """
    return text_mistakes.ids_of_words(bug_hunt.version(frozenset())(text), vocab)


LEAST_TEXT = 200  # minimum length of the student's own text, so that some pairs occur more than once


def own_text(my_text: Callable, train: Callable, encode: Callable) -> None:
    """Compare a student's trainer and tokenizer with the package's on a text that the student has written.

    my_text: a function that returns the text. train, encode: the student's `train_wordpiece` and `tokenize`.
    If other functions of the student fail their checks, the package's functions are used instead. Prints a
    line if the results are equal. Raises CheckFailed if they differ, or if the text is too short.
    """
    __tracebackhide__ = True
    for_train, for_encode = (
        functions_to_lend(train_wordpiece, train, 0)[0],
        functions_to_lend(tokenize, encode, 0)[0],
    )
    try:
        text = my_text()
        if text is None:
            raise CheckFailed("my_text: it returns None. Is the `return` missing?")
        if not isinstance(text, str) or len(text) < LEAST_TEXT:
            size = f"{len(text)} characters long" if isinstance(text, str) else describe(text)
            raise CheckFailed(
                f"my_text: your text is {size}. Write at least {LEAST_TEXT} characters, in any "
                "language or languages you like."
            )
        counts = count_words([text])
        ours = trained(counts, len(train_mistakes.beginning(counts)) + 40)
        with lending(train, for_train):
            vocab = train(dict(counts), len(ours))
        with lending(encode, for_encode):
            ids = encode(text, ours)
    except NotImplementedError as error:
        raise CheckFailed(f"my_text: {not_written_message(error, my_text)}") from None
    right = right_tokenize(text, ours)
    for name, got, expected in (
        ("train_wordpiece", vocab, [ours]),
        ("tokenize", ids, [right, by_basic_words(text, ours)]),
    ):
        if not any(agree(got, some) for some in expected):
            where = list_difference(list(got), expected[0]) if is_list(got) else f"it is {describe(got)}."
            raise CheckFailed(
                f"my_text: your text is fine, but the result of your `{name}` for it differs from the "
                f"package's: {where}"
            )
    print(
        f"my_text: passed. {len(text)} characters, {counts.total()} words, {len(right)} tokens from a "
        f"vocabulary of {len(ours)}: your tokenizer and the package's give the same result."
    )
