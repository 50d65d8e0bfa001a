"""Tests that students write: versions are passed by name, verdicts come back as text, messages say more."""
import importlib.util

import numpy as np
import pytest

from minibert.checks import unit02
from minibert.checks.engine.exercise import CheckFailed
from minibert.checks.engine.student_tests import by_name, candidate, student_test
from minibert.checks.engine.tampering import UNTOUCHED
from minibert.checks.unit01 import versions as unit01_tests
from minibert.checks.unit02 import versions as unit02_tests

MODULE = "minibert.checks.unit02.versions"


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


def test_names_go_in_and_text_comes_out():
    said = sums([f"{MODULE}:RIGHT.0", f"{MODULE}:WRONG.0", f"{MODULE}:WRONG.1"])
    assert said == ["accepted", "AssertionError: sums", "accepted"]


def test_the_assert_is_quoted_where_it_has_no_message(tmp_path):
    path = tmp_path / "cell.py"                             # pytest would rewrite an assert of this file
    path.write_text("def test(softmax):\n    assert softmax([0.0, 0.0]).sum() == 3\n")
    spec = importlib.util.spec_from_file_location("cell", path)
    cell = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cell)
    test = by_name(cell.test)
    assert test([f"{MODULE}:RIGHT.0"]) == ["AssertionError: assert softmax([0.0, 0.0]).sum() == 3"]


def test_what_a_test_prints_is_not_shown(capsys):
    by_name(lambda softmax: print(softmax))([f"{MODULE}:RIGHT.0"])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["os:system.0", "minibert.checks.unit02.versions", f"{MODULE}:RIGHT.first"])
def test_a_candidate_comes_from_the_checks_only(name):
    with pytest.raises(ValueError,
                       match=f"candidate '{name}': the form is minibert.checks.MODULE:TUPLE.NUMBER"):
        candidate(name)


def test_a_candidate_does_not_say_where_it_comes_from():
    right, wrong = candidate(f"{MODULE}:RIGHT.0"), candidate(f"{MODULE}:WRONG.0")
    assert right.__name__ == wrong.__name__ == "version"
    assert right.__module__ == wrong.__module__


def test_a_stub_is_not_written_yet():
    @by_name
    def test_softmax(softmax):
        raise NotImplementedError()
    assert (message(test_softmax)
            == "test_softmax: not written yet. Replace `raise NotImplementedError()` by your answer.")


def test_the_message_counts_what_is_caught_and_names_what_is_missed():
    assert "catches 2 of 7 wrong versions. It lets one pass that ignores `axis`" in message(sums)


def test_the_held_back_versions_are_tried_after_handing_in_only(capsys):
    @by_name
    def shallow(softmax):
        for axis in (0, 1):
            y = softmax(np.array([[1.0, -2.0], [-0.5, 0.5]]), axis)
            assert np.allclose(y.sum(axis), 1) and (y > 0).all() and not np.allclose(y, 0.5)
        assert np.allclose(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]])), 0.5)
    unit02.test_softmax(shallow)
    said = capsys.readouterr().out
    assert "accepts 3 right versions" in said and "catches 7 wrong versions" in said and "more" not in said
    assert "reverses the order" in message(shallow, hidden=True)


def test_a_check_of_a_test_leaves_no_exercise_behind():
    before = len(UNTOUCHED.exercises)
    for hidden in (False, True):
        message(sums, hidden=hidden)
    assert len(UNTOUCHED.exercises) == before


@pytest.mark.parametrize("test, fair", [
    (sums, True), (by_name(lambda softmax: None), False), (by_name(lambda softmax: 1 / 0), False)],
    ids=["sums", "nothing", "always fails"])
def test_with_points_the_share_is_that_of_the_wrong_versions_it_catches(test, fair):
    caught = [said != "accepted"
              for said in sums([f"{MODULE}:WRONG.{i}" for i in range(len(unit02_tests.WRONG))])]
    assert 0 < np.mean(caught) < 1
    for hidden in (False, True):
        assert unit02.test_softmax(test, hidden=hidden,
                                   points=60) == np.floor(300 * (fair and np.mean(caught))) / 10


@pytest.mark.parametrize("module", [unit01_tests, unit02_tests])
def test_every_version_runs_and_every_wrong_one_is_another_function(module):
    words, rng = np.array([-1, 0, 0, 0, 1, 2, 2, -1, -1]), np.random.default_rng
    args = {unit01_tests: lambda: (words.copy(), 0.4,
                                   rng(3)), unit02_tests: lambda: (np.array([[1.0, 2.0], [5.0, 3.0]]), 0)}
    for version in module.RIGHT + module.WRONG + module.MORE:
        assert np.shape(version.function(*args[module]())) == np.shape(args[module]()[0]), version.words


def test_a_module_without_right_versions_is_noticed():
    with pytest.raises(AttributeError, match="RIGHT"):
        student_test("test_f", ("f",), np, ())
