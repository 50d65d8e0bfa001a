"""The checks of unit 08 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import subprocess
import sys

import numpy as np
import pytest
from banks import load
from banks.unit08 import BANK

from minibert import reference
from minibert.batch import IGNORE
from minibert.checks import unit08 as check
from minibert.checks import unit08_mend
from minibert.checks.planted import holds, subsets
from minibert.checks.student_tests import by_name
from minibert.tasks.entity_score import entities, entity_f1

NAMES = tuple(BANK)
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]


def answer_of(name, source, **earlier):
    """The student's function, in a place where the right earlier answers stand, or those given."""
    place = {"IGNORE": IGNORE, "softmax": reference.softmax, "by_name": by_name}
    for other in NAMES[:NAMES.index(name)]:
        place[other] = load(BANK[other].right["the solution"], other, **place)
    return load(source, name, **place | earlier)


def message(name, answer, capsys, **options):
    """What the student reads when the check fails: the message, or the hint above her own exception."""
    with pytest.raises(Exception) as failure:
        getattr(check, name)(answer, **options)
    return capsys.readouterr().out + str(failure.value)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, True), (3, True)])
@pytest.mark.parametrize("name, answer", RIGHT, ids=[f"{name}: {answer}" for name, answer in RIGHT])
def test_a_right_answer_passes_on_every_seed(name, answer, seed, hidden):
    getattr(check, name)(answer_of(name, BANK[name].right[answer]), seed=seed, hidden=hidden)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, True)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden, capsys):
    source, hint, *loses = BANK[name].wrong[answer]
    if answer == "without its line":                    # said while working: afterwards it ends in an error
        seed, hidden = 0, False
    if loses == ["hidden"] and not hidden:
        getattr(check, name)(answer_of(name, source), seed=seed)
    else:
        assert hint in message(name, answer_of(name, source), capsys, seed=seed, hidden=hidden)


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(reference, name)])
def test_the_packages_own_function_under_another_name_is_refused(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    source = f"def {name}({signature}, more=None):\n    return theirs({signature})"
    assert "package's own implementation" in message(name, answer_of(name, source, theirs=getattr(reference, name)), capsys)


@pytest.mark.parametrize("name, ours, call", [
    ("decode_entities", entities, "sorted(theirs(tags), key=lambda entity: entity[1])"),
    ("entity_f1", entity_f1, "tuple(theirs(gold, predicted).values())[:3]")])
def test_what_trained_models_are_scored_with_is_refused_too(name, ours, call, capsys):
    source = f"def {name}({', '.join(getattr(check, name).parameters)}):\n    return {call}"
    assert "package's own implementation" in message(name, answer_of(name, source, theirs=ours), capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    line = "@by_name\n" if name == "test_decode" else ""
    source = f"{line}def {name}({', '.join(getattr(check, name).parameters)}):\n    raise NotImplementedError()"
    assert name in (said := message(name, answer_of(name, source), capsys)) and "not written yet" in said


def test_a_wrong_decoder_does_not_sink_a_right_score(capsys):
    wrong = answer_of("decode_entities", BANK["decode_entities"].wrong["B goes on"][0])
    check.entity_f1(answer_of("entity_f1", BANK["entity_f1"].right["the solution"], decode_entities=wrong))
    assert "Checked with our decode_entities" in capsys.readouterr().out


def test_each_planted_bug_breaks_its_own_invariant_and_no_other():
    for left in subsets(3):
        function = unit08_mend.version(left)
        broken = {i for i, invariant in enumerate(unit08_mend.BROKEN, 1) if not holds(invariant, function, 0)}
        assert broken == left
        assert all(holds(invariant, function, 0) for invariant in unit08_mend.KEPT)


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    answer = answer_of("decode_entities", "def decode_entities(tags):\n    return [('PER', 17, 23)]")
    assert not any(character.isdigit() for character in message("decode_entities", answer, capsys, seed=5, hidden=True))


def test_hidden_inputs_are_other_inputs():
    for name in [name for name in NAMES if getattr(check, name).reference]:
        first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
        assert str(first) != str(second), name


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit08; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
