"""The checks of unit 02 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import math
import subprocess
import sys

import numpy as np
import pytest
from banks import load
from banks.unit02 import BANK

from minibert import config, reference
from minibert.checks import unit02 as check
from minibert.checks.base import CheckFailed
from minibert.checks.student_tests import by_name
from minibert.reference.encoder import gelu, sub

NAMES = tuple(BANK)
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]


def answer_of(name, source, **earlier):
    """The student's function, in a place where the right earlier answers stand, or those given."""
    place = {"math": math, "gelu": gelu, "sub": sub, "by_name": by_name}
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


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, False)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden, capsys):
    source, hint, *loses = BANK[name].wrong[answer]
    said = message(name, answer_of(name, source), capsys, seed=seed, hidden=hidden or "hidden" in loses)
    assert hint in said


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(reference, name)])
def test_the_packages_own_function_under_another_name_is_refused(name, capsys):
    ours = getattr(reference, name)
    signature = ", ".join(getattr(check, name).parameters)
    source = f"def {name}({signature}, more=None):\n    return theirs({signature})"
    if name == "layer_norm":
        source = source.replace("theirs(x, gamma, beta, eps)", "theirs(x, {'weight': gamma, 'bias': beta}, eps)")
    said = message(name, answer_of(name, source, theirs=ours), capsys)
    assert "package's own implementation" in said


def test_the_packages_own_count_is_refused(capsys):
    source = f"def count_parameters({', '.join(check.SIZES)}):\n    return sum(theirs(preset('base')).values())"
    answer = answer_of("count_parameters", source, theirs=config.count_parameters, preset=config.preset)
    assert "package's own implementation" in message("count_parameters", answer, capsys)


@pytest.mark.parametrize("name", [name for name in NAMES if getattr(check, name).reference])
def test_the_reference_of_a_check_is_refused(name, capsys):
    exercise = getattr(check, name)
    signature = ", ".join(exercise.parameters)
    answer = answer_of(name, f"def {name}({signature}):\n    return theirs({signature})", theirs=exercise.reference)
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    answer = answer_of(name, f"def {name}({signature}):\n    raise NotImplementedError()")
    assert f"{name}: not written yet" in message(name, answer, capsys)


def test_a_wrong_earlier_answer_does_not_sink_a_right_later_one(capsys):
    no_scaling = answer_of("attention", BANK["attention"].wrong["no scaling"][0])
    later = answer_of("multi_head_attention", BANK["multi_head_attention"].right["the solution"], attention=no_scaling)
    check.multi_head_attention(later)
    assert "Checked with our attention" in capsys.readouterr().out


def test_with_a_wrong_earlier_answer_the_message_is_about_the_later_one(capsys):
    unwritten = load("def softmax(x, axis=-1):\n    raise NotImplementedError()", "softmax")
    source, hint = BANK["attention"].wrong["divided by K"]
    said = message("attention", answer_of("attention", source, softmax=unwritten), capsys)
    assert hint in said
    assert "Checked with our softmax" in said


def test_the_student_keeps_her_own_function_after_the_check():
    wrong = answer_of("attention", BANK["attention"].wrong["no scaling"][0])
    later = answer_of("multi_head_attention", BANK["multi_head_attention"].right["the solution"], attention=wrong)
    check.multi_head_attention(later)
    assert later.__globals__["attention"] is wrong
    assert reference.attention(*np.ones((3, 2, 2)))[1].shape == (2, 2)


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    answer = answer_of("positional_encoding", BANK["positional_encoding"].wrong["degrees"][0])
    said = message("positional_encoding", answer, capsys, seed=5, hidden=True)
    assert not any(character.isdigit() for character in said)


def test_hidden_inputs_are_other_inputs():
    for name in [name for name in NAMES if getattr(check, name).reference]:
        first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
        assert str(first) != str(second), name


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit02; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_failures_are_shown_without_a_traceback_of_ours():
    assert CheckFailed("softmax: no")._render_traceback_() == ["softmax: no"]
