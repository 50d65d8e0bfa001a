"""Tests that students write: versions come nameless and mixed, verdicts are text, messages say more."""

import contextlib
import importlib.util
import io
from collections import Counter

import numpy as np
import pytest

from minibert.course import unit02
from minibert.course.checks.exercise import CheckFailed
from minibert.course.checks.student_tests import by_name, caught, nameless, rejected
from minibert.course.checks.tampering import UNTOUCHED
from minibert.course.unit01 import versions as unit01_tests
from minibert.course.unit02 import versions as unit02_tests

RIGHT, WRONG = (
    [version.function for version in versions] for versions in (unit02_tests.RIGHT, unit02_tests.WRONG)
)


@by_name
def sums(softmax):
    """A test that looks at sums along the last axis alone."""
    assert np.allclose(softmax(np.eye(2)).sum(-1), 1), "sums"


def message(test, **options):
    with pytest.raises(CheckFailed) as failure:
        unit02.test_softmax(test, **options)
    return str(failure.value)


def test_a_decorated_test_still_tests_a_function():
    assert sums(unit02_tests.by_logarithm) is None
    with pytest.raises(AssertionError, match="sums"):
        sums(np.exp)


def test_functions_go_in_and_text_comes_out():
    said = sums([RIGHT[0], WRONG[0], WRONG[1]])
    assert said == ["accepted", "AssertionError: sums", "accepted"]


def test_the_assert_is_quoted_where_it_has_no_message(tmp_path):
    path = tmp_path / "cell.py"  # pytest would rewrite an assert of this file
    path.write_text("def test(softmax):\n    assert softmax([0.0, 0.0]).sum() == 3\n")
    spec = importlib.util.spec_from_file_location("cell", path)
    cell = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cell)
    test = by_name(cell.test)
    assert test([RIGHT[0]]) == ["AssertionError: assert softmax([0.0, 0.0]).sum() == 3"]


def test_what_a_test_prints_is_not_shown(capsys):
    by_name(lambda softmax: print(softmax))([RIGHT[0]])
    assert capsys.readouterr().out == ""


def test_a_version_does_not_say_which_one_it_is():
    right, wrong = nameless(RIGHT[0]), nameless(WRONG[0])
    for what in ("__name__", "__qualname__", "__module__", "__code__", "__doc__"):
        assert getattr(right, what) == getattr(wrong, what)


class Taker:
    """Takes the list of versions itself, and keeps the places of right answers in each list that it got."""

    __name__ = "test_softmax"

    def __init__(self):
        self.places, self.sizes = [], []

    def __call__(self, softmax):
        x = np.array([[1.0, 2.0], [5.0, 3.0]])
        right = [
            np.allclose(version(x, 0).sum(0), 1) and np.allclose(version(x - 9, 0), version(x, 0))
            for version in softmax
        ]
        self.places.append(tuple(right))
        self.sizes.append(len(softmax))
        return ["accepted"] * len(softmax)


def test_neither_place_nor_number_tells_a_right_version_from_a_wrong_one():
    taker = Taker()
    for _ in range(40):
        message(taker)
        message(taker, hidden=True)
    assert set(taker.sizes) == {46, 70}  # always together
    assert len(set(taker.places)) > 40  # 80, but for a chance; 2 if the size fixed them


class Voter:
    """Calls the versions with the most frequent result right, or those with the next most frequent one."""

    __name__ = "test_softmax"

    def __init__(self, rank):
        self.rank = rank

    def __call__(self, softmax):
        said = [results_of(version) for version in softmax]
        counts = Counter(said).most_common()
        return ["accepted" if one == counts[self.rank][0] else "AssertionError" for one in said]


def results_of(version):
    """What a version does with many inputs, without the last digits; also to the inputs themselves."""
    said = []
    for scale in (1, 1.0, 900.0):
        for axis in (-1, 0, 1):
            x = scale * (np.arange(18).reshape(2, 3, 3)[:, ::-1] % 7)
            x[0, 0] -= type(scale)(1000 * scale)
            try:
                said.append(np.round(np.asarray(version(x, axis), float), 3).tolist())
            except Exception as error:
                said.append(error)
            said.append(x.tolist())
    return repr(said)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("hidden", [False, True])
def test_a_majority_vote_is_no_test(rank, hidden):
    with contextlib.redirect_stdout(io.StringIO()):
        assert {unit02.test_softmax(Voter(rank), hidden=hidden, points=2) for _ in range(9)} == {0.0}


@pytest.mark.parametrize(
    "said, expected",
    [
        (["accepted"], False),
        (["AssertionError"], True),
        (["accepted", "AssertionError", "TypeError"], True),
        (["accepted", "AssertionError", "accepted"], False),
    ],
)
def test_a_version_is_caught_where_most_copies_are_rejected(said, expected):
    assert caught(said) is expected


def test_one_rejected_copy_of_a_right_version_is_enough():
    assert rejected(
        [["accepted"], ["accepted", "AssertionError", "accepted"]], unit02_tests.RIGHT[:2]
    ).endswith("It stops at: AssertionError.")
    assert not rejected([["accepted"] * 3] * 2, unit02_tests.RIGHT[:2])


def test_a_test_is_tried_once_in_a_check():
    taker = Taker()
    message(taker)
    assert len(taker.sizes) == 1


def test_what_a_version_changes_is_undone_before_the_next_trial():
    shared, more = np.array([[1.0, 2.0], [5.0, 3.0]]), [1.0]

    def writes(x, row):
        x -= 1
        row.append(2.0)
        return x

    @by_name
    def test(softmax):
        before = shared.copy()
        softmax(shared, row=more)
        assert (shared == before).all(), "changed"

    assert test([writes, lambda x, row: x, writes]) == [
        "AssertionError: changed",
        "accepted",
        "AssertionError: changed",
    ]
    assert shared.tolist() == [[1.0, 2.0], [5.0, 3.0]] and more == [1.0]


def test_a_stub_is_not_written_yet():
    @by_name
    def test_softmax(softmax):
        raise NotImplementedError()

    assert (
        message(test_softmax)
        == "test_softmax: not written yet. Replace `raise NotImplementedError()` with your code."
    )


def test_the_message_counts_what_is_caught_and_names_what_is_missed():
    assert "catches 2 of 7 wrong versions. It does not catch the one that ignores `axis`" in message(sums)


def test_the_held_back_versions_are_tried_after_handing_in_only(capsys):
    @by_name
    def shallow(softmax):
        for axis in (0, 1):
            y = softmax(np.array([[1.0, -2.0], [-0.5, 0.5]]), axis)
            assert np.allclose(y.sum(axis), 1) and (y > 0).all() and not np.allclose(y, 0.5)
        assert np.allclose(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]])), 0.5)

    unit02.test_softmax(shallow)
    said = capsys.readouterr().out
    assert "accepts 3 correct versions" in said and "catches 7 wrong versions" in said and "more" not in said
    assert "reverses the order" in message(shallow, hidden=True)


def test_a_check_of_a_test_leaves_no_exercise_behind():
    before = len(UNTOUCHED.exercises)
    for hidden in (False, True):
        message(sums, hidden=hidden)
    assert len(UNTOUCHED.exercises) == before


@pytest.mark.parametrize(
    "test, fair",
    [(sums, True), (by_name(lambda softmax: None), False), (by_name(lambda softmax: 1 / 0), False)],
    ids=["sums", "nothing", "always fails"],
)
def test_with_points_the_share_is_that_of_the_wrong_versions_it_catches(test, fair):
    caught = [said != "accepted" for said in sums(WRONG)]
    assert 0 < np.mean(caught) < 1
    for hidden in (False, True):
        assert (
            unit02.test_softmax(test, hidden=hidden, points=60)
            == np.floor(300 * (fair and np.mean(caught))) / 10
        )


@pytest.mark.parametrize("module", [unit01_tests, unit02_tests])
def test_every_version_runs_and_every_wrong_one_is_another_function(module):
    words, rng = np.array([-1, 0, 0, 0, 1, 2, 2, -1, -1]), np.random.default_rng
    args = {
        unit01_tests: lambda: (words.copy(), 0.4, rng(3)),
        unit02_tests: lambda: (np.array([[1.0, 2.0], [5.0, 3.0]]), 0),
    }
    for version in module.RIGHT + module.WRONG + module.MORE:
        assert np.shape(version.function(*args[module]())) == np.shape(args[module]()[0]), version.words
