"""The checks of unit 01 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from banks import load as loaded
from banks.unit01 import BANK

from minibert import reference
from minibert.batch import IGNORE
from minibert.checks import unit01 as check
from minibert.checks.base import CheckFailed
from minibert.checks.student_tests import by_name

NAMES = tuple(BANK)
OURS = NAMES[:4]
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
SOLUTION = Path(__file__).parents[2] / "solutions" / "01_self_supervision" / "01_self_supervision.nb.py"


def load(source, name, **names):
    """The function in a place where the notebook's names stand."""
    return loaded(source, name, IGNORE=IGNORE, WORDS=np.array([-1, 0, 1, 1, 2, 2, 2, -1, 3, -1]), by_name=by_name, **names)


def message(name, answer, **options):
    """What the student reads when the check fails."""
    with pytest.raises(CheckFailed) as failure:
        getattr(check, name)(answer, **options)
    return str(failure.value)


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 24), marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("name, answer", RIGHT, ids=[f"{name}: {answer}" for name, answer in RIGHT])
def test_a_right_answer_passes_on_every_seed(name, answer, seeds):
    function = load(BANK[name].right[answer], name)
    for seed in seeds:
        getattr(check, name)(function, seed=seed, hidden=seed % 2 == 1)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden):
    source, hint, *loses = BANK[name].wrong[answer]
    assert hint in message(name, load(source, name), seed=seed, hidden=hidden or "hidden" in loses)


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


@pytest.mark.parametrize("name", OURS)
def test_the_packages_own_function_under_another_name_is_refused(name):
    signature = ", ".join(getattr(check, name).parameters)
    answer = load(f"def {name}({signature}):\n    return theirs({signature})", name, theirs=getattr(reference, name))
    assert "package's own implementation" in message(name, answer)


@pytest.mark.parametrize("name", OURS)
def test_the_packages_own_function_is_right(name):
    ours = getattr(reference, name)
    for invariant in getattr(check, name).invariants:
        assert invariant.holds(ours, np.random.default_rng(7)) is True, invariant.sentence


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name):
    signature = ", ".join(getattr(check, name).parameters)
    stub = load(f"def {name}({signature}): raise NotImplementedError()", name)
    assert f"{name}: not written yet" in message(name, stub)


@pytest.mark.parametrize("name", OURS)
def test_a_check_leaves_the_global_generators_alone(name):
    before = np.random.get_state()[1].copy()
    getattr(check, name)(load(next(iter(BANK[name].right.values())), name))
    assert np.array_equal(before, np.random.get_state()[1])


def test_the_colleague_has_the_shares_that_the_check_expects():
    cells = SOLUTION.read_text(encoding="utf-8").split("# %%")
    source, = (cell.split("\n", 1)[1] for cell in cells if cell.startswith(' nb="read colleague"'))
    colleague = load(source, "corrupt_by_colleague")
    ids, chosen, ordinary = np.full((1000, 1000), 5), np.ones((1000, 1000), bool), np.arange(10, 10 ** 6)
    got = colleague(ids, chosen, 4, ordinary, np.random.default_rng(0))
    shares = (got == 4).mean(), (got >= 10).mean(), (got == 5).mean()
    assert np.allclose(shares, check.colleague_shares.reference(), atol=0.002)


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit01; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
