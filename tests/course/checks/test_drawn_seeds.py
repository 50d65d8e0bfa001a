"""While grading, visible checks draw their inputs: recorded results fail, and right answers do not."""

import contextlib
import functools
import io
import pickle

import pytest
from banks.trial import unit

from minibert.course.checks import hidden_seeds
from minibert.course.checks.exercise import ONLY_THERE, CheckFailed
from minibert.course.checks.tampering import UNTOUCHED

DRAWN = (314_159, 271_828)


@pytest.fixture(autouse=True)
def trusted(monkeypatch):
    """As in the grader's process, nothing is guarded against replacements."""
    monkeypatch.setattr(UNTOUCHED, "needed", False)


@pytest.fixture(params=DRAWN)
def grading(request, monkeypatch):
    monkeypatch.setattr(hidden_seeds, "of_this_run", request.param)


def checked(check, answer, **options):
    """The points for an answer, without what the check prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return check(answer, **options)


def recorded(check, table):
    """A function that looks up its result in `table`; `reference` fills the table."""

    def answer(*case):
        return table[pickle.dumps(case)]

    return functools.wraps(check.reference)(answer)


def record(check):
    """The results of a visible check's own inputs, as a student can record them at home."""
    table = {}

    @functools.wraps(check.reference)
    def recorder(*case):
        return table.setdefault(pickle.dumps(case), check.reference(*case))

    with contextlib.suppress(CheckFailed):
        checked(check, recorder)
    return table


@pytest.mark.parametrize("name", ["softmax", "attention"])
def test_recorded_results_pass_at_home_and_earn_little_when_graded(name, monkeypatch):
    check = unit("unit02").checks[name]
    own = set(check.own)
    monkeypatch.setattr(type(check), "own", property(lambda self: own - {self.reference}))
    table = record(check)
    answer = recorded(check, table)
    assert checked(check, answer, points=2) == 2.0
    monkeypatch.setattr(hidden_seeds, "of_this_run", DRAWN[0])
    assert checked(check, answer, points=2) < 0.5
    with pytest.raises(CheckFailed, match=ONLY_THERE[:40]):
        checked(check, answer)


@pytest.mark.parametrize("module", ["unit02", "unit08"])
def test_no_right_answer_loses_a_point_to_a_drawn_seed(module, grading):
    given = unit(module)
    for name, check in given.checks.items():
        for said, source in given.bank[name].right.items():
            assert checked(check, given.answer(name, source), points=2) == 2.0, (name, said)


def test_what_visible_inputs_reveal_says_nothing_about_hidden_ones(grading):
    assert (
        len(
            {
                seed(named)
                for seed in (hidden_seeds.hidden_seed, hidden_seeds.visible_seed)
                for named in range(3)
            }
        )
        == 6
    )
