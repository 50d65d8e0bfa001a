"""A probe of all layers with three planted leaks, what each of them breaks, and other changes that are known.

A result on held-out text counts only if nothing of that text was known before: not its sentences (which parts
of a sentence give away), not its mean and deviation, not which layer suits it. Axes: L layers, N tokens, D
hidden, C tags.
"""

from collections.abc import Callable

import numpy as np

from minibert.analysis.definitions import linear_probe as probe

from ..checks.exercise import Invariant, Mistake

PARTS = 5  # sentence number % PARTS: 0, 1, 2 training, 3 validation, 4 test
TRAINING, VALIDATION, TEST = (0, 1, 2), 3, 4


def by_sentence(sentence: np.ndarray) -> np.ndarray:
    return sentence % PARTS


def by_token(sentence: np.ndarray) -> np.ndarray:
    return np.arange(len(sentence)) % PARTS


def on_training(x: np.ndarray, train: np.ndarray, on: np.ndarray) -> np.ndarray:
    return (x - x[train].mean(0)) / x[train].std(0)


def on_all(x: np.ndarray, train: np.ndarray, on: np.ndarray) -> np.ndarray:
    return (x - x.mean(0)) / x.std(0)


def each_by_itself(x: np.ndarray, train: np.ndarray, on: np.ndarray) -> np.ndarray:
    return np.where(on[:, None], (x - x[on].mean(0)) / x[on].std(0), on_training(x, train, on))


def probed(
    part_of: Callable = by_sentence,
    standardised: Callable = on_training,
    chosen_on: int | tuple[int, ...] = VALIDATION,
    choose: Callable = np.argmax,
    learns: tuple[int, ...] = TRAINING,
    reported_on: int | tuple[int, ...] = TEST,
    reported: Callable = lambda layers, best: best,
    score: Callable = lambda found, wanted: (found == wanted).mean(),
) -> Callable:
    """Build the function with some pieces replaced."""

    def probe_layers(layers, tags, sentence):
        part = part_of(sentence)
        train, taught = np.isin(part, TRAINING), np.isin(part, learns)

        def accuracy(x, on):
            x = standardised(x, train, on)
            return float(score(probe(x[taught], tags[taught], x[on]), tags[on]))

        best = int(choose([accuracy(x, np.isin(part, chosen_on)) for x in layers]))
        return best, accuracy(layers[reported(layers, best)], np.isin(part, reported_on))

    return probe_layers


def version(left: frozenset[int]) -> Callable:
    """Build probe_layers with the bugs `left`.

    1: tokens of one sentence are in several parts; 2: mean and deviation are those of all tokens; 3: the
    layer is chosen on the test part.
    """
    pieces: dict = {}
    if 1 in left:
        pieces["part_of"] = by_token
    if 2 in left:
        pieces["standardised"] = on_all
    if 3 in left:
        pieces["chosen_on"] = TEST
    made = probed(**pieces)

    def probe_layers(layers, tags, sentence):
        return made(layers, tags, sentence)

    return probe_layers


def inputs(
    rng: np.random.Generator,
    L: int,
    sentences: int,
    C: int,
    D: int,
    dtype: type = np.float64,
    larger: Callable = by_sentence,
) -> tuple:
    """(layers, tags, sentence): sentences of 1 to 5 tokens; some layers tell more of the tags than others.

    The numbers are small or large, so that it matters to the probe whether they are standardised, and larger
    still where a token is held out: by its sentence, or, where the bug is about that, by its place.
    """
    sentence = np.repeat(np.arange(sentences), rng.integers(1, 6, size=sentences))
    tags = rng.integers(C, size=len(sentence))
    tags[:C] = np.arange(C)  # sentence 0 has them all, or its neighbours in training
    told = 1.5 * rng.permutation(np.linspace(0.1, 1, L))[:, None, None]
    layers = told * rng.normal(size=(L, C, D))[:, tags] + rng.normal(size=(L, len(tags), D))
    layers += rng.normal(size=(L, sentences, D))[:, sentence]  # what a sentence's tokens share
    layers[:, larger(sentence) > 2] *= rng.uniform(5, 30, size=(L, 1, D))
    layers += rng.normal(size=(L, 1, D)) * 4
    layers *= rng.uniform(0.01, 0.1, size=(L, 1, D)) * np.where(np.arange(D) % 2, 1000, 1)
    return layers.astype(dtype), tags, sentence


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 2, 15, 2, 2),
        inputs(rng, 3, 40, 3, 3),
        inputs(rng, 4, 30, 4, 5),
        inputs(rng, 5, 50, 5, 3),
        inputs(rng, 3, 60, 2, 4, np.float32),
        inputs(rng, 6, 40, 3, 3),
        inputs(rng, 3, 40, 3, 4, larger=by_token),
        inputs(rng, 4, 50, 4, 3, larger=by_token),
    ]


def tokens_alone(sizes: int = 50) -> np.ndarray:
    """Sentences of one token each: what is split by sentences and by tokens is then the same."""
    return np.arange(sizes)


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """True if the tokens in another order give the same, whichever way the parts are used."""
    layers, tags, sentence = inputs(rng, 3, 60, 3, 3)
    orders = [rng.permutation(len(tags)) for _ in range(12)]
    before = f(layers, tags, sentence)
    return all(tuple(f(layers[:, o], tags[o], sentence[o])) == tuple(before) for o in orders)


def validation_vectors_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """True if, with one layer, the vectors of the validation part change nothing about the test part."""
    sentence = tokens_alone()
    tags = (rng.permutation(len(sentence)) % 3 == 0).astype(int)
    tags[4::PARTS], tags[:3] = np.arange(10) % 2, (0, 1, 0)  # both tags are in the test part
    layer = np.stack([2.0 * tags - 1, rng.normal(size=len(tags)) / 100], -1)
    far = layer.copy()
    far[sentence % PARTS == VALIDATION] *= 1e6
    return tuple(f(layer[None], tags, sentence)) == tuple(f(far[None], tags, sentence))


def test_tags_choose_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """True if other tags of the test part lead to the same layer."""
    sentence = tokens_alone()
    part = sentence % PARTS
    tags = np.arange(len(sentence)) // PARTS % 2  # as many of each in every part
    first, second = tags.copy(), tags.copy()  # what two layers say
    second[part == VALIDATION] = 1 - tags[part == VALIDATION]
    other = np.where(rng.permutation(10) < 5, 1, 0)
    first[part == TEST], second[part == TEST] = other, 1 - other
    noise = rng.normal(size=(2, len(tags), 2)) / 100
    layers = np.stack([first, second])[..., None] * 2.0 - 1 + noise
    asked = [np.where(part == TEST, said, tags) for said in (first, second)]
    return f(layers, asked[0], sentence)[0] == f(layers, asked[1], sentence)[0]


def reads_off(f: Callable, rng: np.random.Generator) -> bool:
    """True if a layer that holds the tags is chosen, with accuracy 1."""
    sentence, tags = tokens_alone(), np.arange(50) // PARTS % 2
    layers = rng.normal(size=(3, 50, 2))
    layers[1] = np.stack([2.0 * tags - 1, rng.normal(size=50) / 100], -1)
    layers[[0, 2]] = rng.normal(size=(2, 50, 2)) - layers[1] * np.where(sentence % PARTS > 2, 3, -3)[:, None]
    best, accuracy = f(layers, tags, sentence)
    return bool(best == 1 and accuracy == 1)


def units_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    layers, tags, sentence = inputs(rng, 3, 40, 3, 3)
    return tuple(f(layers, tags, sentence)) == tuple(f(layers * np.array([8.0, 0.5, 64.0]), tags, sentence))


BROKEN = (
    Invariant(
        "the order of the tokens changes nothing: a sentence is in one part as a whole", order_does_not_matter
    ),
    Invariant(
        "with one layer, the vectors of the validation part change nothing about the test",
        validation_vectors_do_not_matter,
    ),
    Invariant("which layer is chosen does not depend on the tags of the test part", test_tags_choose_nothing),
)
KEPT = (
    Invariant("a layer that holds the tags is chosen, with accuracy 1", reads_off),
    Invariant("a number of the vectors that is measured in other units gives the same", units_do_not_matter),
)
PROBED = (
    Mistake(
        "the accuracy is that on the validation part. The layer was chosen there, so it is too good.",
        probed(reported_on=VALIDATION),
    ),
    Mistake("the accuracy is that on the training part.", probed(reported_on=TRAINING)),
    Mistake(
        "the layer is chosen on the training part, where every probe looks good.", probed(chosen_on=TRAINING)
    ),
    Mistake(
        "the probe is trained on the validation part, too: then no choice can be made there.",
        probed(learns=(*TRAINING, VALIDATION)),
    ),
    Mistake("the probe is trained on the test part, too.", probed(learns=(*TRAINING, TEST))),
    Mistake(
        "the probe is trained on a third of the training part: 0, 1 and 2 are training.", probed(learns=(0,))
    ),
    Mistake("the worst layer is chosen.", probed(choose=np.argmin)),
    Mistake(
        "the accuracy is that of the last layer. It must be that of the layer that was chosen.",
        probed(reported=lambda layers, best: -1),
    ),
    Mistake(
        "the accuracy is that of the first layer. It must be that of the layer that was chosen.",
        probed(reported=lambda layers, best: 0),
    ),
    Mistake(
        "the numbers are not divided by their deviation any more. Mean and deviation must only come from "
        "the training part.",
        probed(standardised=lambda x, train, on: x - x[train].mean(0)),
    ),
    Mistake(
        "the variance stands in place of the deviation.",
        probed(standardised=lambda x, train, on: (x - x[train].mean(0)) / x[train].var(0)),
    ),
    Mistake(
        "the mean is that of the training part, and the deviation is that of all tokens.",
        probed(standardised=lambda x, train, on: (x - x[train].mean(0)) / x.std(0)),
    ),
    Mistake(
        "the deviation is that of the training part, and the mean is that of all tokens.",
        probed(standardised=lambda x, train, on: (x - x.mean(0)) / x[train].std(0)),
    ),
    Mistake(
        "mean and deviation are those of the held-out tokens. They must come from the training part.",
        probed(standardised=lambda x, train, on: (x - x[~train].mean(0)) / x[~train].std(0)),
    ),
    Mistake(
        "each part is standardised by its own mean and deviation, so the probe meets other numbers than "
        "it was trained on. Use those of the training part for all.",
        probed(standardised=each_by_itself),
    ),
    Mistake(
        "the result is the share of wrong tags. Accuracy is the share of right ones.",
        probed(score=lambda found, wanted: (found != wanted).mean(), choose=np.argmin),
    ),
    Mistake(
        "the result is a number of tags. Accuracy is their share.",
        probed(score=lambda found, wanted: (found == wanted).sum()),
    ),
)
