"""Particular checks of unit 10; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks import load
from banks.trial import unit

from minibert.course import unit10 as check
from minibert.course.checks.compare import close
from minibert.course.checks.student_tests import Version
from minibert.course.unit10 import bug_hunt, definitions, label_mistakes, stack_mistakes, versions
from minibert.data import noising

UNIT = unit("unit10")


def test_the_layers_that_known_mistakes_change_are_stacked_as_the_package_does():
    exercise = UNIT.checks["stack_layers"]
    for case in exercise.cases(np.random.default_rng(3)):
        assert close(stack_mistakes.stack_layers(*case), exercise.reference(*case))


def test_the_labels_are_the_packages():
    for original, sampled, chosen, real in label_mistakes.cases(np.random.default_rng(3)):
        seen, labels = check.replaced_token_labels.reference(original, sampled, chosen, real)
        assert np.array_equal(labels, definitions.replaced_token_labels(original, seen, real))


def test_the_loss_is_that_of_the_objective():
    torch = pytest.importorskip("torch")
    from tiny import SPECIALS

    from minibert.objectives import RTD
    from minibert.training.micro_batch import total

    objective = RTD(SPECIALS, 9, 8)
    assert objective.weights == {"rtd": bug_hunt.WEIGHT} and SPECIALS.mask == bug_hunt.MASK
    for original, chosen, sampled, real, logits, weights in bug_hunt.cases(np.random.default_rng(0)):
        seen = np.where(chosen, sampled, original)
        labels = {
            "tokens": np.where(chosen, original, -100),
            "replaced": definitions.replaced_token_labels(original, seen, real)[real],
        }
        outputs = {
            "tokens": torch.tensor(logits)[torch.tensor(chosen)],
            "replaced": torch.tensor(bug_hunt.discriminate(seen, weights)[real]),
        }
        terms = objective.loss(outputs, {name: torch.tensor(x) for name, x in labels.items()})
        theirs = total(objective, terms)
        ours = check.electra_loss.reference(original, chosen, sampled, real, logits, weights)
        assert theirs.item() == pytest.approx(float(ours), rel=1e-5)


def test_the_discriminator_and_the_mask_of_the_notebook_are_ours():
    source = UNIT.cells["discriminate"].source
    theirs = load(source, "discriminate")
    assert load(source, "MASK") == bug_hunt.MASK
    for original, _, _, _, _, weights in bug_hunt.cases(np.random.default_rng(0)):
        assert close(theirs(original, weights), bug_hunt.discriminate(original, weights))


def drawn(rng):
    """A text, and spans in it that do not overlap, some of length 0."""
    ids = [int(i) for i in rng.integers(10, 99, size=int(rng.integers(1, 9)))]
    cuts = np.sort(rng.integers(0, len(ids) + 1, size=2 * int(rng.integers(1, 4)))).reshape(-1, 2).tolist()
    return ids, [(start, end - start) for start, end in cuts]


def test_right_versions_are_the_packages_infill_and_wrong_ones_are_not():
    rng = np.random.default_rng(0)
    texts = [drawn(rng) for _ in range(200)]
    plain = Version("the one that wrong versions change", versions.infill)
    right_ones = (plain, *versions.RIGHT)
    for version in right_ones + versions.WRONG + versions.MORE:
        alike = [
            version.function(list(ids), spans, 7) == noising.infill(ids, spans, 7).tolist()
            for ids, spans in texts
        ]
        right = version in right_ones or version.function is versions.in_place
        assert all(alike) == right, version.words
    ids = [11, 12, 13]
    versions.in_place(ids, [(0, 2)], 7)
    assert ids == [7, 13]
