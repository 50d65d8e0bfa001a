"""Inputs for the checks of unit 03, with random letters, so that each check uses different words.

Axes: B batch, T tokens, D hidden, V vocabulary, all of different lengths.
"""

import numpy as np

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import count_words
from minibert.tokenizer.train import train_wordpiece as trained

from . import score_mistakes, train_mistakes

LETTERS = list("bcdfghjklmnpqrstvwxyzäéøßçñабвгдежзик")  # none of the letters of the templates below
PIECES = (
    "a b c abc ab d e f ##a ##b ##c ##bc ##ab ##cab ##abc ##d ##de ##e ##f ##fab un una ##able ##x"
).split()
WORDS = (
    "abcfab abc abcab abca ab ba a aab abcde bcab deed une unable unite cabx xab fabe ax aaaa effab cde "
    "dedede fabfab x"
).split()


def renamed(texts: list[str], rng: np.random.Generator) -> list[str]:
    """Return the texts with all letters replaced by random ones in the same alphabetical order; # is kept."""
    letters = sorted({c for text in texts for c in text if c.isalpha()})
    others = dict(zip(letters, sorted(rng.permutation(LETTERS)[: len(letters)].tolist()), strict=True))
    return ["".join(others.get(c, c) for c in text) for text in texts]


def ids_of(pieces: list[str]) -> dict[str, int]:
    """Return {token: id}. The special tokens get the first ids, followed by `pieces`."""
    return {piece: i for i, piece in enumerate([*SPECIAL_TOKENS, *pieces])}


def encode_cases(rng: np.random.Generator) -> list[tuple]:
    texts = renamed(PIECES + WORDS, rng)
    vocab, words = ids_of(texts[: len(PIECES)]), texts[len(PIECES) :]
    whole = words[1]  # a token of three letters
    capital = ids_of([whole.upper(), whole, "##" + whole, *(f"##{c}" for c in whole.upper())])
    return [
        *((word, vocab, 200) for word in words),
        (whole.upper() * 2, capital),
        (whole + whole[0], ids_of([whole, "##" + whole[0]])),  # the token at the start is the longest
        (whole * 80, vocab, 2),
        (whole * 80, vocab),
        (whole, vocab, 3),
        (whole, vocab, 2),
        (whole * 2, vocab, 5),
        *unusual_words(whole, vocab),
    ]


def unusual_words(whole: str, vocab: dict[str, int]) -> list[tuple]:
    """Return test inputs with long words and tokens, a token with the id 0, and words without letters.

    whole: a word that is a single token of `vocab`, which maps tokens to ids.
    """
    long = whole * 14  # also a token
    return [
        (whole * 50, vocab),
        (whole * 66 + whole[:2], vocab),
        (whole * 67, vocab),  # 150 to 201
        (long * 2, ids_of([long, "##" + long])),
        (long + whole, ids_of([whole, "##" + long[3:], "##" + whole])),
        *(
            (whole * 2, {piece: i for i, piece in enumerate(pieces)})
            for pieces in ([whole, "##" + whole, *SPECIAL_TOKENS], ["##" + whole, whole, *SPECIAL_TOKENS])
        ),
        ("2026", ids_of(["20", "2", "##26", "##6"])),
        ("#", ids_of(["#"])),
        ("éé", ids_of(["é", "##é"]), 2),
    ]


def drawn_counts(rng: np.random.Generator, kinds: int = 7, letters: int = 4) -> dict[str, int]:
    """Return {word: random count} for about `kinds` random words made from `letters` different letters."""
    alphabet = rng.permutation(LETTERS)[:letters]
    words = {
        "".join(rng.choice(alphabet, size=int(rng.integers(1, 6)))): int(rng.integers(1, 9))
        for _ in range(kinds)
    }
    return words | {str(alphabet[0]) * 4: int(rng.integers(2, 9)), str(alphabet[1]): int(rng.integers(2, 9))}


def scores_cases(rng: np.random.Generator) -> list[tuple]:
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5, "u": 3, "huh": 2}
    counts = dict(zip(renamed(list(counts), rng), counts.values(), strict=True))
    letters = {word: score_mistakes.spelled(word) for word in counts}
    later = {
        word: score_mistakes.merged(split, split[0], split[1], score_mistakes.glued(split[0], split[1]))
        if len(split) > 2
        else split
        for word, split in letters.items()
    }
    drawn = drawn_counts(rng)
    first = next(iter(letters))
    crooked = [(letters | {first: split}, counts) for split in ([], 12 * letters[first])]
    return [
        (splits, times, score)
        for splits, times in (
            (letters, counts),
            (later, counts),
            *crooked,
            ({word: score_mistakes.spelled(word) for word in drawn}, drawn),
        )
        for score in ("frequency", "likelihood")
    ] + [
        (letters, counts),
        (letters, {word: 10**4 * n for word, n in counts.items()}, "frequency"),
        ({"abcdefgh": score_mistakes.spelled("abcdefgh")}, {"abcdefgh": 2}, "likelihood"),
        ({word: score_mistakes.spelled(word) for word in ("abcab" * 9, "cab")}, {"abcab" * 9: 2, "cab": 3}),
        ({}, {}),
        ({word: score_mistakes.spelled(word) for word in ("ab", "bac")}, {"ab": 1, "bac": 3}, "frequency"),
    ]


def often(case: tuple) -> tuple:
    """Return the arguments with ten thousand times as many words, so that likelihoods are close to 0."""
    counts, *rest = case
    return {word: 10**4 * count for word, count in counts.items()}, *rest


def train_cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs with word counts for which mistakes change the vocabulary, for both scores.

    Some have pairs with equal scores, a pair that occurs twice in a word or overlaps itself, or no pair left
    to merge.
    """
    cases: list[tuple] = []
    while len(cases) < 6:
        counts = drawn_counts(rng, kinds=12)
        full = len(trained(counts, 10**3, "frequency"))
        size = len(train_mistakes.beginning(counts))
        for score in ("frequency", "likelihood"):
            steady = train_mistakes.steady(counts, size + 6, score)
            if steady and full > size + 12:
                cases.append((counts, size + 6, score))
    ties = dict(
        zip(
            renamed(["ad", "abc", "bag", "gab", "dab", "ab", "efghijklmnop"], rng),
            (3, 3, 3, 2, 1, 2, 1),
            strict=True,
        )
    )
    again = dict(zip(renamed(["dabab", "caaac", "ab", "efghijklmnop"], rng), (6, 9, 1, 1), strict=True))
    few, least = (len(train_mistakes.beginning(counts)) for counts in (ties, again))
    return [
        (ties, few + 4, "frequency"),
        (again, least + 6, "frequency"),
        *cases,
        *map(often, cases[1::2]),  # those with likelihoods
        (ties, few + 4),
        (again, 10**3, "frequency"),
        (ties, few, "likelihood"),
        ({"abcdefgh" * 5: 3, "ab": 2}, 5 + 17 + 60),
    ]


def pack_cases(rng: np.random.Generator) -> list[tuple]:
    def ids(n):
        return rng.integers(5, 120_000, size=n).tolist()

    sizes = [
        (4, 3, 12),
        (4, None, 9),
        (9, 4, 12),
        (3, 9, 12),
        (7, 6, 12),
        (6, 7, 11),
        (7, 7, 12),
        (12, None, 9),
        (4, 5, 12),
        (2, 11, 9),
        (11, 2, 9),
        (5, None, 7),
        (4, 3, 4),
        (2, 2, 3),
        (4, 0, 9),
        (20, 9, 40),
        (9, None, 2),
        (1, None, 9),
        (4, 1, 12),
        (1, 1, 12),
        (1, 11, 9),
        (11, 1, 9),
        (1, None, 2),
        (0, None, 2),
        (2, 60, 9),
        (60, 2, 9),
        (20, 0, 9),
        (0, 20, 9),
    ]
    same = ids(1)
    return [
        *((ids(n), None if m is None else ids(m), length) for n, m, length in sizes),
        (4 * same, None, 9),
        (4 * same, 2 * same, 12),
    ]


def embedding_weights(
    rng: np.random.Generator, vocab_size: int, longest: int, hidden_size: int, dtype: type = np.float64
) -> dict[str, np.ndarray]:
    """Return random embedding tables and LayerNorm weights.

    Their names and shapes are word.weight (V, D), position.weight (longest, D), token_type.weight (2, D),
    norm.weight (D,) and norm.bias (D,).
    """
    sizes = {"word": vocab_size, "position": longest, "token_type": 2}
    weights: dict[str, np.ndarray] = {
        f"{name}.weight": rng.normal(size=(rows, hidden_size)).astype(dtype) for name, rows in sizes.items()
    }
    norm = {
        "norm.weight": 1 + rng.normal(size=hidden_size) / 2,
        "norm.bias": rng.normal(size=hidden_size) / 2,
    }
    return weights | {name: value.astype(dtype) for name, value in norm.items()}


def embed_cases(rng: np.random.Generator) -> list[tuple]:
    def row(B, T, V):
        starts = 1 + (np.arange(B) + rng.integers(T)) % T  # the start of segment B, different in each row
        types = np.arange(T) >= starts[:, None]
        return rng.integers(V, size=(B, T)), types.astype(np.int64)

    flat, loud = embedding_weights(rng, 5, 4, 6), embedding_weights(rng, 9, 6, 4)
    flat = {
        name: np.zeros_like(table) if not name.startswith("norm") else table for name, table in flat.items()
    }
    return [
        (*row(2, 5, 13), embedding_weights(rng, 13, 9, 6), 1e-12),
        (*row(1, 4, 11), embedding_weights(rng, 11, 4, 8), 0.5),
        (*row(3, 2, 7), embedding_weights(rng, 7, 6, 4, np.float32), 1e-5),
        (*row(1, 3, 5), flat),
        (
            *row(2, 3, 7),
            {
                name: table if name.startswith("norm") else 1e-6 * table
                for name, table in embedding_weights(rng, 7, 5, 8).items()
            },
        ),
        (*row(2, 4, 7), embedding_weights(rng, 7, 6, 4, np.float32), 0.5),
        (*row(2, 5, 9), embedding_weights(rng, 9, 6, 4), 0.5),
        (*row(2, 5, 9), loud | {"position.weight": 1e6 * loud["position.weight"]}),
    ]


TEXTS = (
    "Straße und Fluß, {0}: groß und groß",
    "Le café de {0} est où? L'été à Nîmes...",
    "Hug the pug, {0}!",
    "{0} 我爱猫 and 猫 too",
    "ÜBER{0}mut tut selten gut 🤗🤗 gut",
    "don't-stop {0}\tnow\n2026-11-21",
    "שלום {0} Ελλάδα ΟΔΟΣ",
)


def tokenize_cases(rng: np.random.Generator) -> list[tuple]:
    words = ["".join(rng.choice(list("gutehspña"), size=int(rng.integers(3, 8)))) for _ in TEXTS]
    texts = [text.format(word) for text, word in zip(TEXTS, words, strict=True)]
    vocab = trained(count_words(texts[:6]), 150)
    # words of 27, 120 and 201 letters, and a long text
    long = ["gut" * 9, "gut" * 40, "gut" * 67, texts[2] * 99]
    return [(text, vocab) for text in texts] + [
        ("", vocab),
        (texts[-1], vocab[::-1]),
        *((text, vocab) for text in long),
    ]
