"""The inputs of every exercise tell each known mistake from the right answer and from the others."""

import importlib
import inspect

import numpy as np
import pytest
from banks import found

from minibert.course.checks.climb import climb, inputs
from minibert.course.checks.edits import Edited
from minibert.course.checks.exercise import CheckFailed, Exercise
from minibert.course.checks.known_mistakes import result
from minibert.course.checks.ladder import COMPARED

UNITS = [importlib.import_module(f"minibert.course.{unit}") for unit in found().values()]
EXERCISES = [value for unit in UNITS for value in vars(unit).values() if isinstance(value, Exercise)]
# unit 13's Adapter is a class: its check calls what it makes
REFERRED = [exercise for exercise in EXERCISES if exercise.reference and exercise.name != "Adapter"]

# Two mistakes at once of which one hides the other, or that are one: (pieces of the hint, of the hint that is
# given).
INDISTINGUISHABLE = (
    (("sum runs over the whole array", "maximum is taken over the whole array"), "sum of the whole array"),
    (("scores are", "you use an argmax"), "only the key with the highest score"),
    (("W.T for query, key and value", "W.T in the output projection"), "so transpose them"),
    (("biases of query, key and value", "bias of the output projection"), "all biases are missing"),
    (
        ("your colleague's loss also counts the 85%", "only the chosen tokens, not the [PAD]"),
        "the two losses are in the wrong order",
    ),
)


def named(exercise):
    return [
        pytest.param(exercise, number, id=f"{exercise.name}: {exercise.mistakes[number].hint[:60]}")
        for number in range(len(exercise.mistakes))
    ]


def answer(exercise, function):
    """A function with the parameters asked for that does what `function` does."""

    def same_signature(*args):
        return function(*args)

    kinds = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in exercise.parameters]
    same_signature.__signature__ = inspect.Signature(kinds)
    return same_signature


def hears(exercise, function, seed=0):
    """What a student hears whose function is `function`."""
    codes = {ours: ours.__code__ for ours in exercise.own}

    def free(*args):  # a mistake may be made of ours; an answer may not
        blocked = {ours: ours.__code__ for ours in codes}
        for ours, code in codes.items():
            ours.__code__ = code
        try:
            return function(*args)
        finally:
            for ours, code in blocked.items():
                ours.__code__ = code

    try:
        climb(exercise, answer(exercise, free), seed, hidden=False)
    except CheckFailed as failure:
        return str(failure)
    except Exception as error:
        return getattr(error, "hint", "")
    return "passed"


@pytest.mark.every(3)
@pytest.mark.parametrize("exercise, number", [case for exercise in EXERCISES for case in named(exercise)])
def test_a_known_mistake_is_called_by_its_own_name(exercise, number):
    hint = exercise.mistakes[number].hint
    said = hears(exercise, exercise.mistakes[number].function)
    declared = [other for pieces, other in INDISTINGUISHABLE if all(piece in hint for piece in pieces)]
    assert (declared[0] if declared else hint) in said


@pytest.mark.parametrize("exercise", REFERRED, ids=lambda exercise: exercise.name)
def test_known_mistakes_are_tried_on_every_input_that_a_check_lists(exercise):
    assert len(inputs(exercise, 0)[1]) <= COMPARED


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_the_edits_of_each_mistake_can_be_made(exercise):
    for mistake in exercise.mistakes:
        if isinstance(mistake.function, Edited):
            assert callable(mistake.function.function)


@pytest.mark.every(4)
@pytest.mark.parametrize("exercise", REFERRED, ids=lambda e: e.name)
def test_the_reference_as_an_answer_passes_on_ten_seeds(exercise):
    for seed in range(10):
        assert hears(exercise, exercise.reference, seed) == "passed"


def as_float32(value):
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    return type(value)(map(as_float32, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("exercise", REFERRED, ids=lambda e: e.name)
def test_a_right_answer_that_ends_in_float32_passes(exercise):
    assert hears(exercise, lambda *case: as_float32(exercise.reference(*case))) == "passed"


def tensors(value):
    torch = pytest.importorskip("torch")
    if isinstance(value, np.ndarray):
        return torch.tensor(value, requires_grad=value.dtype.kind == "f")
    return type(value)(map(tensors, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("exercise", REFERRED, ids=lambda e: e.name)
def test_a_right_answer_that_gives_tensors_passes_also_with_gradients(exercise):
    if exercise.name == "two_readers":  # its inputs are functions of NumPy arrays
        return
    plain = isinstance(result(exercise.reference, exercise.cases(np.random.default_rng(0))[0]), (int, float))
    invariants = exercise.invariants  # these work with NumPy arrays, as the exercise asks
    try:
        object.__setattr__(exercise, "invariants", ())
        assert plain or hears(exercise, lambda *case: tensors(exercise.reference(*case))) == "passed"
    finally:
        object.__setattr__(exercise, "invariants", invariants)


@pytest.mark.parametrize("unit", UNITS[:2], ids=lambda unit: unit.__name__)
def test_inputs_of_masking_and_attention_have_a_batch_of_one_and_float32(unit):
    for exercise in REFERRED:
        if vars(unit).get(exercise.name) is not exercise:
            continue
        cases = exercise.cases(np.random.default_rng(0))
        arrays = [value for case in cases for value in case if isinstance(value, np.ndarray)]
        alone = any(len(array) == 1 for array in arrays)
        assert not arrays or alone and any(array.dtype == np.float32 for array in arrays), exercise.name
