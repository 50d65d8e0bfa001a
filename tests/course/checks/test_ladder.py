"""A failed check knows its step, its numbers and a small example; so do partial credit and speed."""

import time
from dataclasses import replace

import numpy as np
import pytest

from minibert.course.checks.climb import beyond
from minibert.course.checks.exercise import CheckFailed, Exercise, Invariant, Mistake, Speed, pairs
from minibert.course.checks.failure import Failure


def add_rows(x, y, factor):
    return (x + y) * factor


def cases(rng):
    return [
        (rng.normal(size=(2, 3, 5)), rng.normal(size=5), 2.0),
        (rng.normal(size=(1, 4)), rng.normal(size=4), -1.0),
    ]


CHECK = Exercise(
    "add_rows",
    ("x", "y", "factor"),
    cases,
    add_rows,
    invariants=(Invariant("factor 0 gives 0", lambda f, rng: not f(np.ones((1, 2)), np.ones(2), 0.0).any()),),
)
WHOLE = Exercise("whole", ("x",), lambda rng: [(3,)], lambda x: np.arange(x))
FLAGS = Exercise("flags", ("x",), lambda rng: [(3,)], lambda x: np.arange(x) > 1)


def failure(answer, check=CHECK, **options):
    with pytest.raises(CheckFailed) as failed:
        check(answer, **options)
    return failed.value.failure


def in_place(x, y, factor):
    x += y
    return x * factor


def stub(x, y, factor):
    raise NotImplementedError()


def keeps(x, y, factor, count=[]):  # noqa: B006 - the mistake that beginners make
    count.append(1)
    return add_rows_again(x, y, factor) + (len(count) > 2)


def add_rows_again(x, y, factor):
    return (x + y) * factor


@pytest.mark.parametrize(
    "step, answer",
    [
        ("exists", 3),
        ("exists", stub),
        ("signature", lambda x: x),
        ("type", lambda x, y, factor: {"x": x}),
        ("dtype", lambda x, y, factor: ((x + y) * factor).astype(object)),
        ("shape", lambda x, y, factor: x[None]),
        ("inputs untouched", in_place),
        ("deterministic", keeps),
        ("invariants", lambda x, y, factor: (x + y) * factor + 1),
        ("values", lambda x, y, factor: (x - y) * factor),
    ],
)
def test_a_failure_names_its_step(step, answer):
    assert failure(answer).step == step


def test_an_unknown_step_is_refused():
    with pytest.raises(ValueError, match="unknown step 'luck'; the steps are exists, signature"):
        Failure("luck", "no")


@pytest.mark.parametrize(
    "check, answer, step, said",
    [
        (FLAGS, lambda x: np.arange(x) // 2, "dtype", "it should be bool"),
        (WHOLE, lambda x: np.array(["a"] * x), "dtype", "it should be an integer dtype"),
        (WHOLE, lambda x: 3, "type", "an array of shape (3,)"),
        (
            Exercise("f", ("x",), lambda rng: [(1,)], lambda x: [[1], [2, 3]]),
            lambda x: 5,
            "type",
            "it should return a list",
        ),
        (
            Exercise("f", ("x",), lambda rng: [(1,)], lambda x: "ab"),
            lambda x: ["a", "b"],
            "type",
            "it should return a str",
        ),
    ],
)
def test_the_kind_of_a_result_is_a_step_of_its_own(check, answer, step, said):
    found = failure(answer, check)
    assert found.step == step and said in found.sentence


def test_lists_of_unequal_rows_are_compared_by_their_parts():
    check = Exercise("f", ("x",), lambda rng: [(1,)], lambda x: [["a"], ["b", "c"]])
    check(lambda x: [["a"], ["b", "c"]])
    check(lambda x: [np.array(["a"]), ("b", "c")])
    assert (
        "expected [['a'], ['b', 'c']], got [['a'], ['b', 'd']]"
        in failure(lambda x: [["a"], ["b", "d"]], check).detail
    )


def test_the_numbers_of_a_failure_are_those_where_the_results_differ_most():
    def wrong(x, y, factor):
        got = (x + y) * factor
        got.flat[got.size // 2] += 3
        return got

    found = failure(wrong)
    assert found.where == (1, 0, 0) and found.largest == pytest.approx(3)
    assert found.got - found.expected == pytest.approx(3)
    expected, got = found.picture
    assert expected.shape == got.shape == (3, 5)
    assert (expected != got).sum() == 1


def test_a_picture_shows_a_part_of_what_is_large():
    check = Exercise("f", ("n",), lambda rng: [(40,)], lambda n: np.zeros((n, n)))

    def wrong(n):
        got = np.zeros((n, n))
        got[37, 2] = 1
        return got

    expected, got = failure(wrong, check).picture
    assert expected.shape == (10, 10) and got[7, 2] == 1


def test_an_unknown_mistake_is_shown_on_a_small_input():
    found = failure(lambda x, y, factor: (x + y + (x > 0)) * factor)
    assert found.step == "values"
    assert found.example == (
        "A small example: add_rows(x=[[0.4]], y=[1.5], factor=-1.0)\n"
        "  gives     [[-2.9]]\n  should be [[-1.9]]"
    )


def test_a_broken_invariant_is_shown_with_the_call_that_broke_it():
    assert failure(lambda x, y, factor: (x + y) * factor + (factor == 0)).example == (
        "add_rows([[1., 1.]], [1., 1.], 0.0) gives [[1., 1.]]"
    )


def test_a_wrong_value_is_shown_on_a_small_input_also_where_an_invariant_says_what_is_wrong():
    found = failure(lambda x, y, factor: (x + y) * factor + 1)
    assert found.step == "invariants" and "should be" in found.example


def test_no_small_example_is_made_up_where_only_the_large_input_fails():
    found = failure(lambda x, y, factor: (x + y) * factor + (x.size > 29))
    assert found.example == ""


def test_no_small_example_is_one_whose_right_result_is_no_number():
    at_most_two = Exercise("f", ("x",), lambda rng: [(np.array([1.0, 2.0, 30.0]),)], lambda x: x[1:].mean())
    with np.errstate(all="ignore"):
        assert "should be nan" not in str(failure(lambda x: 0.1, at_most_two))


def test_a_small_example_keeps_what_the_text_promises():
    def ranks(order):
        return order.argsort(-1)

    def is_order(order):
        return (np.sort(order) == np.arange(order.shape[-1])).all()

    check = Exercise("ranks", ("order",), lambda rng: [(np.array([[3, 0, 2, 1]]),)], ranks)
    assert "order=[[3]]" in failure(lambda order: order.argsort(-1) + 1, check).example
    promised = replace(check, allowed=is_order)
    assert "order=[[3, 0, 2, 1]]" in failure(lambda order: order.argsort(-1) + 1, promised).example


def test_variants_of_the_inputs_keep_what_the_text_promises():
    check = Exercise("f", ("x",), lambda rng: [(rng.random(3) + 1,)], lambda x: x)
    positive = replace(check, allowed=lambda x: (x > 0).all())
    assert len(beyond(positive, 0)) < len(beyond(check, 0))
    assert all((x > 0).all() for (x,), _ in beyond(positive, 0))


def test_a_small_example_does_not_show_two_results_that_look_alike():
    check = Exercise("f", ("x",), lambda rng: [(np.ones(2),)], lambda x: np.zeros((len(x) - 1, 3)))
    assert (
        "gives     []"
        not in failure(lambda x: np.zeros((len(x) - 1, len(x) + 1)) + len(x) - 1, check).example
    )


def test_axes_that_have_become_equal_are_not_shortened_together():
    check = Exercise("f", ("x",), lambda rng: [(np.ones((5, 2)),)], lambda x: x + 1)
    assert "f(x=[[1.], [1.]])" in failure(lambda x: x + (len(x) < 2), check).example


def test_where_the_input_that_fails_is_too_long_a_smaller_one_is_shown_with_its_dict():
    check = Exercise("f", ("x",), lambda rng: [([1] * 300,), (np.ones(3),)], lambda x: {"all": sum(x)})
    found = failure(lambda x: {"all": -sum(x)}, check)
    assert found.example == "A small example: f(x=[1.])\n  gives     {'all': -1.}\n  should be {'all': 1.}"


def test_what_the_answer_prints_is_seen_once_for_each_input_and_not_in_search_of_an_example(capsys):
    def answer(x, y, factor):
        print("here")
        return (x - y) * factor

    assert failure(answer).example
    assert capsys.readouterr().out == "here\n"


def test_a_hidden_failure_has_a_step_and_a_sentence_only():
    found = failure(lambda x, y, factor: (x - y) * factor, hidden=True)
    assert found == Failure("values", "the values differ from the reference on a fresh input.")


def power(base=2, sign=1, shift=0):
    return lambda x: sign * base**x + shift


POWER = Exercise(
    "power",
    ("x",),
    lambda rng: [(0,), (1,), (2,)],
    power(),
    mistakes=(
        Mistake("the base is 3.", power(3)),
        Mistake("1 is added.", power(shift=1)),
        *pairs(
            power,
            ({"base": 3}, "the base is 3"),
            ({"shift": 1}, "1 is added"),
            ({"base": 5}, "the base is 5"),
        ),
    ),
)


@pytest.mark.parametrize(
    "answer, said",
    [
        (power(3), "the base is 3."),
        (power(shift=1), "1 is added."),
        (power(3, shift=1), "two mistakes at once: the base is 3; and 1 is added."),
        (power(5, shift=1), "two mistakes at once: 1 is added; and the base is 5."),
    ],
)
def test_two_mistakes_at_once_are_both_named_though_the_first_input_shows_one(answer, said):
    assert failure(answer, POWER).sentence == said


def test_pieces_that_exclude_each_other_make_no_pair():
    assert len(POWER.mistakes) == 4


def test_what_is_fast_enough_passes_and_what_is_slow_does_not(capsys):
    slow = Speed(lambda rng: (np.zeros((40, 40)),), 20, "Sum with NumPy, not in a loop.")
    check = Exercise(
        "total", ("x",), lambda rng: [(np.eye(3),)], lambda x: float(np.sum(np.sort(x, None))), speed=slow
    )
    check(lambda x: float(x.sum()))
    assert "not in a loop" in capsys.readouterr().out

    def wait(x):
        start = time.process_time()
        while x.size > 9 and time.process_time() - start < 0.01:
            pass
        return x.sum()

    found = failure(wait, check)
    assert found.step == "speed" and "the limit is 20 times" in found.sentence


def test_a_stand_in_tells_how_long_it_took_itself():
    class Far:
        seconds = 1e-9

        def __call__(self, x):
            time.sleep(0.01)
            return x.sum()

    Exercise(
        "total",
        ("x",),
        lambda rng: [(np.eye(3),)],
        lambda x: x.sum(),
        speed=Speed(lambda rng: (np.eye(3),), 1e6, "."),
    )(Far())


@pytest.mark.parametrize(
    "answer, earned",
    [
        (lambda x, y, factor: (x + y) * factor, 3.0),  # right
        (lambda x, y, factor: (x + y) * abs(factor), 0.7),  # right on one of two inputs: 3 / 4
        (lambda x, y, factor: x * 0, 0.0),
        (stub, 0.0),
        (3, 0.0),
        (in_place, 0.0),
        (lambda x, y, factor: 1 / (factor + 1) * 0 + (x + y) * factor, 0.7),
    ],
)  # one input ends in an error
def test_partial_credit_counts_the_inputs_that_come_out_right(answer, earned, capsys):
    assert CHECK(answer, seed=3, hidden=True, points=3) == earned
    assert ("passed" in capsys.readouterr().out) == (earned == 3)


def test_without_a_reference_partial_credit_counts_the_invariants_up_to_the_first_broken_one(capsys):
    check = Exercise(
        "f",
        ("x",),
        lambda rng: [(1,)],
        invariants=(
            Invariant("a number", lambda f, rng: isinstance(f(1), int), "dtype"),
            Invariant("even", lambda f, rng: f(1) % 2 == 0),
            Invariant("small", lambda f, rng: f(1) < 9),
            Invariant("not zero", lambda f, rng: f(1) != 0),
        ),
    )
    assert [check(lambda x, y=y: y, points=6) for y in (2, 0, 10, 3)] == [6.0, 2.0, 1.0, 0.0]


def test_partial_credit_is_also_given_with_a_lent_function(capsys):
    place = {}
    exec(
        "def add_rows(x, y, factor): return x\ndef twice(x): return add_rows(x, x, 1.0) * (1 if x.size < 4 "
        "else 2)",
        place,
    )
    twice = Exercise(
        "twice",
        ("x",),
        lambda rng: [(rng.normal(size=3),), (rng.normal(size=4),)],
        lambda x: 2 * x,
        builds_on=(CHECK,),
    )
    assert twice(place["twice"], points=4) == 1.0
    assert "Checked with our add_rows" in capsys.readouterr().out
