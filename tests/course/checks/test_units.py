"""The checks of every unit against its bank of right and wrong answers, and against our own functions."""

import functools
import random
import re
import subprocess
import sys
from types import NoneType

import numpy as np
import pytest
from banks import found, told, trial
from definitions import definition

from minibert import config, reference
from minibert.analysis import layers
from minibert.course.checks.climb import inputs
from minibert.course.checks.compare import agree, array_from_list, close, is_array
from minibert.course.checks.compare import in_numpy as in_arrays
from minibert.course.checks.known_mistakes import result
from minibert.course.checks.records import anything
from minibert.course.unit10.definitions import replaced_token_labels
from minibert.course.unit13.definitions import adapter
from minibert.data import batch, packing
from minibert.data.batch import IGNORE
from minibert.generation import mask_predict
from minibert.tasks.entity_score import entities, entity_f1
from minibert.tokenizer import WordPiece
from minibert.tokenizer.train import train_wordpiece

UNITS = tuple(map(trial.unit, found().values()))
SEEDS = [(0, False), (1, True), (2, True), (3, True)]  # they take turns, where not all tests run
MORE = 5  # seeds for each answer that may draw: bad luck must not be taken for a mistake


def rows(column, wanted=lambda unit, name: True):
    """A parameter set for each answer of this column of the banks, of the exercises that are `wanted`."""
    return [
        pytest.param(unit, name, answer, id=f"{unit.module}, {name}: {answer}")
        for unit in UNITS
        for name in unit.checks
        if wanted(unit, name)
        for answer in getattr(unit.bank[name], column)
    ]


def seeded(rows):
    """Each row with the visible inputs and with hidden ones: many answers try many seeds, each answer one."""
    return [
        pytest.param(*row.values, seed, hidden, id=f"{row.id}, seed {seed}")
        for number, row in enumerate(rows)
        for seed, hidden in (SEEDS[0], SEEDS[1 + number % 3])
    ]


def exercises(wanted=lambda unit, name: True):
    """A parameter set for each exercise that is `wanted`."""
    return [
        pytest.param(unit, name, id=f"{unit.module}, {name}")
        for unit in UNITS
        for name in unit.checks
        if wanted(unit, name)
    ]


def valued(unit, name):
    """Whether the results of the function itself are held against a reference."""
    return unit.checks[name].reference and unit.handed(name) == name


def test_each_exercise_of_a_bank_has_a_check_of_its_own_but_the_text_that_is_none():
    assert [name for unit in UNITS for name in unit.bank if name not in unit.checks] == ["my_text"]


def draws(unit, name):
    """Whether the function draws, or what its test tries."""
    functions = (name, *unit.checks[name].parameters)
    return any("rng" in unit.checks[one].parameters for one in functions if one in unit.checks)


@pytest.mark.every(3)
@pytest.mark.takes_turns("seed", "hidden")
@pytest.mark.parametrize("unit, name, answer, seed, hidden", seeded(rows("right")))
def test_a_right_answer_passes(unit, name, answer, seed, hidden):
    unit.checks[name](unit.answer(name, unit.bank[name].right[answer]), seed=seed, hidden=hidden)


def in_numpy(value):
    """The value with its numbers, and its lists and tuples of numbers, as NumPy scalars and arrays."""
    if isinstance(value, dict):
        return {key: in_numpy(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        array = None if any(map(is_array, value)) else array_from_list(value)
        whole = isinstance(array, np.ndarray) and array.size
        return array if whole else type(value)(map(in_numpy, value))
    return np.asarray(value)[()] if isinstance(value, (bool, int, float)) else value


def in_rows(row):
    """A function that gives a value with its arrays, lists and tuples as lists (or tuples): `row`."""

    def turned(value):
        if isinstance(value, dict):
            return {key: turned(part) for key, part in value.items()}
        if isinstance(value, np.ndarray) and value.ndim or isinstance(value, (list, tuple)):
            return row(map(turned, value))
        return value

    return turned


FORMS = {"NumPy": in_numpy, "lists": in_rows(list), "tuples": in_rows(tuple)}


def judged_by_result(unit, name):
    """Whether a check reads a result, other than a test's, whose type is not part of the exercise itself."""
    steps = {invariant.step for invariant in unit.checks[name].invariants}
    return not name.startswith("test_") and "dtype" not in steps


@pytest.mark.every(3)
@pytest.mark.takes_turns("form")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unit, name, answer", rows("right", judged_by_result))
def test_a_right_answer_passes_in_whatever_form_it_says_its_result(unit, name, answer, form):
    function = unit.answer(name, unit.bank[name].right[answer])

    @functools.wraps(function)
    def same_in_other_form(*args):
        return FORMS[form](in_arrays(function(*args)))

    assert unit.checks[name](same_in_other_form, points=2) == 2


@pytest.mark.slow
@pytest.mark.parametrize("unit, name, answer", rows("right", draws))
def test_where_an_answer_may_draw_a_right_one_passes_on_many_seeds(unit, name, answer):
    """Each answer has seeds of its own.

    So an exercise with seven answers has 35 inputs and draws, of which one fails with a probability of 95%
    where a check refuses one right answer in twelve. A sound check refuses one in a million.
    """
    function, place = unit.answer(name, unit.bank[name].right[answer]), [*unit.bank[name].right].index(answer)
    for seed in range(4 + MORE * place, 4 + MORE * (place + 1)):
        unit.checks[name](function, seed=seed, hidden=seed % 2 == 1)


@pytest.mark.every(3)
@pytest.mark.takes_turns("seed", "hidden")
@pytest.mark.parametrize("unit, name, answer, seed, hidden", seeded(rows("wrong")))
def test_a_wrong_answer_fails_with_its_hint(unit, name, answer, seed, hidden):
    _, hint, *loses = unit.bank[name].wrong[answer]
    function = unit.wrong(name, answer)
    if "hidden" in loses and not hidden:  # caught after handing in only
        unit.checks[name](function, seed=seed)
        hidden = True
    said = unit.message(name, function, seed=seed, hidden=hidden)
    # names that she chose, and the form of a result, could tell a hidden input: a visible check says more
    formless = hidden and (
        "of the result is wrong on a fresh input" in said or "takes other arguments" in said
    )
    assert told(hint, unit.message(name, function, seed=0) if formless else said), said


@pytest.mark.parametrize("unit, name", exercises())
def test_the_stub_is_named_as_not_written_yet(unit, name):
    assert f"{name}: not written yet" in unit.message(name, unit.answer(name, unit.stub(name)))


@pytest.mark.parametrize("unit, name", exercises(valued))
def test_the_reference_of_a_check_is_refused(unit, name):
    check = unit.checks[name]
    answer = unit.returning(name, f"theirs({', '.join(check.parameters)})", theirs=check.reference)
    assert "package's own implementation" in unit.message(name, answer)


# (unit, exercise) -> the package's own function where it has another name or is called in another way, and
# how
OWN = {
    ("unit02", "layer_norm"): (reference.layer_norm, "theirs(x, {'weight': gamma, 'bias': beta}, eps)"),
    ("unit02", "count_parameters"): (config, "sum(theirs.count_parameters(theirs.preset('base')).values())"),
    ("unit03", "wordpiece_encode"): (
        WordPiece,
        "[p for p, _, _ in theirs([*dict.fromkeys([*SPECIAL_TOKENS, *vocab])], True, longest).match(word)]",
    ),
    ("unit03", "train_wordpiece"): (train_wordpiece, "theirs(counts, vocab_size, score)"),
    ("unit03", "pack_pair"): (batch.collate, "theirs([(a, b)], None, length=max_length)"),
    ("unit03", "embed"): (reference.embeddings, "theirs(input_ids, token_type_ids, weights, eps)"),
    ("unit03", "tokenize"): (WordPiece, "theirs(vocab).encode(text).ids"),
    ("unit04", "nsp_examples"): (packing.nsp_examples, "theirs(docs, 512, rng)"),
    ("unit04", "sop_examples"): (packing.sop_examples, "theirs(docs, 512, rng)"),
    ("unit06", "classifier_logits"): (reference.classifier_head, "theirs(hidden, weights)"),
    ("unit06", "choice_logits"): (reference.choice_head, "theirs(hidden, weights, num_choices)"),
    ("unit09", "causal_visible"): (batch.visible_causal, "theirs(real)"),
    ("unit09", "scalar_mix"): (layers.scalar_mix, "theirs(layers, {'weights': weights, 'gamma': gamma})"),
    ("unit10", "replaced_token_labels"): (
        replaced_token_labels,
        "(np.where(chosen, sampled, original), theirs(original, np.where(chosen, sampled, original), real))",
    ),
    ("unit11", "distillation_loss"): (
        reference.losses.distillation_loss,
        "theirs(student, teacher, temperature)",
    ),
    ("unit13", "Adapter"): (adapter, "theirs(None, None)"),
    ("unit14", "in_batch_loss"): (reference.losses.in_batch_loss, "theirs(queries, answers, temperature)"),
}
OTHERS = {  # further functions that do the work
    ("unit04", "nsp_loss"): (reference.mlm_loss, "theirs(logits, labels)"),
    ("unit08", "decode_entities"): (entities, "sorted(theirs(tags), key=lambda entity: entity[1])"),
    ("unit08", "entity_f1"): (entity_f1, "tuple(theirs(gold, predicted).values())[:3]"),
    ("unit14", "mask_predict"): (
        mask_predict.mask_predict,
        "np.array([one.ids[0] for one in theirs(ids[None], free, log_probs, mask, iterations)])",
    ),
}


def own():
    """A parameter set for each function of the package that gives the answer to an exercise."""
    same_name = {
        (unit.module, name): (definition(name), f"theirs({', '.join(check.parameters)})")
        for unit in UNITS
        for name, check in unit.checks.items()
        if definition(name)
    }
    edited = [  # those that known mistakes are edits of
        ((unit.module, name), (ours, f"theirs({', '.join(check.parameters)})"))
        for unit in UNITS
        for name, check in unit.checks.items()
        for ours in check.own - {check.reference, *check.implementations}
    ]
    return [
        pytest.param(trial.unit(module), name, ours, call, id=f"{module}, {name}: {ours.__name__}")
        for (module, name), (ours, call) in (*(same_name | OWN).items(), *OTHERS.items(), *edited)
    ]


@pytest.mark.parametrize("unit, name, ours, call", own())
def test_the_packages_own_function_is_refused(unit, name, ours, call):
    assert "package's own implementation" in unit.message(name, unit.returning(name, call, theirs=ours))


@pytest.mark.parametrize(
    "unit, name",
    exercises(lambda u, name: u.checks[name].reference and definition(name) and (u.module, name) not in OWN),
)
def test_the_check_expects_what_the_package_gives(unit, name):
    for seed in (3, 4):
        for case in unit.checks[name].cases(np.random.default_rng(seed)):
            ours, expected = result(definition(name), case), result(unit.checks[name].reference, case)
            if isinstance(ours, tuple) and not isinstance(expected, tuple):
                ours = ours[0]  # encoder_layer gives the probabilities, too
            assert close(ours, expected)


EARLIER = [  # unit, exercise, one that it builds on, a wrong answer to that one
    ("unit02", "multi_head_attention", "attention", "no scaling"),
    ("unit03", "train_wordpiece", "pair_scores", "always likelihood"),
    ("unit06", "choice_logits", "classifier_logits", "mean"),
    ("unit07", "answer_question", "best_span", "end behind"),
    ("unit08", "entity_f1", "decode_entities", "B goes on"),
    ("unit14", "mask_predict", "number_masked", "halves"),
    ("unit14", "longformer_visible", "sliding_window_visible", "too narrow"),
]


@pytest.mark.parametrize("module, later, earlier, answer", EARLIER)
def test_a_wrong_earlier_answer_does_not_sink_a_right_later_one(module, later, earlier, answer, capsys):
    unit = trial.unit(module)
    unit.checks[later](unit.answer(later, **{earlier: unit.wrong(earlier, answer)}))
    assert f"Checked with our {earlier}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "unit, name", exercises(lambda unit, name: unit.checks[name].reference and unit.checks[name].parameters)
)
def test_hidden_inputs_are_other_inputs(unit, name):
    first, second = (unit.checks[name].cases(np.random.default_rng(seed)) for seed in (0, 1))
    assert str(first) != str(second)


@pytest.mark.takes_turns("seed")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "unit, name", exercises(lambda unit, name: unit.checks[name].mistakes and unit.checks[name].reference)
)
def test_every_known_mistake_shows_on_the_inputs_of_each_seed(unit, name, seed):
    check = unit.checks[name]
    cases = check.cases(np.random.default_rng(seed))
    right = [result(check.reference, case) for case in cases]
    for mistake in check.mistakes:
        wrong = [result(mistake.function, case) for case in cases]
        assert not all(map(agree, wrong, right)), mistake.hint


@pytest.mark.parametrize("unit, name", exercises())
def test_a_check_leaves_the_global_generators_alone(unit, name):
    before = random.getstate(), np.random.get_state()[1].copy()
    unit.checks[name](unit.answer(name))
    assert random.getstate() == before[0] and np.array_equal(before[1], np.random.get_state()[1])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.module)
def test_a_check_opens_without_pytorch(unit):
    code = f"import sys; from minibert.course import {unit.module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("unit, name", exercises(lambda u, name: u.checks[name].allowed is not anything))
def test_the_inputs_of_a_check_are_those_that_its_text_allows(unit, name):
    check = unit.checks[name]
    for seed in range(5):
        for case in check.cases(np.random.default_rng(seed)):
            assert check.allowed(*case) is True


def text_of(unit, name):
    """The cells above the answer that belong to its exercise: the text, and what it shows."""
    begins = f"{unit.asked[name][0]}-"
    return "\n".join(cell.source for key, cell in unit.cells.items() if key.startswith(begins))


def numbers(value):
    """Every number and word in a nested value, as it is written."""
    if isinstance(value, dict):
        return numbers([*value.values()])
    if isinstance(value, (list, tuple, np.ndarray)):
        return {word for part in value for word in numbers(part)}
    if isinstance(value, str):
        return {value}
    return set() if isinstance(value, (bool, np.bool_, NoneType)) else {f"{float(value):g}"}


@pytest.mark.parametrize("unit, name", exercises(lambda unit, name: unit.checks[name].examples))
def test_the_examples_of_a_text_are_right_and_stand_in_it(unit, name):
    check = unit.checks[name]
    text = text_of(unit, name).replace(",", "").replace("IGNORE", str(IGNORE))
    for number, (case, right) in enumerate(check.examples):
        assert agree(check.reference(*case), right, atol=0.005)
        assert check.allowed(*case) and inputs(check, 0)[1][number] is case
        assert not [written for written in numbers(right) if written not in text]


@pytest.mark.parametrize("unit, name", exercises(valued))
def test_an_example_in_a_text_is_among_the_inputs(unit, name):
    worked = re.search(r"^For example(?!:)(.+\n)*?.*\*\*-?[\d\[]", text_of(unit, name), re.M)
    cell = unit.cells.get(f"{unit.asked[name][0]}-example")
    shown = cell and re.search(r"^(expected|examples|# )", cell.source, re.M)
    assert unit.checks[name].examples or not (worked or shown)
