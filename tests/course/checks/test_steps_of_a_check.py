"""Each step of a check, on a small exercise of its own."""

import warnings

import numpy as np
import pytest
import torch

from minibert.course.checks import hidden_seeds
from minibert.course.checks.exercise import UNTOUCHED, CheckFailed, Exercise, Invariant, Mistake


def double_rows(x, factor):
    return x * factor


def cases(rng):
    return [(rng.normal(size=(2, 3)), 2.0), (rng.normal(size=(1, 4)), 3.0)]


CHECK = Exercise(
    "double_rows",
    ("x", "factor"),
    cases,
    double_rows,
    hints=("multiply", "x * factor"),
    mistakes=(
        Mistake("you add the factor.", lambda x, factor: x + factor),
        Mistake("`@` is the matrix product.", lambda x, factor: x @ factor),
    ),
    invariants=(
        Invariant("factor 1 changes nothing", lambda f, rng: bool((f(np.ones((2, 2)), 1.0) == 1).all())),
        Invariant("factor 0 gives 0", lambda f, rng: not f(np.ones(3), 0.0).any() or "factor 0 must give 0"),
    ),
)


def message(answer, check=CHECK, **options):
    with pytest.raises(CheckFailed) as failure:
        check(answer, **options)
    return str(failure.value)


def in_place(x, factor):
    x *= factor
    return x


def changes_a_list(items, rng):
    items[0].append(1)
    return 0


def test_a_right_answer_passes_and_hears_what_was_verified(capsys):
    CHECK(lambda x, factor: factor * x)
    said = capsys.readouterr().out
    assert "double_rows: passed" in said
    assert "factor 1 changes nothing" in said and "the same results as the reference on 18 inputs" in said


def test_a_hidden_check_does_not_tell_what_it_verified(capsys):
    CHECK(lambda x, factor: factor * x, seed=3, hidden=True)
    assert capsys.readouterr().out == "double_rows: passed.\n"


def stub(x, factor):
    raise NotImplementedError()


@pytest.mark.parametrize(
    "answer, said",
    [
        (3, "this is of type int, not a function"),
        (stub, "double_rows: not written yet. Replace `raise NotImplementedError()` with your code."),
        (lambda x: x, "takes (x); it should take (x, factor)"),
        (lambda factor, x: x, "takes (factor, x); it should take (x, factor)"),
        (lambda x, factor: None, "returns None. Is the `return` missing?"),
        (in_place, "it changes its inputs"),
        (lambda x, factor: [[x], [x, factor]], "returns a list; it should return an array of shape"),
        (lambda x, factor: (x * factor).T, "the shape is (3, 2); it should be (2, 3)"),
        (lambda x, factor: (x, factor), "it should return an array of shape (2, 3)"),
        (lambda x, factor: factor + x, "double_rows: you add the factor."),
    ],
)
def test_what_is_wrong_is_named_with_what_is_right(answer, said):
    assert said in message(answer)


def test_more_parameters_with_defaults_are_welcome():
    CHECK(lambda x, factor, more=1: x * factor)


def test_a_function_without_a_signature_is_judged_by_its_values():
    class Silent:
        __signature__ = "none"

        def __call__(self, x, factor):
            return x * factor

    CHECK(Silent())


def test_the_students_own_exception_comes_through():
    with pytest.raises(ZeroDivisionError):
        CHECK(lambda x, factor: 1 / 0)


def test_an_exception_that_a_known_mistake_raises_too_comes_with_its_hint(capsys):
    with pytest.raises(ValueError):
        CHECK(lambda x, factor: x @ factor)
    assert "`@` is the matrix product" in capsys.readouterr().out


def test_changing_a_list_within_the_inputs_is_named():
    nested = Exercise("f", ("items", "rng"), lambda rng: [([[0]], rng)])
    assert "it changes its inputs. Build a new list" in message(changes_a_list, nested)


def test_a_known_mistake_that_warns_is_not_heard():
    empty = Exercise(
        "f",
        ("x",),
        lambda rng: [(np.ones(3),)],
        lambda x: x.mean(),
        mistakes=(Mistake("this is the mean of nothing.", lambda x: x[:0].mean()),),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert "expected 1, got 2" in message(lambda x: 2.0, empty)
    assert caught == []


@pytest.mark.parametrize(
    "right, wrong, said",
    [
        ((1.0, 2.0), (1.0,), "it should return 2 values"),
        ({"a": 1.0}, {"b": 1.0}, "with the keys 'a'"),
        (np.array([True, False]), np.array([1, 0]), "it should be bool"),
        (2.0, np.ones(3), "it should return one number"),
        ((1.0, 2.0), (1.0, 3.0), "in result 2 of 2"),
        ({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 3.0}, "for 'b'"),
    ],
)
def test_other_kinds_of_results_are_compared_too(right, wrong, said):
    check = Exercise("f", ("x",), lambda rng: [(1,)], lambda x: right)
    check(lambda x: right)
    assert said in message(lambda x: wrong, check)


def test_of_several_mistakes_the_one_is_named_that_would_not_show_where_the_answer_is_right():
    grows, mistakes = (
        3.0 * np.ones(2),
        (Mistake("always.", lambda x: x + 1), Mistake("from 3.", lambda x: x + (x >= 3))),
    )
    check = Exercise(
        "f", ("x",), lambda rng: [(np.ones(2),), (grows,), (grows + 1,)], lambda x: x, mistakes=mistakes
    )
    assert message(lambda x: x + 1, check) == "f: always."
    assert message(lambda x: x + (x >= 3), check) == "f: from 3."


@pytest.mark.parametrize("other", [lambda x, factor: x * factor, lambda x, factor: x - factor])
def test_a_mistake_that_has_other_results_on_one_input_is_not_named(other):
    for answer in (
        lambda x, factor: factor + x if factor > 2 else other(x, factor),
        lambda x, factor: other(x, factor) if factor > 2 else factor + x,
    ):
        said = message(answer)
        assert "you add the factor" not in said and "expected" in said and "got" in said


def test_of_two_mistakes_with_the_same_results_none_is_named_but_a_single_one_before_a_pair():
    def said(*hints):
        mistakes = tuple(Mistake(hint, lambda x: x + 1) for hint in hints)
        check = Exercise("f", ("x",), lambda rng: [(1.0,)], lambda x: x, mistakes=mistakes)
        return message(lambda x: x + 1, check)

    assert said("one.", "one.", "two mistakes at once: this; and that.") == "f: one."
    assert said("one.", "other.") == "f: With x = 1.0: expected 1, got 2.\nA small example: f(x=1.0)" + (
        "\n  gives     2.0\n  should be 1.0"
    )


def test_of_mistakes_that_raise_the_same_error_the_one_is_named_that_is_right_elsewhere(capsys):
    def inverse(x):
        return 1 / x

    check = Exercise(
        "inverse",
        ("x",),
        lambda rng: [(2.0,), (0.0,)],
        lambda x: 1 / x if x else 0.0,
        mistakes=(Mistake("it is not 2 / x.", lambda x: 2 / x), Mistake("0 has none.", lambda x: 1 / x)),
    )
    with pytest.raises(ZeroDivisionError):
        check(inverse)
    printed = capsys.readouterr().out
    assert "0 has none." in printed and "2 / x." not in printed


def test_an_unknown_mistake_hears_a_broken_invariant_and_the_numbers():
    said = message(lambda x, factor: x * factor + 1)
    assert "factor 1 changes nothing" in said and "expected" in said and "got" in said


def test_float32_answers_pass_within_their_precision():
    CHECK(lambda x, factor: (x * factor).astype(np.float32))
    assert "differ" in message(lambda x, factor: (x * factor * 1.001).astype(np.float32))


def test_where_there_is_no_reference_the_invariants_decide():
    check = Exercise(
        "f",
        ("x",),
        lambda rng: [(1,)],
        invariants=(
            Invariant("it is even", lambda f, rng: f(3) % 2 == 0),
            Invariant("it is small", lambda f, rng: f(3) < 9 or "too large"),
        ),
    )
    check(lambda x: 2 * x)
    assert "this should hold, but does not: it is even" in message(lambda x: x, check)
    assert "f: too large" in message(lambda x: 4 * x, check)


def test_the_reference_and_the_packages_functions_are_refused_under_any_name():
    def ours(x, factor):
        return x * factor

    check = Exercise("double_rows", ("x", "factor"), cases, double_rows, implementations=(ours,))
    other_name = ours
    assert "the package's own implementation" in message(lambda x, factor: other_name(x, factor), check)
    assert "the package's own implementation" in message(lambda x, factor: double_rows(x, factor), check)
    assert double_rows(2, 3) == 6, "they work again after the check"


def test_the_same_seed_gives_the_same_inputs_and_another_seed_others():
    seen = {}
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):

        def answer(x, factor, name=name):
            seen.setdefault(name, x.copy())
            return x * factor

        CHECK(answer, seed=seed, hidden=True)
    assert np.array_equal(seen["first"], seen["again"]) and not np.array_equal(seen["first"], seen["other"])


FOURFOLD = Exercise(
    "fourfold", ("x",), lambda rng: [(rng.normal(size=3),)], lambda x: 4 * x, builds_on=(CHECK,)
)


def test_an_earlier_answer_that_is_missing_or_wrong_is_lent(capsys):
    place = {}
    exec("def fourfold(x): return double_rows(double_rows(x, 2.0), 2.0)", place)
    FOURFOLD(place["fourfold"])
    assert "Checked with our double_rows" in capsys.readouterr().out and "double_rows" not in place
    place["double_rows"] = lambda x, factor: x
    FOURFOLD(place["fourfold"])
    said = "(Checked with our double_rows: yours {}.)"
    assert said.format("does not pass its own check yet") in capsys.readouterr().out
    exec("def fourfold(x): return 2 * double_rows(x, 2.0).astype(float)", place)
    place["double_rows"] = lambda x, factor: torch.as_tensor(x * factor)
    FOURFOLD(place["fourfold"])
    assert said.format("returns tensors instead of NumPy arrays") in capsys.readouterr().out
    place["double_rows"] = lambda x, factor: x * factor
    FOURFOLD(place["fourfold"])
    assert "Checked with" not in capsys.readouterr().out


def test_two_right_answers_that_do_not_fit_together_cost_nothing(capsys):
    place = {"np": np}
    exec(
        "def double_rows(x, factor): return (x * factor).astype(np.float32)\ndef fourfold(x):\n"
        "    twice = double_rows(x, 2.0)\n    if twice.dtype != x.dtype: raise RuntimeError('mixed')\n"
        "    return 2 * twice",
        place,
    )
    CHECK(place["double_rows"])
    FOURFOLD(place["fourfold"])
    assert "our double_rows: together with yours, this function does not pass" in capsys.readouterr().out
    exec("def fourfold(x): return 3 * double_rows(x, 2.0)", place)
    assert "Checked with" not in message(place["fourfold"], FOURFOLD)
    exec(
        "def fourfold(x):\n    twice = double_rows(x, 2.0)\n"
        "    if twice.dtype != x.dtype: raise RuntimeError('mixed')\n    return 3 * twice",
        place,
    )
    for hidden in (False, True):  # what is wrong with ours too says more than that the two do not fit
        said = message(place["fourfold"], FOURFOLD, hidden=hidden)
        assert "together with yours, this function does not pass" in said


def test_inputs_are_others_in_each_run_of_a_grader_and_the_same_within_it(monkeypatch):
    monkeypatch.setattr(UNTOUCHED, "needed", False)  # as in a grader's process

    def seen(hidden, run):
        drawn = []

        def answer(x, factor):
            drawn.append(x.copy())
            return x * factor

        monkeypatch.setattr(hidden_seeds, "of_this_run", run)
        CHECK(answer, seed=5, hidden=hidden)
        return drawn[0]

    assert np.array_equal(seen(True, 0), seen(False, 0))  # without a grader, what the test names
    for hidden in (True, False):
        assert np.array_equal(seen(hidden, 7), seen(hidden, 7))
        assert not np.array_equal(seen(hidden, 7), seen(hidden, 8))
        assert not np.array_equal(seen(hidden, 7), seen(hidden, 0))
    assert not np.array_equal(seen(True, 7), seen(False, 7))


def test_a_hidden_check_names_no_function_of_hers_that_is_not_written():
    place = {}
    exec("def seen_314(x): raise NotImplementedError\ndef double_rows(x, factor): return seen_314(x)", place)
    assert "it calls a function, which is not written yet" in message(place["double_rows"], hidden=True)
    assert "it calls seen_314, which is not written yet" in message(place["double_rows"])


def test_each_call_shows_the_next_hint_and_the_last_one_stays(capsys):
    check = Exercise("f", ("x",), cases, hints=("look.", "look here.", "look exactly here."))
    for _ in range(4):
        check.hint()
    assert capsys.readouterr().out.splitlines() == [
        "f: hint 1 of 3: look.",
        "f: hint 2 of 3: look here.",
        *["f: hint 3 of 3: look exactly here."] * 2,
    ]


def test_a_hint_can_be_asked_for_by_its_number(capsys):
    CHECK.hint(2)
    assert capsys.readouterr().out == "double_rows: hint 2 of 2: x * factor\n"
    with pytest.raises(ValueError, match="there is no hint 3; double_rows has hints 1 to 2"):
        CHECK.hint(3)


def test_an_exercise_without_hints_says_so(capsys):
    Exercise("f", ("x",), cases).hint()
    assert "this exercise has no hints" in capsys.readouterr().out


def test_warnings_stay_silent_during_a_check(capfd):
    def warns(x):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return x + 1 + 0 * np.nan_to_num(x / x)  # NumPy warns of 0 / 0

    Exercise("f", ("x",), lambda rng: [(np.zeros(2),)], lambda x: x + 1)(warns)
    assert capfd.readouterr().err == ""


def test_a_long_message_is_wrapped_between_words():
    message = "double_rows: " + "every word stays whole " * 20
    lines = CheckFailed(message)._render_traceback_()
    assert len(lines) > 3 and max(map(len, lines)) <= 100
    assert " ".join(lines) == message.strip()
