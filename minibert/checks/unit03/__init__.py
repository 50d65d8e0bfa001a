"""Unit 03, input: the inputs and known mistakes that each answer is held against.

Wu et al. (2016, arXiv 1609.08144), section 4.1, for the greedy match; Sennrich et al. (2016, arXiv
1508.07909), section 3.2, for joining pairs; Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2,
for rows and embeddings. Axes: B batch, T tokens, D hidden, V vocabulary. They differ in every input, and
letters are drawn anew, so that a hidden check asks for other words.
"""
import numpy as np

from minibert import reference
from minibert.batch import SPECIAL_TOKENS, Specials, collate, pack
from minibert.reference.packing import truncate_pair
from minibert.tokenizer import BasicTokenizer, WordPiece, count_words
from minibert.tokenizer.basic import runs, split_punctuation, strip_accents
from minibert.tokenizer.train import Pairs
from minibert.tokenizer.train import train_wordpiece as trained

from ..engine.base import Exercise, Invariant
from ..engine.compare import agree, describe
from ..engine.guard import CheckFailed, lending, unwritten
from ..engine.planted import planted
from . import (
    bug_hunt,
    embed_mistakes,
    pack_mistakes,
    score_mistakes,
    text_mistakes,
    train_mistakes,
    wordpiece_mistakes,
)
from .hints import HINTS

SMALL = text_mistakes.SMALL      # the vocabulary that `revealing_words` is about
LETTERS = list("bcdfghjklmnpqrstvwxyzäéøßçñабвгдежзик")     # any but those of the templates below
PIECES = (
    "a b c abc ab d e f ##a ##b ##c ##bc ##ab ##cab ##abc ##d ##de ##e ##f ##fab un una ##able ##x").split()
WORDS = ("abcfab abc abcab abca ab ba a aab abcde bcab deed une unable unite cabx xab fabe ax aaaa effab "
         "cde dedede fabfab").split()


def renamed(texts, rng):
    """The texts with every letter replaced by another one, the same everywhere and in the same order; #
    stays.
    """
    letters = sorted({c for text in texts for c in text if c.isalpha()})
    others = dict(zip(letters, sorted(rng.permutation(LETTERS)[:len(letters)].tolist()), strict=True))
    return ["".join(others.get(c, c) for c in text) for text in texts]


def ids_of(pieces):
    """piece -> id, the special tokens first."""
    return {piece: i for i, piece in enumerate([*SPECIAL_TOKENS, *pieces])}


def right_encode(word, vocab, longest=200):
    """Without the package's own tokenizer, which must stay unusable where this one is lent."""
    return wordpiece_mistakes.PLAIN(word, vocab, longest)


def encode_cases(rng):
    texts = renamed(PIECES + WORDS, rng)
    vocab, words = ids_of(texts[:len(PIECES)]), texts[len(PIECES):]
    whole = words[1]                                                            # a piece of three letters
    capital = ids_of([whole.upper(), whole, "##" + whole, *(f"##{c}" for c in whole.upper())])
    return [*((word, vocab, 200) for word in words), (whole.upper() * 2, capital), (whole * 80, vocab, 2),
            (whole * 80, vocab),
            (whole, vocab, 3), (whole, vocab, 2), (whole * 2, vocab, 5)]


wordpiece_encode = Exercise(
    "wordpiece_encode", ("word", "vocab", "longest"), encode_cases, right_encode,
    hints=HINTS["wordpiece_encode"], mistakes=wordpiece_mistakes.ENCODE, implementations=(WordPiece.match,),
    invariants=(
        Invariant("without ##, the pieces side by side are the word", lambda f, rng: "".join(
            f("abcab", ids_of(PIECES), 200)).replace("##", "") == "abcab"),
        Invariant("a word of the vocabulary stays whole",
                  lambda f, rng: list(f("abc", ids_of(PIECES), 200)) == ["abc"])))


def right_scores(splits, counts, score="frequency"):
    return score_mistakes.scored(splits, counts, score)


def drawn_counts(rng, kinds=7, letters=4):
    """Words over a few letters with how often each occurs; the same pair may come twice in a word."""
    alphabet = rng.permutation(LETTERS)[:letters]
    words = {"".join(rng.choice(alphabet, size=int(rng.integers(1, 6)))): int(rng.integers(1, 9))
             for _ in range(kinds)}
    return words | {str(alphabet[0]) * 4: int(rng.integers(2, 9)), str(alphabet[1]): int(rng.integers(2, 9))}


def scores_cases(rng):
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5, "u": 3, "huh": 2}
    counts = dict(zip(renamed(list(counts), rng), counts.values(), strict=True))
    letters = {word: score_mistakes.spelled(word) for word in counts}
    later = {word: score_mistakes.joined(split, split[0], split[1]) if len(split) > 2 else split
             for word, split in letters.items()}
    drawn = drawn_counts(rng)
    return [(splits, times, score) for splits, times in ((letters, counts), (later, counts),
            ({word: score_mistakes.spelled(word) for word in drawn}, drawn))
            for score in ("frequency", "likelihood")]


pair_scores = Exercise(
    "pair_scores", ("splits", "counts", "score"), scores_cases, right_scores, hints=HINTS["pair_scores"],
    mistakes=score_mistakes.SCORES_OF_PAIRS, implementations=(Pairs.count, Pairs.rank, Pairs.best),
    invariants=(
        Invariant("a word of one piece has no pair",
                  lambda f, rng: dict(f({"a": ["a"]}, {"a": 3}, "frequency")) == {}),
        Invariant("one word of two pieces has one pair, as often as the word", lambda f, rng: dict(
            f({"ab": ["a", "##b"]}, {"ab": 3}, "frequency")) == {("a", "##b"): 3})))


def right_train(counts, vocab_size, score="frequency"):
    return trained(counts, vocab_size, score)


def train_cases(rng):
    """Corpora in which equal scores come up, a pair comes twice in a word or overlaps itself, and joins run
    out; both scores.
    """
    cases = []
    while len(cases) < 6:
        counts = drawn_counts(rng, kinds=12)
        full = len(trained(counts, 10 ** 3, "frequency"))
        size = len(train_mistakes.beginning(counts))
        for score in ("frequency", "likelihood"):
            steady = train_mistakes.steady(counts, size + 6, score)
            if steady and full > size + 12:
                cases.append((counts, size + 6, score))
    ties = dict(zip(renamed(["ad", "abc", "bag", "gab", "dab", "ab", "efghijklmnop"], rng),
                    (3, 3, 3, 2, 1, 2, 1), strict=True))
    again = dict(zip(renamed(["dabab", "caaac", "ab", "efghijklmnop"], rng), (6, 9, 1, 1), strict=True))
    few, least = (len(train_mistakes.beginning(counts)) for counts in (ties, again))
    return [(ties, few + 4, "frequency"), (again, least + 6, "frequency"), *cases, (ties, few + 4),
            (again, 10 ** 3, "frequency"),
            (ties, few, "likelihood")]


train_wordpiece = Exercise(
    "train_wordpiece", ("counts", "vocab_size", "score"), train_cases, right_train,
    hints=HINTS["train_wordpiece"],
    mistakes=train_mistakes.TRAIN, builds_on=(pair_scores,),
    implementations=(trained, Pairs.count, Pairs.rank, Pairs.best, Pairs.merge), invariants=(
        Invariant("the five special tokens come first", lambda f, rng: tuple(
            f({"ab": 1}, 12, "frequency"))[:5] == SPECIAL_TOKENS),
        Invariant("no piece comes twice",
                  lambda f, rng: len(set(f({"abab": 2, "ab": 1}, 40, "frequency"))) == len(
            f({"abab": 2, "ab": 1}, 40, "frequency")))))


revealing_words = Exercise(
    "revealing_words", (), lambda rng: [()], hints=HINTS["revealing_words"], invariants=(
        Invariant("a list of at most six words", text_mistakes.few_words),
        *text_mistakes.REVEALED))


def right_pack(a, b, max_length):
    room = max_length - (2 if b is None else 3)
    a, b = (list(a)[:room], None) if b is None else truncate_pair(a, b, room)
    batch = collate([(a, b)], Specials(), length=max_length)
    return batch.input_ids[0], batch.token_type_ids[0], batch.real[0]


def pack_cases(rng):
    def ids(n):
        return rng.integers(5, 900, size=n).tolist()
    sizes = [(4, 3, 12), (4, None, 9), (9, 4, 12), (3, 9, 12), (7, 6, 12), (6, 7, 11), (7, 7, 12),
             (12, None, 9),
             (4, 5, 12), (2, 11, 9), (11, 2, 9), (5, None, 7)]
    return [(ids(n), None if m is None else ids(m), length) for n, m, length in sizes]


pack_pair = Exercise(
    "pack_pair", ("a", "b", "max_length"), pack_cases, right_pack, hints=HINTS["pack_pair"],
    mistakes=pack_mistakes.PACK, implementations=(truncate_pair, pack, collate), invariants=(
        Invariant("every row has exactly max_length places", lambda f, rng: all(
            np.shape(part) == (9,) for part in f(list(range(5, 20)), [5, 6], 9))),
        Invariant("what is cut from a pair is cut from the longer one", lambda f, rng: np.asarray(
            f([5] * 9, [6, 7], 9)[0]).tolist() == [2, 5, 5, 5, 5, 3, 6, 7, 3])))


def right_embed(input_ids, token_type_ids, weights, eps=1e-12):
    return reference.embeddings(input_ids, token_type_ids, weights, eps)


def embedding_weights(rng, vocab_size, longest, hidden_size, dtype=np.float64):
    """Random tables: word.weight (V, D), position.weight (longest, D), token_type.weight (2, D), norm.weight
    and .bias (D,).
    """
    sizes = {"word": vocab_size, "position": longest, "token_type": 2}
    weights = {f"{name}.weight": rng.normal(size=(rows, hidden_size)).astype(dtype)
               for name, rows in sizes.items()}
    norm = {"norm.weight": 1 + rng.normal(size=hidden_size) / 2,
            "norm.bias": rng.normal(size=hidden_size) / 2}
    return weights | {name: value.astype(dtype) for name, value in norm.items()}


def embed_cases(rng):
    def row(B, T, V):
        types = np.arange(T) >= rng.integers(1, T, size=(B, 1))                 # segment B begins somewhere
        return rng.integers(V, size=(B, T)), types.astype(np.int64)
    flat = embedding_weights(rng, 5, 4, 6)
    flat = {name: np.zeros_like(table) if not name.startswith("norm") else table
            for name, table in flat.items()}
    return [(*row(2, 5, 13), embedding_weights(rng, 13, 9, 6), 1e-12),
            (*row(1, 4, 11), embedding_weights(rng, 11, 4, 8), 0.5),
            (*row(3, 2, 7), embedding_weights(rng, 7, 6, 4, np.float32), 1e-5), (*row(1, 3, 5), flat)]


embed = Exercise(
    "embed", ("input_ids", "token_type_ids", "weights", "eps"), embed_cases, right_embed,
    hints=HINTS["embed"], mistakes=embed_mistakes.EMBED, implementations=(reference.embeddings,), invariants=(
        Invariant("the same token at another place gets another vector", lambda f, rng: not np.allclose(*f(
            np.array([[3, 3]]), np.zeros((1, 2), int), embedding_weights(rng, 5, 4, 6), 1e-12)[0])),))


basic_words = planted(
    "basic_words", ("text",), bug_hunt.cases, bug_hunt.version, bug_hunt.BROKEN, bug_hunt.KEPT,
    implementations=(BasicTokenizer.split, runs, strip_accents, split_punctuation),
    hints=HINTS["basic_words"])

TEXTS = ("Le café de {0} est où? L'été à Nîmes...", "Hug the pug, {0}!", "{0} 我爱猫 and 猫 too",
         "ÜBER{0}mut tut selten gut 🤗🤗 gut",
         "don't-stop {0}\tnow\n2026-11-21", "שלום {0} Ελλάδα ΟΔΟΣ")


def right_tokenize(text, vocab):
    return WordPiece(vocab).encode(text).ids


def tokenize_cases(rng):
    words = ["".join(rng.choice(list("gutehspña"), size=int(rng.integers(3, 8)))) for _ in TEXTS]
    texts = [text.format(word) for text, word in zip(TEXTS, words, strict=True)]
    vocab = trained(count_words(texts[:5]), 140)
    return [(text, vocab) for text in texts] + [("", vocab), (texts[-1], vocab[::-1])]


tokenize = Exercise(
    "tokenize", ("text", "vocab"), tokenize_cases, right_tokenize, hints=HINTS["tokenize"],
    mistakes=text_mistakes.TOKENIZE, builds_on=(wordpiece_encode,),
    implementations=(WordPiece.match, WordPiece.encode, WordPiece._encoding))

LEAST_TEXT = 200        # characters of the student's own text: enough for pairs that come again


def own_text(my_text, train, encode):
    """Train and encode the student's own text with her functions and with ours, and hold the two together.

    my_text: her function without arguments; train, encode: her `train_wordpiece` and `tokenize`. What they
    build on and does not pass its own check is lent, as in every check.
    """
    __tracebackhide__ = True
    for_train, for_encode = train_wordpiece._lent(train, 0), tokenize._lent(encode, 0)
    try:
        text = my_text()
        if text is None:
            raise CheckFailed("my_text: it returns None. Is the `return` missing?")
        if not isinstance(text, str) or len(text) < LEAST_TEXT:
            size = f"{len(text)} characters" if isinstance(text, str) else describe(text)
            raise CheckFailed(f"my_text: your text is {size}; take at least {LEAST_TEXT} characters, in any "
                              f"languages you like.")
        counts = count_words([text])
        ours = trained(counts, len(train_mistakes.beginning(counts)) + 40)
        with lending(train, for_train):
            vocab = train(dict(counts), len(ours))
        with lending(encode, for_encode):
            ids = encode(text, ours)
    except NotImplementedError as error:
        raise CheckFailed(f"my_text: {unwritten(error, my_text)}") from None
    right = right_tokenize(text, ours)
    for name, got, expected in (("vocabulary", vocab, ours), ("ids", ids, right)):
        if not agree(got, expected):
            raise CheckFailed(
                f"my_text: your {name} and the package's differ on your text. Do all checks above pass?")
    print(f"my_text: passed. {len(text)} characters, {counts.total()} words, {len(right)} pieces of a "
          f"vocabulary of {len(ours)}: "
          "your tokenizer and the package's agree in every one.")
