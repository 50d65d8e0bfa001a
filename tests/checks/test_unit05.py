"""The checks of unit 05 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from banks import ROOT, load
from banks.unit05 import BANK

from minibert import reference
from minibert.checks import unit05 as check
from minibert.checks import unit05_mend, unit05_step
from minibert.checks.compare import close
from minibert.checks.planted import holds, subsets
from minibert.checks.student_tests import by_name
from minibert.checks.unit05_buckets import LENGTHS, POOL, SIZE, expected_reach, mean_reach
from minibert.grading import notebook
from minibert.training import schedule
from minibert.training.feed import order

NAMES = tuple(BANK)
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
REHEARSE = """
def rehearse(batches, rates, clip):
    return rehearsal(training_step, batches, rates, clip)
"""


def answer_of(name, source, **names):
    """What the notebook hands to the check: the student's function, or the one that rehearses it."""
    place = {"math": math, "torch": torch, "rehearsal": check.rehearsal, "by_name": by_name, **names}
    if name == "training_step":
        return load(REHEARSE, "rehearse", **place, training_step=load(source, name, **place))
    return load(source, name, **place)


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


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(reference, name)])
def test_the_packages_own_function_under_another_name_is_refused(name, capsys):
    ours = getattr(reference, name)
    signature = ", ".join(getattr(check, name).parameters)
    answer = answer_of(name, f"def {name}({signature}, more=None):\n    return theirs({signature})", theirs=ours)
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    if name == "training_step":
        signature = "model, optimizer, loss_of, batch, rate, clip"
    line = "@by_name\n" if name == "test_learning_rate" else ""
    answer = answer_of(name, f"{line}def {name}({signature}):\n    raise NotImplementedError()")
    assert f"{name}" in (said := message(name, answer, capsys)) and "not written yet" in said


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    answer = answer_of("learning_rate", "def learning_rate(step, steps, peak, warmup):\n    return peak / (step + 3.5)")
    said = message("learning_rate", answer, capsys, seed=5, hidden=True)
    assert not any(character.isdigit() for character in said)


def test_hidden_inputs_are_other_inputs():
    for name in ("learning_rate", "training_step", "pretraining_cost"):
        first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
        assert str(first) != str(second), name


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit05; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_only_the_step_needs_pytorch():
    code = ("import sys; from minibert import reference; from minibert.checks import unit05 as check\n"
            "for name in ('learning_rate', 'bucket_by_length', 'pretraining_cost'):\n"
            "    own = getattr(reference, name)\n"
            "    exec(f'def answer(*args): return own(*args)')\n"
            "    try: getattr(check, name)(own)\n"
            "    except AssertionError: pass\n"
            "sys.exit('torch' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_loop_uses_the_same_rate_and_the_same_batches():
    assert schedule.learning_rate is reference.learning_rate
    rows = [([7] * n, None) for n in (5, 2, 9, 4, 4, 1, 8)]
    batches = order(rows, 2, np.random.default_rng(3), pool=2)
    assert batches == reference.bucket_by_length([5, 2, 9, 4, 4, 1, 8], 2, 2, np.random.default_rng(3))


def test_how_far_lengths_reach_is_as_expected():
    for pool in (1, POOL, len(LENGTHS)):
        reach = [mean_reach(LENGTHS, reference.bucket_by_length(LENGTHS, SIZE, pool, np.random.default_rng(seed)))
                 for seed in range(20)]
        wanted = expected_reach(min(pool * SIZE, len(LENGTHS)))
        assert np.allclose(reach, wanted, rtol=0.1)


def test_each_planted_bug_breaks_its_own_invariant_and_no_other():
    for left in subsets(3):
        function = unit05_mend.version(left)
        broken = {i for i, invariant in enumerate(unit05_mend.BROKEN, 1) if not holds(invariant, function, 0)}
        assert broken == left
        assert all(holds(invariant, function, 0) for invariant in unit05_mend.KEPT)


@pytest.mark.parametrize("seed", range(10))
def test_the_inputs_of_each_seed_tell_which_bugs_are_left(seed):
    given = [[unit05_mend.version(left)(*case) for case in unit05_mend.cases(np.random.default_rng(seed))] for left in subsets(3)]
    assert not any(close(a, b) for i, a in enumerate(given) for b in given[:i])


def test_the_broken_step_of_the_notebook_has_all_three_bugs():
    given = notebook.marked(notebook.read(ROOT / "solutions" / "05_pretraining" / "05_pretraining.ipynb"))
    broken = load(given["broken_adamw_step"].source, "broken_adamw_step")
    for case in unit05_mend.cases(np.random.default_rng(0)):
        assert close(broken(*case), unit05_mend.version({1, 2, 3})(*case))
    assert [holds(invariant, broken, 0) for invariant in unit05_mend.BROKEN + unit05_mend.KEPT] == [False] * 3 + [True] * 2


def test_each_known_mistake_of_the_step_changes_what_happens():
    case = unit05_step.cases(np.random.default_rng(0))
    right = [unit05_step.reference(*c) for c in case]
    for mistake in unit05_step.MISTAKES:
        wrong = [mistake.function(*c) for c in case]
        assert any(not np.array_equal(w[name], r[name]) for w, r in zip(wrong, right) for name in r), mistake.hint
