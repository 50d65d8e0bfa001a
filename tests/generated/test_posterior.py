"""The exact posterior, against all documents of a small language and against what the large one writes."""

from collections import defaultdict

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.posterior.counting import marginal, probability, rows_in, ways
from minibert.generated.posterior.reader import Reader
from minibert.generated.sentences.plans import Language, kind, say
from minibert.generated.sentences.sorts import POOLS, Pool, Ref, Sort, one, place_name, rows_of, texts
from minibert.generated.writer.documents import Author
from minibert.generated.writer.draws import early_shares
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

# ---- a language small enough to list: two kinds, two people, a town, a story, names that are also pieces of
# other names ----

PEOPLE = Sort(
    "person",
    "PER",
    rows_of("gender", "gender")
    | {
        "first": one("first", "first"),
        "last": one("last", "base"),
        "home": place_name("home"),
        "trade": one("trade", "work", "trade"),
        "tool": one("trade", "work", "tool"),
        "dream": one("dream", "work", "trade"),
    },
    alias="trade",
)
PLACE = Sort(
    "town",
    "LOC",
    rows_of("thing", "thing") | {"name": place_name("name"), "sort": one("sort", "sorts")},
    alias="sort",
)
STORY = Sort("story", None, {"finder": Ref(("A", "B"), "finder"), "day": one("day", "days", label="DATE")})
FAMILIES = {
    "tell": {
        "trade": ("{X} is {a trade}.", "{X} owns {a tool}.", "The {tool} is {X's}."),
        "home": ("{X} lives in {home}.", "{home} likes {N}.", "{X's} town is {home}."),
    },
    "again": {
        "trade": ("{X} has the {tool}, not {a dream}.", "{X} is no {dream}."),
        "home": ("{N} left {home}.", "{X} is at home."),
    },
    "meet": {"": ("{X} knows {Y}.", "{Y} and {N} met.")},
    "find": {"": ("On {D.day} {D.finder} found it.", "{X} saw {D.finder}.")},
    "town": {"": ("{X} is a {sort}.", "It rains on {N}.", "{X} is {X's} own.")},
}
SMALL = {
    pool.name: pool
    for pool in (
        POOLS["style"],
        POOLS["gender"],
        POOLS["thing"],
        Pool("work", ("trade", "tool"), (("baker", "oven"), ("smith", "anvil"), ("artist", "oven brush"))),
        Pool("prefix", ("text",), (("",), ("Old",)), (0.75, 0.25)),
        texts("days", ("may", "1 may"), (0.4, 0.6)),
        texts("sorts", ("town", "port"), (0.5, 0.5)),
        texts("facts", ("trade", "home")),
    )
}
TALE = kind(
    "tale",
    {"A": PEOPLE, "B": PEOPLE, "D": STORY},
    {
        "A1": say("tell", "A", variable="1"),
        "B1": say("tell", "B", variable="1"),
        "a1": say("again", "A", variable="1"),
        "A2": say("tell", "A", variable="2"),
        "M": say("meet", "A", Y="B"),
        "F": say("find", "A", D="D"),
    },
    {"A1 M": 1, "A1 B1": 2, "A1 a1": 1, "M F": 1, "A2 A1": 1},
    {"1": "facts", "2": "facts"},
)
VISIT = kind(
    "visit",
    {"T": PLACE, "A": PEOPLE},
    {"T": say("town", "T"), "H": say("tell", "A", "home"), "h": say("again", "A", "home")},
    {"T T": 1, "T H": 2, "H T": 1, "H h": 1, "T H h": 1},
    {},
    {("A", "home"): ("T", "name")},
)
TINY = Language(((0.6, TALE), (0.4, VISIT)), FAMILIES, SMALL)
NAMES = {
    "base": texts("base", ("Ash", "Hill", "Ash Hill", "Lo")),
    "first": texts("first", ("Mi", "Lo")),
    "pet": texts("pet", ("Pip",)),
}
VOCAB = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] . ' s a an is owns the town lives in likes has not no left at home "
    "knows and met on "
    "found it saw port rains own baker smith artist oven anvil brush old ash hill mi lo she her he his "
    "him its may 1 pip ,"
).split()
TOKENS = FastWordPiece(VOCAB)
S = TOKENS.specials


class Script:
    """Draws that follow a script of choices, note how many options each had, and how likely the script is."""

    def __init__(self, script):
        self.script, self.options, self.probability = script, [], 1.0

    def _choose(self, shares):
        at = self.script[len(self.options)] if len(self.options) < len(self.script) else 0
        self.options.append(len(shares))
        self.probability *= shares[at]
        return at

    def index(self, count):
        return self._choose([1 / count] * count)

    def early(self, count):
        return self._choose(early_shares(count))

    def weighted(self, sums):
        return self._choose((np.diff([0, *sums]) / sums[-1]).tolist())

    def fresh(self, count, taken):
        free = [row for row in range(count) if row not in taken]
        return free[self._choose([1 / len(free)] * len(free))]


def every_document(language, pools):
    """(sentences, probability) of every document, by following every script."""
    script, found = [], []
    while script is not None:
        draws = Script(script)
        page = Author(language, pools, draws).write()
        found.append((tuple(page.sentences), draws.probability))
        script = (script + [0] * len(draws.options))[: len(draws.options)]
        while script and script[-1] == draws.options[len(script) - 1] - 1:
            script.pop()
        if script:
            script[-1] += 1
        else:
            script = None
    return found


class TinyWorld(World):
    def pools(self, split):
        return NAMES | self.language.pools


@pytest.fixture(scope="module")
def tiny():
    world = TinyWorld(0, TINY)
    documents = defaultdict(float)
    for sentences, probability_ in every_document(TINY, world.pools("train")):
        documents[sentences] += probability_
    return Reader(world, lambda text: TOKENS.encode(text).ids, S), dict(documents)


def ids_of(*segments):
    return (
        S.cls,
        *(token for sentences in segments for token in [*TOKENS.encode(" ".join(sentences)).ids, S.sep]),
    )


def brute(rows, seen, hidden):
    """Hidden position -> piece -> probability over all (row, weight) that agree with what is seen."""
    found, total = defaultdict(lambda: defaultdict(float)), 0.0
    for row, weight in rows:
        if len(row) == len(seen) and all(
            a == b or gone for a, b, gone in zip(row, seen, hidden, strict=True)
        ):
            total += weight
            for position in np.flatnonzero(hidden):
                found[position][row[position]] += weight
    return {p: {piece: weight / total for piece, weight in pieces.items()} for p, pieces in found.items()}


def assert_equal(found, expected):
    assert set(found) == set(expected)
    for position, shares in expected.items():
        assert {piece for piece, share in found[position].items() if share > 1e-15} == set(shares)
        for piece, share in shares.items():
            assert found[position][piece] == pytest.approx(share, abs=1e-9), (position, TOKENS.vocab[piece])


def examples(documents, count, seed, least=0.0):
    """Documents drawn with their probability."""
    rng = np.random.default_rng(seed)
    texts_, weights = zip(*documents.items(), strict=True)
    for at in rng.choice(len(texts_), count, p=np.array(weights) / sum(weights)):
        yield texts_[at], rng


def hide(ids, rng, rate):
    special = np.isin(ids, S.ids)
    hidden = (rng.random(len(ids)) < rate) & ~special
    return hidden if hidden.any() else ~special


def test_the_small_language_is_no_toy_and_its_probabilities_sum_to_one(tiny):
    documents = tiny[1]
    assert len(documents) > 3000 and sum(documents.values()) == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.15, 0.4, 0.8, 1.0])
def test_the_posterior_of_a_document_is_that_over_all_documents(tiny, rate):
    reader, documents = tiny
    rows = [(ids_of(text), weight) for text, weight in documents.items()]
    for text, rng in examples(documents, 25, seed=int(100 * rate)):
        ids = ids_of(text)
        hidden = hide(ids, rng, rate)
        assert_equal(reader.best_mlm(np.array(ids), hidden), brute(rows, ids, hidden))


def cuts(text):
    return [(text[:k], text[k:]) for k in range(1, len(text))]


def pair_rows(documents):
    """(row, weight) with B the rest of A's document, and with B the rest of another, as in `split_pairs`."""
    together, heads, rests = defaultdict(float), defaultdict(float), defaultdict(float)
    for text, weight in documents.items():
        for head, rest in cuts(text):
            share = weight / (len(text) - 1)
            together[ids_of(head, rest)] += share
            heads[tuple(TOKENS.encode(" ".join(head)).ids)] += share
            rests[tuple(TOKENS.encode(" ".join(rest)).ids)] += share
    return together, heads, rests


def test_the_posterior_of_a_pair_weighs_both_ways_to_have_come_about(tiny):
    reader, documents = tiny
    together, heads, rests = pair_rows(documents)
    for number, (text, rng) in enumerate(examples(documents, 40, seed=7)):
        other = next(examples(documents, 1, seed=1000 + number))[0]
        head, rest = text[:1], (text if number % 2 else other)[1:]
        ids = ids_of(head, rest)
        hidden = hide(ids, rng, 0.3)
        cut = ids.index(S.sep)

        def fitting(parts, start, stop, ids=ids, hidden=hidden):
            return [
                (row, w)
                for row, w in parts.items()
                if len(row) == stop - start
                and all(row[i] == ids[start + i] or hidden[start + i] for i in range(len(row)))
            ]

        apart = [
            ((S.cls, *a, S.sep, *b, S.sep), 0.5 * v * w)
            for a, v in fitting(heads, 1, cut)
            for b, w in fitting(rests, cut + 1, len(ids) - 1)
        ]
        rows = [(row, 0.5 * weight) for row, weight in together.items()] + apart
        assert_equal(reader.best_mlm(np.array(ids), hidden), brute(rows, ids, hidden))


def test_the_next_sentence_posterior_is_that_over_all_pairs(tiny):
    reader, documents = tiny
    together, heads, rests = pair_rows(documents)
    for number, (text, _) in enumerate(examples(documents, 60, seed=8)):
        other = next(examples(documents, 1, seed=2000 + number))[0]
        head, rest = text[:1], (text if number % 2 else other)[1:]
        ids = ids_of(head, rest)
        cut = ids.index(S.sep)
        apart = heads[ids[1:cut]] * rests[ids[cut + 1 : -1]]
        assert reader.best_next(np.array(ids)) == pytest.approx(apart / (apart + together[ids]), abs=1e-9)


def test_the_order_posterior_is_that_over_all_documents(tiny):
    reader, documents = tiny
    together, _, _ = pair_rows(documents)
    seen = set()
    for number, (text, _) in enumerate(examples(documents, 60, seed=9)):
        head, rest = (text[:1], text[1:]) if number % 2 else (text[1:], text[:1])
        ids, back = ids_of(head, rest), ids_of(rest, head)
        expected = together.get(back, 0) / (together.get(ids, 0) + together.get(back, 0))
        assert reader.best_order(np.array(ids)) == pytest.approx(expected, abs=1e-9)
        seen.add(0 < expected < 1)
    assert seen == {True, False}


def test_the_left_to_right_posterior_knows_no_more_than_the_left(tiny):
    reader, documents = tiny
    rows = [(ids_of(text), weight) for text, weight in documents.items()]
    for text, rng in examples(documents, 25, seed=10):
        ids = ids_of(text)
        position = int(rng.integers(1, len(ids) - 1))
        expected = defaultdict(float)
        for row, weight in rows:
            if row[:position] == ids[:position]:
                expected[row[position]] += weight
        found = reader.best_left(np.array(ids), position)
        total = sum(expected.values())
        assert {piece for piece, share in found.items() if share > 1e-15} == set(expected)
        assert all(
            found[piece] == pytest.approx(weight / total, abs=1e-9) for piece, weight in expected.items()
        )


# ---- counting ----


def test_ways_are_counted_as_by_hand():
    rng = np.random.default_rng(0)
    for _ in range(200):
        masks = tuple(int(mask) for mask in rng.integers(0, 64, rng.integers(1, 5)))

        def count(masks, taken=0):
            return (
                1
                if not masks
                else sum(count(masks[1:], taken | 1 << row) for row in rows_in(masks[0] & ~taken))
            )

        assert ways(masks) == count(masks)


def test_marginals_agree_with_the_ways():
    pool = texts("letters", tuple("abcdef"))
    masks = (0b111, 0b011, 0b110100)
    for at, mask in enumerate(masks):
        shares = marginal(pool, masks, at)
        for row in rows_in(mask):
            fixed = (*masks[:at], 1 << row, *masks[at + 1 :])
            assert shares.get(row, 0) == pytest.approx(ways(fixed) / ways(masks))
    assert probability(pool, masks) == pytest.approx(ways(masks) / 120)
    assert probability(Pool("w", ("text",), (("x",), ("y",)), (0.25, 0.75)), (0b10, 0b10)) == 0.75**2


# ---- the large language ----


@pytest.fixture(scope="module")
def large():
    world = World(0)
    documents = list(world.documents(600, seed=1, split="pretrain"))
    tokens = FastWordPiece(train_wordpiece(count_words(s for d in documents for s in d.sentences), 1500))
    return world, tokens, Reader(world, lambda text: tokens.encode(text).ids, tokens.specials)


def test_every_document_can_be_read_and_every_truth_is_possible(large):
    world, tokens, reader = large
    rng = np.random.default_rng(1)
    for document in world.documents(150, seed=5, split="pretrain"):
        ids = np.array([tokens.specials.cls, *tokens.encode(document.text).ids, tokens.specials.sep])
        hidden = (rng.random(len(ids)) < 0.15) & ~np.isin(ids, tokens.specials.ids)
        for position, shares in reader.best_mlm(ids, hidden).items():
            assert shares[ids[position]] > 0 and sum(shares.values()) == pytest.approx(1)


def test_the_posterior_is_calibrated(large):
    """Where the best answer has probability p, it is right in a share p of the cases."""
    world, tokens, reader = large
    rng = np.random.default_rng(2)
    promised, right = [], []
    for document in world.documents(150, seed=6, split="pretrain"):
        ids = np.array([tokens.specials.cls, *tokens.encode(document.text).ids, tokens.specials.sep])
        hidden = (rng.random(len(ids)) < 0.15) & ~np.isin(ids, tokens.specials.ids)
        for position, shares in reader.best_mlm(ids, hidden).items():
            best = max(shares, key=shares.get)
            promised.append(shares[best])
            right.append(best == ids[position])
    promised, right = np.array(promised), np.array(right, float)
    error = (promised * (1 - promised)).sum() ** 0.5  # standard deviation of the sum
    assert abs((right - promised).sum()) < 3 * error
    assert 0.5 < promised.mean() < 0.98


def test_rows_of_another_form_are_refused(large):
    _, tokens, reader = large
    s = tokens.specials
    ids = np.array([s.cls, *tokens.encode("Here is a riddle.").ids, s.sep])
    with pytest.raises(ValueError, match="position 0 is a special token"):
        reader.best_mlm(ids, np.arange(len(ids)) == 0)
    with pytest.raises(ValueError, match="a sequence must be"):
        reader.best_mlm(ids[:-1], np.zeros(len(ids) - 1, bool))
    with pytest.raises(ValueError, match="cannot generate"):
        reader.best_mlm(ids, np.arange(len(ids)) == 2)
