"""Check the exercises of unit 06, classification.

Devlin et al. (2019, arXiv 1810.04805), sections 4.1 and 4.4; Wang et al. (2019, arXiv 1804.07461), section 3;
Li et al. (2018, arXiv 1712.09913), section 4. Axes: B examples, T tokens, D hidden, C labels or options, N
examples of a test set. The sizes differ in every input, to reveal swapped axes.
"""

from collections.abc import Callable

import numpy as np

from minibert import reference

from ..checks.compare import as_array, close
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    bug_hunt,
    definitions,
    group_mistakes,
    head_mistakes,
    matthews_mistakes,
    verdict_invariants,
    versions,
)
from .hints import HINTS
from .sharpness_mistakes import EXAMPLE, SHARPNESS, SHARPNESS_INVARIANTS, sharpness_cases


def head_weights(
    rng: np.random.Generator, hidden_size: int, num_labels: int, dtype: type = np.float64
) -> dict[str, np.ndarray]:
    """Return a dict of random weights for a classification head.

    The arrays are pooler.weight (D, D), pooler.bias (D,), classifier.weight (C, D) and classifier.bias (C,).
    """
    D, C = hidden_size, num_labels
    shapes = {
        "pooler.weight": (D, D),
        "pooler.bias": (D,),
        "classifier.weight": (C, D),
        "classifier.bias": (C,),
    }
    return {
        name: (rng.normal(size=shape) / (np.sqrt(D) if len(shape) > 1 else 2)).astype(dtype)
        for name, shape in shapes.items()
    }


def hidden_of(rng: np.random.Generator, *shape: int, dtype: type = np.float64) -> np.ndarray:
    return (rng.normal(size=shape) * 1.5).astype(dtype)


def classifier_cases(rng: np.random.Generator) -> list[tuple]:
    sizes = [(4, 5, 6, 3), (2, 3, 8, 5), (1, 4, 6, 2), (3, 1, 4, 2), (5, 4, 3, 1)]
    cases = [(hidden_of(rng, B, T, D), head_weights(rng, D, C)) for B, T, D, C in sizes]
    large = hidden_of(rng, 3, 2, 5) * 1e4, head_weights(rng, 5, 4)  # exp(1000) overflows
    return [*cases, (hidden_of(rng, 2, 6, 4, dtype=np.float32), head_weights(rng, 4, 3, np.float32)), large]


def only_cls(f: Callable, rng: np.random.Generator) -> bool:
    hidden, weights = hidden_of(rng, 3, 5, 6), head_weights(rng, 6, 2)
    other = hidden.copy()
    other[:, 1:] += 1
    return close(f(hidden, weights), f(other, weights))


def rows_alone(f: Callable, rng: np.random.Generator) -> bool:
    hidden, weights = hidden_of(rng, 4, 5, 6), head_weights(rng, 6, 3)
    return close(f(hidden[2:3], weights), as_array(f(hidden, weights))[2:3])


classifier_logits = Exercise(
    "classifier_logits",
    ("hidden", "weights"),
    classifier_cases,
    reference.classifier_head,
    hints=HINTS["classifier_logits"],
    mistakes=head_mistakes.CLASSIFIER,
    implementations=(reference.pooler,),
    invariants=(
        Invariant("only the first token of a sequence matters", only_cls),
        Invariant("a sequence's logits do not depend on the other sequences", rows_alone),
    ),
)


def choice_cases(rng: np.random.Generator) -> list[tuple]:
    sizes = [(3, 4, 5, 6), (5, 2, 3, 4), (2, 5, 4, 8), (1, 3, 6, 4), (4, 4, 1, 6)]  # B, C, T, D
    cases = [(hidden_of(rng, B * C, T, D), head_weights(rng, D, 1), C) for B, C, T, D in sizes]
    return [*cases, (hidden_of(rng, 6, 3, 4, dtype=np.float32), head_weights(rng, 4, 1, np.float32), 3)]


def options_follow(f: Callable, rng: np.random.Generator) -> bool:
    hidden, weights = hidden_of(rng, 6, 4, 5), head_weights(rng, 5, 1)
    swapped = hidden[[1, 0, 2, 3, 4, 5]]  # two options of the first of two examples
    return close(f(swapped, weights, 3)[0], as_array(f(hidden, weights, 3))[0][[1, 0, 2]])


choice_logits = Exercise(
    "choice_logits",
    ("hidden", "weights", "num_choices"),
    choice_cases,
    reference.choice_head,
    hints=HINTS["choice_logits"],
    mistakes=head_mistakes.CHOICE,
    builds_on=(classifier_logits,),
    invariants=(
        Invariant(
            "swapping two options of an example swaps their scores and changes nothing else", options_follow
        ),
    ),
)


LARGE = 400_000  # examples, about as many as QQP has; the product of four counts no longer fits into 64 bits


def matthews_cases(rng: np.random.Generator) -> list[tuple]:
    """Return pairs (gold labels, predicted labels), including constant labels and very long arrays."""

    def drawn(n, share, wrong):
        gold = (rng.random(n) < share).astype(int)
        return gold, np.where(rng.random(n) < wrong, 1 - gold, gold)

    half, ones = (rng.random(30) < 0.5).astype(int), np.ones(12, int)
    half[:2] = 0, 1
    rare = np.zeros(40, int)
    rare[:2] = 1
    found = rare.copy()
    found[[1, 5, 6, 7]] = 0, 1, 1, 1  # one of the two is found, with three false positives
    missed = rare.copy()
    missed[0] = 0  # no false positive: one count is 0
    one, two = np.ones(1, int), np.arange(2)
    return [
        drawn(50, 0.4, 0.2),
        drawn(60, 0.7, 0.75),
        drawn(45, 0.3, 0.4),
        (rare, missed),
        (half, half),
        (half, 1 - half),
        (half[:12], ones),
        (ones, half[:12]),
        (ones, ones),
        (ones, 1 - ones),
        (one, one),
        (two, two),
        (rare, found),
        drawn(LARGE, 0.4, 0.1),
    ]


matthews_correlation = Exercise(
    "matthews_correlation",
    ("gold", "predicted"),
    matthews_cases,
    definitions.matthews_correlation,
    hints=HINTS["matthews_correlation"],
    mistakes=matthews_mistakes.MATTHEWS,
    invariants=(
        Invariant(
            "the correlation is 1 for perfect answers, and -1 if all answers are wrong",
            lambda f, rng: (
                close(f(np.array([0, 1, 1]), np.array([0, 1, 1])), 1.0)
                and close(f(np.array([0, 1, 1]), np.array([1, 0, 0])), -1.0)
            ),
        ),
        Invariant(
            "the correlation is 0 if all answers are the same",
            lambda f, rng: f(np.array([1] * 19 + [0]), np.ones(20, int)) == 0,
        ),
    ),
)

opposite_verdicts = Exercise(
    "opposite_verdicts",
    (),
    lambda rng: [()],
    hints=HINTS["opposite_verdicts"],
    invariants=verdict_invariants.VERDICTS,
)


def model_names(
    num_layers: int, head: tuple[str, ...] = ("pooler", "classifier"), last_norm: bool = False
) -> list[str]:
    """Return parameter names like those of a Model, but with only one matrix per sublayer.

    head: the names of the modules in the output head. last_norm: whether the encoder ends with a LayerNorm.
    """
    layer = [
        f"{part}.{kind}"
        for part in ("attention.query", "attention_norm", "feed_forward.up", "feed_forward_norm")
        for kind in ("weight", "bias")
    ]
    names = ["embeddings.word.weight", "embeddings.norm.weight", "embeddings.norm.bias"]
    names += [f"layers.{i}.{name}" for i in range(num_layers) for name in layer] + ["norm.weight"] * last_norm
    return [f"encoder.{name}" for name in names] + [
        f"heads.label.{part}.{kind}" for part in head for kind in ("weight", "bias")
    ]


ODD_NAMES = (  # parts that only look like a LayerNorm, a bias, the encoder or its embeddings
    "heads.label.normaliser.weight",
    "heads.norm.dense.weight",
    "heads.label.output_norm.weight",
    "heads.label.bias_net.weight",
    "encoder_2.mix.weight",
    "encoder_2.mix.bias",
    "qa.start.weight",
    "qa.embeddings.place.weight",
    "encoder.layers.0.normaliser.weight",
)


def groups_cases(rng: np.random.Generator) -> list[tuple]:
    """Return `parameter_groups` arguments for models with different sizes, heads and frozen layers."""

    def rates():
        return float(rng.choice([1e-5, 2e-5, 3e-5])), float(rng.choice([1e-4, 5e-4, 1e-3]))

    shuffled = [str(name) for name in rng.permutation(model_names(3))]
    lstm = model_names(
        2, head=("layers.0.forward", "encoder.norm", "classifier")
    )  # a head that has layers too
    odd = [*model_names(1), *ODD_NAMES]
    return [
        (model_names(2), *rates()),
        (model_names(3), *rates(), 0.1, 1),
        (model_names(12), *rates(), 0.05, 2),
        (model_names(12), *rates(), 0.05, 11),
        (odd, *rates(), 0.07, 1),
        (odd, *rates()),
        (odd, *rates(), 0.0, 0),
        (model_names(2), 3e-5, 3e-5, 0.0, 1),
        (model_names(2), 3e-5, 3e-5, 0.02, 5),
        ([], *rates()),
        (shuffled, *rates(), 0.02, 2),
        (model_names(3), 3e-8, 2e-7, 1e-9, 2),
        (model_names(1)[3:4], *rates(), 0.1, 2),
        (lstm, *rates(), 0.03, 1),
        (lstm, *rates()),
        (model_names(2, last_norm=True), *rates(), 0.04, 2),
        ([name for name in model_names(2) if name.startswith("heads")], *rates()),
        (["encoder.embeddings.word.weight", "heads.label.classifier.weight"], *rates(), 0.2, 0),
    ]


def right_keys(f: Callable, rng: np.random.Generator) -> bool | str:
    groups = f(model_names(2), 2e-5, 1e-3, 0.01, 0)
    if not isinstance(groups, (list, tuple)) or not all(isinstance(group, dict) for group in groups):
        return False
    odd = next((group for group in groups if set(group) != {"names", "lr", "weight_decay"}), None)
    return (
        odd is None
        or f"a group has the keys {', '.join(map(repr, odd))}; they should be 'names', 'lr' "
        "and 'weight_decay'."
    )


def at_most_once(f: Callable, rng: np.random.Generator) -> bool:
    names = model_names(3)
    taken = [name for group in f(names, 2e-5, 1e-3, 0.01, 1) for name in group["names"]]
    return len(taken) == len(set(taken)) and set(taken) <= set(names)


def nobody_forgotten(f: Callable, rng: np.random.Generator) -> bool | str:
    names = model_names(2)
    taken = {name for group in f(names, 2e-5, 1e-3, 0.01, 0) for name in group["names"]}
    left = [name for name in names if name not in taken]
    return not left or f"with frozen_layers=0 every parameter must be in a group, but {left[0]} is in none."


parameter_groups = Exercise(
    "parameter_groups",
    ("names", "encoder_rate", "head_rate", "weight_decay", "frozen_layers"),
    groups_cases,
    definitions.parameter_groups,
    hints=HINTS["parameter_groups"],
    mistakes=group_mistakes.GROUPS,
    free=("names", "encoder_rate", "head_rate", "weight_decay"),
    implementations=(definitions.decays,),
    invariants=(
        Invariant("each group is a dict with the keys 'names', 'lr' and 'weight_decay'", right_keys),
        Invariant("each parameter is in at most one group", at_most_once),
        Invariant("without frozen layers, each parameter is in a group", nobody_forgotten),
    ),
)

# Two regimes are left out. In "tiny", a small number added to a length to avoid a division by 0 would show;
# in "huge", the loss is so large that rounding hides the increase.
sharpness = Exercise(
    "sharpness",
    ("loss", "weights", "directions", "radius"),
    sharpness_cases,
    definitions.sharpness,
    examples=((EXAMPLE, (0.25, 3.25)),),
    hints=HINTS["sharpness"],
    mistakes=SHARPNESS,
    invariants=SHARPNESS_INVARIANTS,
    left_out=("tiny", "huge"),
    implementations=(definitions.filter_normalised,),
)

test_matthews = student_test("test_matthews", ("matthews_correlation",), versions, HINTS["test_matthews"])

f1_of_batches = planted(
    "f1_of_batches",
    ("batches",),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    hints=HINTS["f1_of_batches"],
)
