"""Check the exercises of unit 08, tagging.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7; Tjong Kim Sang and De Meulder (2003, arXiv
cs/0306050), section 2. Axes: B batch, T tokens, D hidden, L layers. Their sizes differ in every input.
Sentences and tags are random.
"""

from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.analysis import layers
from minibert.data import tagging
from minibert.data.batch import IGNORE

from ..checks.compare import close
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import align_mistakes, bug_hunt, decode_mistakes, f1_mistakes, layer_mistakes, versions
from .hints import HINTS

KINDS = ("PER", "LOC", "ORG", "WORK-OF-ART")
ALIKE = (  # types that are a part of another type, or that contain a prefix such as "B-"
    "B-ART I-WORK-OF-ART O",
    "B-WORK-OF-ART I-ART I-ART",
    "B-PER I-SUPER I-PER",
    "B-LOC I-LOCATION",
    "B-WEB-SITE I-WEB-SITE I-WEB-SITE I-WEB-SITE",
    "O B-BIRD I-BIRD B-I I-I",
    "I-PER I-PER I-PER I-PER O I-PER",
    "B-PER I-PER I-PER B-PER I-PER I-PER I-PER",
)


def pieces_of(
    rng: np.random.Generator, words: int, missing: tuple[int, ...] = (), padding: int = 0
) -> list[int | None]:
    """Return each token's word index, or None for special tokens and padding.

    words: the number of words, each with 1 to 4 tokens. missing: the indices of words without tokens.
    padding: the number of padding tokens.
    """
    row = [word for word in range(words) if word not in missing for _ in range(int(rng.integers(1, 5)))]
    return [None, *row, None, *[None] * padding]


def align_cases(rng: np.random.Generator) -> list[tuple]:
    def labels(count):
        return rng.integers(0, 9, size=count).tolist()

    cut = pieces_of(rng, 8)[:9]  # a sequence that ends inside the sentence
    return [
        ([None, 0, 1, 1, 1, 2, 2, None], [3, 5, 0]),
        (pieces_of(rng, 7), labels(7)),
        (pieces_of(rng, 6, missing=(1, 4), padding=3), labels(6)),
        ([*cut, None], labels(8)),
        ([None, 0, None], [1]),
        ([None, None], []),
        ([None, 0, 0, 0, None, None], [7]),
        ([None, 0, 1, 1, 2, 3, 3, 3, 3, 3, 4, None], [4, 4, 0, 0, 4]),
        ([None, 5, 5, 9, None], list(range(10))),
        ([None, 5, 60, 60, 71, None], list(range(80))),
        (pieces_of(rng, 45, padding=3), labels(45)),
    ]


def one_label_a_word(f: Callable, rng: np.random.Generator) -> bool:
    row = np.asarray(f([None, 0, 0, 1, 2, 2, 2, None], [4, 0, 6]))
    return (row != IGNORE).sum() == 3


align_labels = Exercise(
    "align_labels",
    ("word_ids", "labels"),
    align_cases,
    tagging.align_labels,
    examples=(
        (
            ([None, 0, 0, 1, 2, 2, 3, None], [3, 0, 1, 0]),
            [IGNORE, 3, IGNORE, 0, 1, IGNORE, 0, IGNORE],
        ),
    ),
    whole=True,
    hints=HINTS["align_labels"],
    mistakes=align_mistakes.ALIGN,
    invariants=(
        Invariant("each word has exactly one label that counts", one_label_a_word),
        Invariant(
            "a sequence of special tokens has no label that counts",
            lambda f, rng: list(f([None, None, None], [])) == [IGNORE] * 3,
        ),
    ),
)


def drawn_tags(rng: np.random.Generator, words: int, legal: bool = False) -> list[str]:
    """Return random BIO tags for a sentence; if `legal`, each I- tag follows a tag of the same type."""
    tags: list[str] = []
    for _ in range(words):
        tag = str(rng.choice(["O", "O", *(f"{edge}-{kind}" for kind in KINDS[:3] for edge in "BI")]))
        if legal and tag[0] == "I" and (not tags or tags[-1][2:] != tag[2:]):
            tag = "B" + tag[1:]
        tags.append(tag)
    return tags


def decode_cases(rng: np.random.Generator) -> list[tuple]:
    a, b, c = rng.permutation(KINDS[:3]).tolist()
    texts = (
        f"B-{a} I-{a} O B-{b} O",
        f"B-{a} B-{a} I-{a} O B-{c} I-{c} I-{c}",
        f"O I-{b} I-{b} O",
        f"B-{c} I-{a} I-{a} O I-{a}",
        f"I-{c} B-{c} O B-{a} B-{b} B-{c} I-{c} O",
        f"O O B-{KINDS[3]} I-{KINDS[3]} O",
        "O O O",
        f"I-{b}",
        f"B-{a}",
    )
    return [
        *((text.split(),) for text in (*texts, *ALIKE)),
        ([],),
        *((drawn_tags(rng, 12),) for _ in range(3)),
    ]


def tags_of(entities: list[tuple[str, int, int]], words: int) -> list[str]:
    """Return the BIO tags of a sentence of `words` words with the given entities.

    entities: (type, index of the first word, index of the last word) for each.
    """
    tags = ["O"] * words
    for kind, first, last in entities:
        tags[first : last + 1] = [f"B-{kind}", *[f"I-{kind}"] * (last - first)]
    return tags


def there_and_back(f: Callable, rng: np.random.Generator) -> bool:
    return all(
        tags_of(f(list(tags)), 12) == tags for tags in (drawn_tags(rng, 12, legal=True) for _ in range(5))
    )


decode_entities = Exercise(
    "decode_entities",
    ("tags",),
    decode_cases,
    tagging.decode_entities,
    examples=(
        (
            (["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"],),
            [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)],
        ),
    ),
    free=("tags",),
    whole=True,
    hints=HINTS["decode_entities"],
    mistakes=decode_mistakes.DECODE,
    invariants=(
        Invariant("a sentence tagged O throughout has no entities", lambda f, rng: len(f(["O"] * 5)) == 0),
        Invariant("legal tags can be reconstructed from the entities", there_and_back),
    ),
)


def disturbed(rng: np.random.Generator, tags: list[str]) -> list[str]:
    """Return a copy of BIO tags in which some are replaced at random."""
    return [str(rng.choice(drawn_tags(rng, 6))) if rng.random() < 0.3 else tag for tag in tags]


def f1_cases(rng: np.random.Generator) -> list[tuple]:
    gold = [drawn_tags(rng, int(words), legal=True) for words in rng.integers(5, 12, size=6)]
    person, place = ["B-PER", "I-PER", "O", "O", "B-LOC"], ["B-PER", "O", "O", "B-LOC", "I-LOC"]
    worse = ["B-PER", "I-PER", "O", "B-LOC", "B-ORG"]
    long = [drawn_tags(rng, 45, legal=True)]
    cases = [
        ([person, place], [person, ["B-PER", "I-PER", "O", "B-LOC", "I-LOC"]]),
        (gold, [disturbed(rng, tags) for tags in gold]),
        ([person, person, place], [worse, worse, place]),
        (gold, gold),
        (gold, [["O"] * len(tags) for tags in gold]),
        ([["O", "O", "O"]], [["O", "B-LOC", "I-LOC"]]),
        ([person, ["O", "O"]], [worse, ["O", "I-ORG"]]),
        ([["O"]], [["O"]]),
        ([person], [["O", "O", "O", "B-LOC", "I-LOC"]]),
        ([person, place], [person, ["O"] * 5]),
        ([["O", "B-LOC", "I-LOC"]], [["O", "I-LOC", "I-LOC"]]),
        ([text.split() for text in ALIKE], [text.replace("I-", "B-", 1).split() for text in ALIKE]),
        (long, [disturbed(rng, tags) for tags in long]),
    ]
    return [*cases, ([], []), *((50 * gold, 50 * given) for gold, given in cases)]


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    gold = [drawn_tags(rng, 7, legal=True) for _ in range(4)]
    given = [disturbed(rng, tags) for tags in gold]
    return close(f(gold, given), f(gold[::-1], given[::-1]))


def sides_swap(f: Callable, rng: np.random.Generator) -> bool:
    gold = [drawn_tags(rng, 7, legal=True) for _ in range(4)]
    given = [disturbed(rng, tags) for tags in gold]
    (p, r, f1), (q, s, f2) = f(gold, given), f(given, gold)
    return close((p, r, f1), (s, q, f2))


entity_f1 = Exercise(
    "entity_f1",
    ("gold", "predicted"),
    f1_cases,
    tagging.entity_f1,
    examples=(
        (
            (
                [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER"]],
                [["B-PER", "O", "O", "B-LOC"], ["O", "B-PER"]],
            ),
            (66.67, 66.67, 66.67),
        ),
    ),
    hints=HINTS["entity_f1"],
    mistakes=f1_mistakes.F1,
    implementations=(tagging.precision_recall_f1,),
    builds_on=(decode_entities,),
    invariants=(
        Invariant("the order of the sentences does not matter", order_does_not_matter),
        Invariant(
            "swapping gold and predicted swaps precision and recall and does not change F1", sides_swap
        ),
    ),
)


def layer_cases(rng: np.random.Generator) -> list[tuple]:
    def layers(*shape, dtype=np.float64):
        return rng.normal(size=shape).astype(dtype)

    def scores(count, dtype=np.float64):
        return rng.normal(size=count).astype(dtype)

    deep, flat, one, small = (
        layers(7, 2, 3, 4),
        layers(6, 5, 3),
        layers(5, 1, 4, 2),
        layers(6, 3, 4, dtype=np.float32),
    )
    return [
        *((deep, way, None, 1.0) for way in ("embeddings", "second-to-last", "last", "concat-last-four")),
        (flat, "sum-last-four", None, 1.0),
        (flat, "sum-all", None, 2.5),
        (flat, "concat-last-four", None, 1.0),
        (deep, "sum-last-four", scores(4), 1.7),
        (deep, "sum-all", scores(6), 0.6),
        (one, "sum-all", scores(4), 1.0),
        (one, "second-to-last", None, 1.4),
        (small, "sum-last-four", scores(4, np.float32), 1.3),
        (small, "concat-last-four", None, 0.7),
        (np.ones((1, 2, 3)), "embeddings", None, 1.0),
        (flat, "sum-all"),
        (deep, "sum-last-four", scores(4)),
        (deep, "last", scores(4), 0.3),
        (flat, "sum-last-four", np.array([800.0, 801.0, 799.0, 800.0]), -1.5),
        (deep, "sum-all", None, 0.0),
        (layers(5, 2, 1, 3, 2), "sum-all", scores(4), 2.0),
        (layers(5, 2, 1, 3, 2), "concat-last-four"),
        *((layers(5, 2, 3), way, scores(4), 1.7) for way in ("sum-last-four", "sum-all")),
        *(
            (layers(*shape, dtype=dtype), way, None, 1.4)
            for *shape, dtype in ((5, 2, 3, np.float64), (6, 3, 4, np.float32), (5, 1, 3, 1, np.float64))
            for way in ("embeddings", "second-to-last", "last", "concat-last-four", "sum-all")
        ),
    ]


def one_score_wins(f: Callable, rng: np.random.Generator) -> bool:
    layers = rng.normal(size=(6, 2, 3, 4))
    return close(f(layers, "sum-last-four", np.array([0.0, 0.0, 60.0, 0.0]), 1.0), layers[-2])


combine_layers = Exercise(
    "combine_layers",
    ("layers", "way", "scores", "gamma"),
    layer_cases,
    layers.combine_layers,
    examples=(
        ((np.arange(24.0).reshape(6, 2, 2), "last", None, 1.0), np.array([[20, 21], [22, 23]])),
        ((np.arange(24.0).reshape(6, 2, 2), "sum-last-four", None, 1.0), np.array([[14, 15], [16, 17]])),
    ),
    hints=HINTS["combine_layers"],
    mistakes=layer_mistakes.COMBINE,
    implementations=(layers.scalar_mix,),
    invariants=(
        Invariant("if one score is far above the others, the weighted sum is that layer", one_score_wins),
        Invariant(
            "adding the same number to all scores changes nothing",
            lambda f, rng: close(
                f(np.arange(60.0).reshape(5, 4, 3), "sum-all", np.arange(4.0), 1.0),
                f(np.arange(60.0).reshape(5, 4, 3), "sum-all", np.arange(4.0) + 3, 1.0),
            ),
        ),
    ),
)

test_decode = student_test("test_decode", ("decode_entities",), versions, HINTS["test_decode"])

read_tags = planted(
    "read_tags",
    ("logits", "word_ids", "tags", "num_words"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    hints=HINTS["read_tags"],
)
