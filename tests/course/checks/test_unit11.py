"""Particular checks of unit 11; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks import load
from banks.trial import unit

from minibert.course import unit11 as check
from minibert.course.checks.compare import close, in_form
from minibert.course.unit11 import (
    bug_hunt,
    definitions,
    distillation_mistakes,
    map_mistakes,
    quantize_mistakes,
    theseus_mistakes,
    versions,
)
from minibert.finetuning.compression import pruning, quantization, student, theseus

UNIT = unit("unit11")


def test_the_gradients_of_the_definition_are_those_of_pytorch():
    for case in distillation_mistakes.cases(np.random.default_rng(1)):
        ours = definitions.loss_and_gradients(*case)
        assert close(distillation_mistakes.used(distillation_mistakes.distillation_loss, *case), ours)


def test_the_cell_of_the_notebook_calls_a_loss_as_the_mistakes_are_called():
    theirs = UNIT.answer("distillation_loss")
    for case in distillation_mistakes.cases(np.random.default_rng(2)):
        assert close(theirs(*case), definitions.loss_and_gradients(*case))
    flowing = UNIT.wrong("distillation_loss", "no detach")
    assert flowing(*case)[2].any()


def test_the_module_of_the_notebook_is_ours():
    theirs = load(UNIT.cells["run_part"].source, "run_part")
    hidden, old, *_ = theseus_mistakes.step_cases(np.random.default_rng(0))[0]
    assert np.array_equal(theirs(hidden, old[0]), definitions.run_part(hidden, old[0]))


def test_the_definitions_agree_with_the_library():
    library = (quantization.quantize_int8, pruning.magnitude_mask, theseus.replacing_rate, student.layer_map)
    for ours in library:
        exercise = getattr(check, ours.__name__)
        for case in exercise.cases(np.random.default_rng(4)):
            if not (ours is theseus.replacing_rate and np.ndim(case[0])):  # the library's has single steps
                assert close(in_form(ours(*case), expected := exercise.reference(*case)), expected)


@pytest.mark.parametrize("how", definitions.HOW)
def test_layers_are_those_of_the_papers(how):
    papers = {"every": [1, 3, 5, 7, 9, 11], "skip": [0, 2, 4, 7, 9, 11]}  # TinyBERT, DistilBERT
    assert definitions.layer_map(12, 6, how) == papers.get(how, definitions.layer_map(12, 6, how))
    for T in range(1, 30):
        for S in range(1, T + 1):
            layers = definitions.layer_map(T, S, how)
            assert len(layers) == S and layers == sorted({*layers}) and {*layers} <= {*range(T)}
            assert layers == map_mistakes.layer_map(T, S, how)
    with pytest.raises(ValueError, match="'middle' must be one of"):
        definitions.layer_map(12, 6, "middle")
    with pytest.raises(ValueError, match="13 layers from 1 to 12"):
        definitions.layer_map(12, 13, how)


def test_definitions_refuse_what_they_cannot_do():
    with pytest.raises(ValueError, match="temperature=0 must be above 0"):
        definitions.loss_and_gradients(np.ones((1, 2)), np.ones((1, 2)), 0)
    with pytest.raises(ValueError, match=r"share=1\.5 must be from 0 to 1"):
        definitions.magnitude_mask(np.ones(3), 1.5)
    with pytest.raises(ValueError, match="start=2 must be from 0 to 1, and steps=5 at least 1"):
        definitions.replacing_rate(0, 5, 2)


def test_a_scale_for_each_channel_is_closer_than_one_for_all():
    weights = quantize_mistakes.weights(np.random.default_rng(0), (8, 50), 0)
    errors = [
        abs(definitions.dequantize(*definitions.quantize_int8(weights, axis)) - weights) for axis in (None, 0)
    ]
    assert all((errors[1] / abs(weights).max(1, keepdims=True)).max(1) < 1 / 250)  # half a step of 127
    assert (errors[0] / abs(weights).max(1, keepdims=True)).max() > 1 / 25


def test_each_bug_of_the_hunt_makes_the_layer_worse():
    rng = np.random.default_rng(0)
    hidden, weights, bias = rng.normal(size=(20, 64)), rng.normal(size=(5, 64)), rng.normal(size=5)
    hidden[3] *= 50

    def error(left):
        found = bug_hunt.version(frozenset(left))(hidden, weights, bias)
        return abs(found - hidden @ weights.T - bias)[:3].mean()

    assert all(error({bug}) > 3 * error(()) for bug in (1, 2, 3))


def test_sums_in_the_inputs_without_overflow_fit_into_int8():
    hidden, weights = bug_hunt.small_sums(np.random.default_rng(0), 4, 5, 3)
    some = [bug_hunt.version(frozenset(left))(hidden, weights, np.zeros(5)) for left in ((), {1}, {3}, {2})]
    assert np.array_equal(some[0], some[1]) and close(some[2], some[0]) and not close(some[3], some[0])


def test_right_versions_are_the_definition_and_wrong_ones_are_not():
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        rng, alike = np.random.default_rng(0), True
        for _ in range(20):
            up, bias, down = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=(3, 6))
            given, kept = (up.copy(), bias.copy(), down.copy()), np.arange(6) != rng.integers(6)
            found = version.function(*given, kept)
            alike &= close(found, (up[kept], bias[kept], down[:, kept]))
            alike &= all(map(np.array_equal, given, (up, bias, down)))
        assert alike == (version in versions.RIGHT), version.words


def test_a_message_about_a_generator_has_no_address(capsys):
    said = UNIT.message("theseus_step", UNIT.wrong("theseus_step", "fixed number"))
    assert "rng a generator" in said and "0x" not in said
    assert check.theseus_step.name in said
