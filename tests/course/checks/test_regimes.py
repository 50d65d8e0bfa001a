"""The inputs of a check in other regimes."""

import numpy as np

from minibert.course.checks.climb import beyond
from minibert.course.checks.regimes import LISTS, PLACES, REGIMES, in_regimes
from minibert.course.unit02 import softmax

X = np.array([[0.3, -1.7, 0.4], [2.6, 0.2, -0.6]])


def test_each_regime_has_what_its_name_says_and_keeps_the_shape():
    found = dict(zip(REGIMES, (x for (x,), _ in in_regimes([(X,)], lambda x: 0)), strict=True))
    assert all(x.shape == X.shape for x in found.values())
    assert 0 < abs(found["tiny"]).max() < 1e-6 and abs(found["huge"]).max() > 1e5
    assert (found["whole"] == found["whole"].round()).all() and len(np.unique(found["whole"])) > 2
    assert len(np.unique(found["equal"])) == 1 < len(np.unique(found["ties"])) < X.size
    assert found["negative"].max() < 0
    assert not found["columns first"].flags.c_contiguous and (found["columns first"] == X).all()


def test_one_array_is_changed_at_a_time_wherever_it_stands():
    tables = {"a": X, "b": [X[0], X[1]], "seen": X > 0}
    first, *_, last, _ = found = [case for case, _ in in_regimes([(0, tables)], lambda x, _: 0)]
    assert len(found) == 3 * len(REGIMES)
    assert [
        (one["a"] is not X, [x is not y for x, y in zip(one["b"], tables["b"], strict=True)])
        for _, one in (first, last)
    ] == [(True, [False, False]), (False, [False, True])]


def test_of_many_arrays_a_few_are_changed_in_each_case_and_all_in_some():
    case = ([np.array([float(n)]) for n in range(10)],)
    found = in_regimes([case] * 3, lambda arrays: 0)
    assert len(found) == 3 * PLACES * len(REGIMES)
    assert {n for (arrays,), _ in found for n in range(10) if arrays[n] != n} == set(range(10))


def test_numbers_lists_and_texts_are_changed_where_they_may_be_any():
    found = [case for case, _ in in_regimes([(2.0, "abc", "def")], lambda *_: 0, free=(0, 1))]
    assert [one for one, *_ in found[: len(REGIMES)]][:4] == [1e-8, 1e-5, 1e6, 6.0]
    assert {text for _, text, _ in found} == {"abc", "a", "aaa", "cba", "abcabc", ("abc" * 34)[:100]}
    assert len(found) == len(REGIMES) + len(LISTS) and {rest for *_, rest in found} == {"def"}


def test_inputs_that_have_no_result_or_whose_result_is_a_matter_of_rounding_are_left_out():
    assert in_regimes([(X,)], lambda x: np.full(3, np.inf)) == []
    assert len(in_regimes([(X,)], lambda x: x.sum() * 1e9 % 7)) < len(REGIMES) / 2
    assert len(in_regimes([("abc",)], lambda text: ord(text), free=(0,))) == 1  # of one letter


def test_each_input_comes_with_its_right_result_and_is_made_once():
    pairs = in_regimes([(X,)], lambda x: x.sum())
    assert pairs and all(right == x.sum() for (x,), right in pairs)
    assert beyond(softmax, 3) is beyond(softmax, 3) and len(beyond(softmax, 3)) > len(REGIMES)
