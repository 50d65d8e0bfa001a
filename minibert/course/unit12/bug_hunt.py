"""The bug hunt `probe_layers`: a probe of all layers with three planted leaks, and other common mistakes.

A result on held-out text is valid only if nothing about that text was used before: not the other tokens of
its sentences, not its mean and standard deviation, and not which layer works best on it. Axes: L layers, N
tokens, D hidden, C tags.
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


def renumbered(sentence: np.ndarray) -> np.ndarray:
    return np.unique(sentence, return_inverse=True)[1] % PARTS


def scaled(x: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Standardise the vectors `x` by the mean and standard deviation of those for which `fit` is True."""
    return (x - x[fit].mean(0)) / x[fit].std(0)


def on_training(x: np.ndarray, part: np.ndarray, on: np.ndarray) -> np.ndarray:
    return scaled(x, np.isin(part, TRAINING))


def on_all(x: np.ndarray, part: np.ndarray, on: np.ndarray) -> np.ndarray:
    return scaled(x, part < PARTS)


def each_by_itself(x: np.ndarray, part: np.ndarray, on: np.ndarray) -> np.ndarray:
    return np.where(on[:, None], scaled(x, on), on_training(x, part, on))


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
    """Return a bug-free version of the exercise `probe_layers`; each argument overrides one part."""

    def probe_layers(layers, tags, sentence):
        part = part_of(sentence)
        taught = np.isin(part, learns)

        def accuracy(x, on):
            x = standardised(x, part, on)
            return float(score(probe(x[taught], tags[taught], x[on]), tags[on]))

        best = int(choose([accuracy(x, np.isin(part, chosen_on)) for x in layers]))
        return best, accuracy(layers[reported(layers, best)], np.isin(part, reported_on))

    return probe_layers


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `probe_layers` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: tokens of one sentence are in different parts of the data. Bug 2: the mean and standard deviation
    are computed over all tokens. Bug 3: the layer is chosen on the test part.
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
    step: int = 1,
    longest: int = 5,
) -> tuple:
    """Return random (layers, tags, sentence) with 1 to `longest` tokens per sentence.

    Some layers encode tags better than others.

    The scale of the vectors differs between dimensions, so that standardising matters, and is larger for
    held-out tokens. larger: by_sentence or by_token, which decides which tokens are held out. step: the
    difference between the numbers of two sentences.
    """
    sentence = np.repeat(np.arange(sentences), rng.integers(1, longest + 1, size=sentences))
    tags = rng.integers(C, size=len(sentence))
    tags[:C] = np.arange(C)  # so that every tag occurs
    told = 1.5 * rng.permutation(np.linspace(0.1, 1, L))[:, None, None]
    layers = told * rng.normal(size=(L, C, D))[:, tags] + rng.normal(size=(L, len(tags), D))
    layers += rng.normal(size=(L, sentences, D))[:, sentence]  # the shared part of a sentence's tokens
    sentence = step * sentence
    layers[:, larger(sentence) > 2] *= rng.uniform(5, 30, size=(L, 1, D))
    layers += rng.normal(size=(L, 1, D)) * 4
    layers *= rng.uniform(0.01, 0.1, size=(L, 1, D)) * np.where(np.arange(D) % 2, 1000, 1)
    return layers.astype(dtype), tags, sentence


def best_on_validation_alone(rng: np.random.Generator) -> tuple:
    """Return an input of two layers, of which the first is better on validation, but worse elsewhere."""
    sentence, tags = tokens_alone(), np.arange(50) // PARTS % 2
    layers = rng.normal(size=(2, 50, 2)) / 100
    layers[..., 0] += 2 * tags - 1
    for layer, wrong in enumerate(((2, 2, 1, 1, 4), (0, 0, 0, 2, 1))):  # the number of wrong tokens by part
        for part, count in enumerate(wrong):
            layers[layer, rng.permutation(sentence[part::PARTS])[:count], 0] *= -1
    return layers, tags, sentence


def best_if_test_is_left_out(rng: np.random.Generator) -> tuple:
    """Return an input of two layers; the first is chosen unless its huge test vectors scale the others."""
    sentence, tags = tokens_alone(), np.arange(50) // PARTS % 2
    part, told = by_sentence(sentence), 2.0 * tags - 1
    layers = rng.normal(size=(2, 50, 2)) / 100
    layers[..., 0] += told
    layers[1, rng.permutation(sentence[part == VALIDATION])[:3], 0] *= -1
    layers[0, part == TEST, 0] *= 1e4
    often = np.where(rng.permutation(50) % 5, told, -told)  # right for 80% of the tokens
    layers[0, :, 1] += np.where(part == VALIDATION, -told, often)
    return layers, tags, sentence


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
        *(inputs(rng, L, 50, 3, 4, step=7) for L in (3, 9)),  # the numbers of the sentences of a sample
        best_on_validation_alone(rng),
        *(inputs(rng, L, 60, 2, 3, longest=1) for L in (1, 3, 4, 5, 6)),
        best_if_test_is_left_out(rng),
    ]


def tokens_alone(sizes: int = 50) -> np.ndarray:
    """Return sentence numbers for one-token sentences, for which splitting by token changes nothing."""
    return np.arange(sizes)


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the result of f is independent of the order of the tokens; with bug 1, it is not."""
    layers, tags, sentence = inputs(rng, 3, 60, 3, 3)
    orders = [rng.permutation(len(tags)) for _ in range(12)]
    before = f(layers, tags, sentence)
    return all(tuple(f(layers[:, o], tags[o], sentence[o])) == tuple(before) for o in orders)


def validation_vectors_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's test accuracy for a single layer is independent of the validation vectors."""
    sentence = tokens_alone()
    tags = (rng.permutation(len(sentence)) % 3 == 0).astype(int)
    tags[4::PARTS], tags[:3] = np.arange(10) % 2, (0, 1, 0)  # the test part has both tags
    layer = np.stack([2.0 * tags - 1, rng.normal(size=len(tags)) / 100], -1)
    far = layer.copy()
    far[sentence % PARTS == VALIDATION] *= 1e6
    return tuple(f(layer[None], tags, sentence)) == tuple(f(far[None], tags, sentence))


def test_tags_choose_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f chooses the same layer if the tags of the test part are changed."""
    sentence = tokens_alone()
    part = sentence % PARTS
    tags = np.arange(len(sentence)) // PARTS % 2  # both tags are equally frequent in every part
    first, second = tags.copy(), tags.copy()  # the tags that two layers encode
    second[part == VALIDATION] = 1 - tags[part == VALIDATION]
    other = np.where(rng.permutation(10) < 5, 1, 0)
    first[part == TEST], second[part == TEST] = other, 1 - other
    noise = rng.normal(size=(2, len(tags), 2)) / 100
    layers = np.stack([first, second])[..., None] * 2.0 - 1 + noise
    asked = [np.where(part == TEST, said, tags) for said in (first, second)]
    return f(layers, asked[0], sentence)[0] == f(layers, asked[1], sentence)[0]


def reads_off(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f chooses a layer that contains the tags, with an accuracy of 1."""
    sentence, tags = tokens_alone(), np.arange(50) // PARTS % 2
    layers = rng.normal(size=(3, 50, 2))
    told = np.stack([2.0 * tags - 1, rng.normal(size=50) / 100], -1)
    layers[1] = told * np.array([1e-10, 1])
    layers[[0, 2]] = rng.normal(size=(2, 50, 2)) - told * np.where(sentence % PARTS > 2, 3, -3)[:, None]
    best, accuracy = f(layers, tags, sentence)
    return bool(best == 1 and accuracy == 1)


def units_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    layers, tags, sentence = inputs(rng, 3, 40, 3, 3)
    return tuple(f(layers, tags, sentence)) == tuple(f(layers * np.array([8.0, 0.5, 64.0]), tags, sentence))


BROKEN = (
    Invariant(
        "the order of the tokens does not change the result: a sentence is in one part as a whole",
        order_does_not_matter,
    ),
    Invariant(
        "with one layer, the vectors of the validation part do not change the test accuracy",
        validation_vectors_do_not_matter,
    ),
    Invariant("the chosen layer does not depend on the tags of the test part", test_tags_choose_nothing),
)
KEPT = (
    Invariant(
        "a layer that contains the tags is chosen, with accuracy 1, however small its numbers are", reads_off
    ),
    Invariant("rescaling the vectors does not change the result", units_do_not_matter),
)
PROBED = (
    Mistake(
        "you report the accuracy on the validation part, which is too high, because the layer was chosen "
        "there. Report the accuracy on the test part.",
        probed(reported_on=VALIDATION),
    ),
    Mistake(
        "you report the accuracy on the training part. Report the accuracy on the test part.",
        probed(reported_on=TRAINING),
    ),
    Mistake(
        "you choose the layer on the training part, where every probe looks good. Use the validation part.",
        probed(chosen_on=TRAINING),
    ),
    Mistake(
        "you choose the layer on the validation and test parts together. Use only the validation part.",
        probed(chosen_on=(VALIDATION, TEST)),
    ),
    Mistake(
        "you choose the layer on the training and validation parts together. Use only the validation part.",
        probed(chosen_on=(*TRAINING, VALIDATION)),
    ),
    Mistake(
        "you number the sentences again before you divide by 5. Use the numbers that are in `sentence`.",
        probed(part_of=renumbered),
    ),
    Mistake(
        "you also train the probe on the validation part. Then this part can no longer choose the layer. "
        "Use only the training part.",
        probed(learns=(*TRAINING, VALIDATION)),
    ),
    Mistake(
        "you also train the probe on the test part. Use only the training part.",
        probed(learns=(*TRAINING, TEST)),
    ),
    Mistake(
        "you train the probe on a third of the training part. Use all of it.",
        probed(learns=(0,)),
    ),
    Mistake(
        "you choose the layer with the lowest accuracy. Choose the one with the highest.",
        probed(choose=np.argmin),
    ),
    Mistake(
        "you report the accuracy of the last layer. Report the accuracy of the chosen layer.",
        probed(reported=lambda layers, best: -1),
    ),
    Mistake(
        "you report the accuracy of the first layer. Report the accuracy of the chosen layer.",
        probed(reported=lambda layers, best: 0),
    ),
    Mistake(
        "you do not divide by the standard deviation. Use mean and standard deviation, both of the "
        "training part.",
        probed(standardised=lambda x, part, on: x - x[part < VALIDATION].mean(0)),
    ),
    Mistake(
        "you divide by the variance. Divide by the standard deviation.",
        probed(standardised=lambda x, part, on: on_training(x, part, on) / x[part < VALIDATION].std(0)),
    ),
    Mistake(
        "you take the mean from the training part, but the standard deviation from all tokens. Take "
        "both from the training part.",
        probed(standardised=lambda x, part, on: (x - x[part < VALIDATION].mean(0)) / x.std(0)),
    ),
    Mistake(
        "you take the standard deviation from the training part, but the mean from all tokens. Take "
        "both from the training part.",
        probed(standardised=lambda x, part, on: (x - x.mean(0)) / x[part < VALIDATION].std(0)),
    ),
    *(
        Mistake(
            f"you take the mean and standard deviation from {where}. Take them from the training part.",
            probed(standardised=lambda x, part, on, fit=fit: scaled(x, fit(part, on))),
        )
        for where, fit in (
            ("the held-out tokens", lambda part, on: part >= VALIDATION),
            ("the training and validation parts", lambda part, on: part <= VALIDATION),
            ("the training and test parts", lambda part, on: part != VALIDATION),
            ("the training part and the part that is scored", lambda part, on: (part < VALIDATION) | on),
            ("the part that is scored", lambda part, on: on),
        )
    ),
    Mistake(
        "you standardise each part with its own mean and standard deviation, so equal vectors differ. Use "
        "those of the training part.",
        probed(standardised=each_by_itself),
    ),
    Mistake(
        "you report the share of wrong tags. Report the accuracy, the share of correct tags.",
        probed(score=lambda found, wanted: (found != wanted).mean(), choose=np.argmin),
    ),
    Mistake(
        "you report the number of correct tags. Report the accuracy, their share.",
        probed(score=lambda found, wanted: (found == wanted).sum()),
    ),
)
