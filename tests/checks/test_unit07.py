"""The checks of unit 07 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import string
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from banks import load
from banks.unit07 import BANK

from minibert.checks import unit07 as check
from minibert.checks import unit07_spans
from minibert.checks.compare import agree
from minibert.checks.known import result
from minibert.checks.student_tests import by_name

NAMES = tuple(BANK)
VALUED = [name for name in NAMES if getattr(check, name).reference]
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]


def answer_of(name, source, **earlier):
    """The student's function, in a place where the right earlier answers stand, or those given."""
    place = {"string": string, "Counter": Counter, "by_name": by_name}
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
    assert hint in " ".join(said.split())


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


@pytest.mark.parametrize("name", VALUED)
def test_the_reference_of_a_check_is_refused(name, capsys):
    exercise = getattr(check, name)
    signature = ", ".join(exercise.parameters)
    answer = answer_of(name, f"def {name}({signature}):\n    return theirs({signature})", theirs=exercise.reference)
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    mark = "@by_name\n" if name.startswith("test_") else ""
    answer = answer_of(name, f"{mark}def {name}({signature}):\n    raise NotImplementedError()")
    assert f"{name}: not written yet" in message(name, answer, capsys)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["span_loss", "best_span", "split_passage", "exact_match_and_f1"])
def test_every_known_mistake_shows_on_the_inputs_of_each_seed(name, seed):
    exercise = getattr(check, name)
    cases = exercise.cases(np.random.default_rng(seed))
    expected = [exercise.reference(*case) for case in cases]
    for mistake in exercise.mistakes:
        given = [result(mistake.function, case) for case in cases]
        assert not all(agree(*pair) for pair in zip(given, expected, strict=True)), mistake.hint


def test_a_wrong_search_does_not_sink_the_answer_from_windows(capsys):
    behind = answer_of("best_span", BANK["best_span"].wrong["end behind"][0])
    later = answer_of("answer_question", BANK["answer_question"].right["the solution"], best_span=behind)
    check.answer_question(later)
    assert "Checked with our best_span" in capsys.readouterr().out


def test_all_right_versions_of_the_search_agree():
    rng = np.random.default_rng(5)
    for _ in range(30):
        T = int(rng.integers(1, 9))
        case = (*rng.integers(-3, 4, (2, T)).astype(float), int(rng.integers(1, 9)))
        wanted = check.best_span.reference(*case)
        assert all(version.function(*case) == wanted for version in unit07_spans.RIGHT)


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    source = "def exact_match_and_f1(answer, gold):\n    return 0.25, 0.75"
    said = message("exact_match_and_f1", answer_of("exact_match_and_f1", source), capsys, seed=5, hidden=True)
    assert "0.25" not in said and "boat" not in said


def test_hidden_inputs_are_other_inputs():
    for name in VALUED:
        first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
        assert str(first) != str(second), name


@pytest.mark.parametrize("name", [name for name in NAMES if name != "answer_question"])
def test_each_exercise_has_three_hints(name):
    assert len(getattr(check, name).hints) == 3


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit07; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
