"""The inputs of every exercise tell each known mistake from the right answer and from the others."""

import inspect

import numpy as np
import pytest

from minibert.course import unit01, unit02
from minibert.course.checks.climb import climb
from minibert.course.checks.compare import TOLERANCE, TOLERANCE_32, as_array, close
from minibert.course.checks.exercise import CheckFailed, Exercise
from minibert.course.checks.known_mistakes import result

EXERCISES = [
    value for unit in (unit01, unit02) for value in vars(unit).values() if isinstance(value, Exercise)
]
MISTAKES = [(exercise, number) for exercise in EXERCISES for number in range(len(exercise.mistakes))]

# Two mistakes at once of which one hides the other, or that are one: (pieces of the hint, of the hint that is
# given).
INDISTINGUISHABLE = (
    (("sum runs over the whole array", "maximum is that of the whole array"), "sum of the whole array"),
    (("scores are", "an argmax stands"), "an argmax"),
    (("`visible` is ignored", "gets the score 0"), "`visible` is ignored"),
    (("query, key and value are multiplied by W", "output projection multiplies by W"), "you multiply by W."),
    (("biases of query, key and value", "bias of the output projection"), "all biases are missing"),
    (("divides by D - 1", "mean is not subtracted"), "this is RMSNorm"),
)

# pieces of hints about one mistake with several numbers in it
VARIANTS = (
    "eps is a fixed number",
    "-1e9",
    "in another order",
    "only where scores are large",
    "has moved",
    "the rate is another one",
    "no longer IGNORE",
    "the nearest of the earlier ones",
    "and you compute with it",
    "past the last stored mask",
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
    outside = [value for value in (exercise.reference, *exercise.implementations) if value]
    codes = {ours: ours.__code__ for ours in outside}

    def free(*args):  # a mistake may be made of ours; an answer may not
        blocked = {ours: ours.__code__ for ours in outside}
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


@pytest.mark.parametrize("exercise, number", [case for exercise in EXERCISES for case in named(exercise)])
def test_a_known_mistake_is_called_by_its_own_name(exercise, number):
    hint = exercise.mistakes[number].hint
    said = hears(exercise, exercise.mistakes[number].function)
    declared = [other for pieces, other in INDISTINGUISHABLE if all(piece in hint for piece in pieces)]
    assert (declared[0] if declared else hint) in said


def size(got, expected):
    """By how many tolerances two results differ; infinite where their form does, or nan stands for a
    number.
    """
    if isinstance(expected, tuple):
        pairs = (
            zip(got, expected, strict=True)
            if isinstance(got, tuple) and len(got) == len(expected)
            else [(0, np.ones(2))]
        )
        return max(size(g, e) for g, e in pairs)
    g, e = (np.zeros(0) if isinstance(x, tuple) else as_array(x) for x in (got, expected))
    if g.shape != e.shape or not np.isfinite(g).all() or e.dtype.kind == "i" and (g != e).any():
        return np.inf
    allowed = TOLERANCE_32 if np.float32 in (g.dtype, e.dtype) else TOLERANCE
    with np.errstate(over="ignore"):
        return float((np.abs(g - e) / (allowed["atol"] + allowed["rtol"] * np.abs(e))).max())


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in EXERCISES if exercise.mistakes and exercise.reference],
    ids=lambda e: e.name,
)
def test_each_mistake_changes_some_result_by_far_more_than_the_tolerance(exercise, seed):
    cases = exercise.cases(np.random.default_rng(seed))
    for mistake in exercise.mistakes:
        wrong = [(result(mistake.function, case), result(exercise.reference, case)) for case in cases]
        far = max(np.inf if got is None else size(got, right) for got, right in wrong)
        assert far > 10, f"{mistake.hint}: {far:.1f} tolerances"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_no_two_mistakes_are_told_in_the_same_words_unless_they_are_alike(exercise):
    hints = [mistake.hint for mistake in exercise.mistakes]
    again = {hint for hint in hints if hints.count(hint) > 1}
    assert all(any(piece in hint for piece in VARIANTS) for hint in again)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_a_mistake_is_told_in_a_short_sentence(exercise):
    for hint in (mistake.hint for mistake in exercise.mistakes):
        assert 10 < len(hint) < 300 and hint.rstrip(")").endswith((".", "?")), hint
        assert hint.count("`") % 2 == 0, hint


@pytest.mark.parametrize(
    "exercise", [exercise for exercise in EXERCISES if exercise.reference], ids=lambda e: e.name
)
def test_the_reference_as_an_answer_passes_on_ten_seeds(exercise):
    for seed in range(10):
        assert hears(exercise, exercise.reference, seed) == "passed"


def as_float32(value):
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    return type(value)(map(as_float32, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "exercise", [exercise for exercise in EXERCISES if exercise.reference], ids=lambda e: e.name
)
def test_a_right_answer_that_ends_in_float32_passes(exercise):
    assert hears(exercise, lambda *case: as_float32(exercise.reference(*case))) == "passed"


def tensors(value):
    torch = pytest.importorskip("torch")
    if isinstance(value, np.ndarray):
        return torch.tensor(value, requires_grad=value.dtype.kind == "f")
    return type(value)(map(tensors, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "exercise", [exercise for exercise in EXERCISES if exercise.reference], ids=lambda e: e.name
)
def test_a_right_answer_that_gives_tensors_passes_also_with_gradients(exercise):
    plain = isinstance(exercise.reference(*exercise.cases(np.random.default_rng(0))[0]), (int, float))
    invariants = exercise.invariants  # these work with NumPy arrays, as the exercise asks
    try:
        object.__setattr__(exercise, "invariants", ())
        assert plain or hears(exercise, lambda *case: tensors(exercise.reference(*case))) == "passed"
    finally:
        object.__setattr__(exercise, "invariants", invariants)


@pytest.mark.parametrize(
    "exercise", [exercise for exercise in EXERCISES if exercise.reference], ids=lambda e: e.name
)
def test_inputs_have_a_batch_of_one_and_float32_where_they_have_arrays(exercise):
    arrays = [
        value
        for case in exercise.cases(np.random.default_rng(0))
        for value in case
        if isinstance(value, np.ndarray)
    ]
    assert (
        not arrays
        or any(len(array) == 1 for array in arrays)
        and any(array.dtype == np.float32 for array in arrays)
    )


def test_equal_results_are_close_and_close_is_not_everything():
    assert close(1 / 3, 0.3333333333) and not close(1 / 3, 0.3334)
