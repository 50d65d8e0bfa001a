"""The checks of unit 06 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import math
import subprocess
import sys

import numpy as np
import pytest
from banks import ROOT, load
from banks.unit06 import BANK

from minibert import reference
from minibert.batch import IGNORE
from minibert.checks import unit06 as check
from minibert.checks import unit06_mend, unit06_scores
from minibert.checks.compare import agree, close
from minibert.checks.planted import holds, subsets
from minibert.checks.student_tests import by_name
from minibert.grading import notebook

NAMES = tuple(BANK)
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
DRAWN = [name for name in NAMES if getattr(check, name).reference]


def answer_of(name, source, **earlier):
    """The student's function, in a place where the right earlier answers stand, or those given."""
    place = {"math": math, "IGNORE": IGNORE, "by_name": by_name}
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


OURS = {
    "classifier_logits": (reference.classifier_head, "theirs(hidden, weights)"),
    "choice_logits": (reference.choice_head, "theirs(hidden, weights, num_choices)"),
    "matthews_correlation": (reference.matthews_correlation, "theirs(gold, predicted)"),
    "parameter_groups": (reference.parameter_groups, "theirs(names, encoder_rate, head_rate, weight_decay, frozen_layers)"),
}


@pytest.mark.parametrize("name", OURS)
def test_the_packages_own_function_is_refused(name, capsys):
    ours, call = OURS[name]
    source = f"def {name}({', '.join(getattr(check, name).parameters)}):\n    return {call}"
    source = source.replace("weight_decay, frozen_layers):", "weight_decay=0.01, frozen_layers=0):")
    assert "package's own implementation" in message(name, answer_of(name, source, theirs=ours), capsys)


@pytest.mark.parametrize("name", DRAWN)
def test_the_reference_of_a_check_is_refused(name, capsys):
    exercise = getattr(check, name)
    signature = ", ".join(exercise.parameters)
    defaults = signature.replace("weight_decay, frozen_layers", "weight_decay=0.01, frozen_layers=0")
    answer = answer_of(name, f"def {name}({defaults}):\n    return theirs({signature})", theirs=exercise.reference)
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    signature = signature.replace("weight_decay, frozen_layers", "weight_decay=0.01, frozen_layers=0")
    line = "@by_name\n" if name == "test_matthews" else ""
    answer = answer_of(name, f"{line}def {name}({signature}):\n    raise NotImplementedError()")
    assert f"{name}: not written yet" in message(name, answer, capsys)


def test_a_wrong_head_does_not_sink_the_right_choice(capsys):
    wrong = answer_of("classifier_logits", BANK["classifier_logits"].wrong["mean"][0])
    check.choice_logits(answer_of("choice_logits", BANK["choice_logits"].right["the solution"], classifier_logits=wrong))
    assert "Checked with our classifier_logits" in capsys.readouterr().out


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    source = "def matthews_correlation(gold, predicted):\n    return 0.123"
    said = message("matthews_correlation", answer_of("matthews_correlation", source), capsys, seed=5, hidden=True)
    assert "expected" not in said and "0.123" not in said


@pytest.mark.parametrize("name", DRAWN)
def test_hidden_inputs_are_other_inputs(name):
    first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
    assert str(first) != str(second)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", DRAWN)
def test_every_known_mistake_shows_on_the_inputs_of_each_seed(name, seed):
    exercise = getattr(check, name)
    cases = exercise.cases(np.random.default_rng(seed))
    right = [exercise.reference(*case) for case in cases]
    for mistake in exercise.mistakes:
        assert any(differs(mistake.function, case, value) for case, value in zip(cases, right, strict=True)), mistake.hint


def differs(wrong, case, value):
    try:
        with np.errstate(all="ignore"):
            return not agree(wrong(*case), value)
    except Exception:
        return True


def test_the_large_test_set_is_large_enough_to_overflow():
    gold, predicted = check.matthews_cases(np.random.default_rng(0))[-1]
    tp, tn, fp, fn = map(int, unit06_scores.counts(gold, predicted))
    assert unit06_scores.below(tp, tn, fp, fn) > np.iinfo(np.int64).max


def test_each_planted_bug_breaks_its_own_invariant_and_no_other():
    for left in subsets(3):
        function = unit06_mend.version(left)
        broken = {i for i, invariant in enumerate(unit06_mend.BROKEN, 1) if not holds(invariant, function, 0)}
        assert broken == left
        assert all(holds(invariant, function, 0) for invariant in unit06_mend.KEPT)


@pytest.mark.parametrize("seed", range(10))
def test_the_inputs_of_each_seed_tell_which_bugs_are_left(seed):
    given = [[unit06_mend.version(left)(*case) for case in unit06_mend.cases(np.random.default_rng(seed))] for left in subsets(3)]
    assert not any(close(a, b) for i, a in enumerate(given) for b in given[:i])


def test_the_broken_score_of_the_notebook_has_all_three_bugs():
    given = notebook.marked(notebook.read(ROOT / "solutions" / "06_classification" / "06_classification.ipynb"))
    broken = load(given["broken-f1"].source, "broken_f1_of_batches")
    for case in unit06_mend.cases(np.random.default_rng(0)):
        assert close(broken(*case), unit06_mend.version({1, 2, 3})(*case))
    assert [holds(invariant, broken, 0) for invariant in unit06_mend.BROKEN + unit06_mend.KEPT] == [False] * 3 + [True] * 2


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit06; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
