"""Cheap tricks that a check notices in its own process; only a second process prevents the others."""

import builtins
import inspect
import re
import sys

import numpy as np
import pytest

from minibert import reference
from minibert.course import unit01, unit02
from minibert.course.checks import compare
from minibert.course.checks.exercise import UNTOUCHED, CheckFailed, Exercise
from minibert.course.checks.noted import RecordingAnswer

NUMBERS = re.compile(r"\d\.\d|\d\d")  # values and seeds; "sum to 1" is none


def wrong(x, axis=-1):
    return np.zeros_like(x)


def message(answer, check=unit02.softmax, **options):
    with pytest.raises(CheckFailed) as failure:
        check(answer, **options)
    return str(failure.value)


@pytest.mark.parametrize(
    "place, name",
    [
        (np, "allclose"),
        (np, "array_equal"),
        (np, "isclose"),
        (np, "asarray"),
        (builtins, "isinstance"),
        (builtins, "all"),
        (builtins, "len"),
        (np.random, "default_rng"),
        (compare, "close"),
        (reference, "softmax"),
    ],
)
def test_a_replaced_tool_is_named(monkeypatch, place, name):
    original = getattr(place, name)
    monkeypatch.setattr(place, name, lambda *args, **kwargs: original(*args, **kwargs))
    assert f"{name}` has been replaced" in message(unit02.softmax.reference)


def test_nobody_looks_at_tools_where_no_code_of_a_student_runs(monkeypatch):
    monkeypatch.setattr(np, "allclose", lambda *args, **kwargs: True)
    with pytest.raises(CheckFailed, match="np.allclose` has been replaced"):
        UNTOUCHED.look()
    monkeypatch.setattr(UNTOUCHED, "needed", False)
    UNTOUCHED.look()


@pytest.mark.parametrize("place, name", [(np, "allclose"), (np, "array_equal"), (compare, "close")])
def test_a_tool_that_the_answer_replaces_while_it_runs_is_named(monkeypatch, place, name):
    def answer(x, axis=-1):
        monkeypatch.setattr(place, name, lambda *args, **kwargs: True)
        return np.zeros_like(x)

    said = message(answer)
    monkeypatch.undo()
    assert "has been replaced" in said or "softmax" in said


def test_a_reference_whose_code_is_exchanged_is_named(monkeypatch):
    monkeypatch.setattr(reference.softmax, "__code__", wrong.__code__)
    assert "`minibert.reference" in message(wrong)


def test_a_class_whose_method_is_exchanged_or_has_other_code_is_named(monkeypatch):
    with monkeypatch.context() as exchanged:
        exchanged.setattr(RecordingAnswer, "many", lambda self, rows: [])
        assert "noted.RecordingAnswer` has been replaced" in message(wrong)
    monkeypatch.setattr(RecordingAnswer.many, "__code__", wrong.__code__)
    assert "noted.RecordingAnswer` has been replaced" in message(wrong)


def test_an_exercise_whose_reference_is_exchanged_is_named():
    original = unit02.softmax.reference
    object.__setattr__(unit02.softmax, "reference", wrong)
    try:
        assert "check.softmax` has been replaced" in message(wrong)
    finally:
        object.__setattr__(unit02.softmax, "reference", original)


class Agreeable:
    """Equal to everything."""

    shape = (3, 4, 5)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def numpy(self):
        return self


class AgreeableArray(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return True

    def __eq__(self, other):
        return np.ones(self.shape, bool)


class Text(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


@pytest.mark.parametrize(
    "result",
    [
        lambda x: Agreeable(),
        lambda x: np.zeros(x.shape).view(AgreeableArray),
        lambda x: np.full(x.shape, Agreeable()),
        lambda x: np.ma.masked_all(x.shape),
        lambda x: np.full(x.shape, np.nan),
        lambda x: np.zeros(x.shape, complex),
    ],
    ids=["equal to all", "array subclass", "objects", "masked", "nan", "complex"],
)
def test_a_result_that_only_pretends_to_be_equal_fails(result):
    assert message(lambda x, axis=-1: result(x))


@pytest.mark.parametrize(
    "right, result",
    [
        ("yes", Text("no")),
        (None, Agreeable()),
        (0.5, Agreeable()),
        ([1], "1"),
        ({"a": 1.0}, {"a": Agreeable()}),
        ((1, 2), {1, 2}),
    ],
)
def test_other_results_that_only_pretend_fail_too(right, result):
    check = Exercise("f", ("x",), lambda rng: [(1,)], lambda x: right)
    check(lambda x: right) if right is not None else None
    assert message(lambda x: result, check)


@pytest.mark.parametrize("leave", [lambda: sys.exit(0), lambda: exec("raise SystemExit")])
def test_leaving_the_program_is_no_way_to_pass(leave):
    assert "it ends the program" in message(lambda x, axis=-1: leave())


def tells(x, axis=-1):
    raise CheckFailed(f"x is {x}")


def errs(x, axis=-1):
    raise ValueError(f"x is {x}")


def named_after_the_input(x, axis=-1):
    raise type(f"Saw{x.flat[0]}", (Exception,), {})()


def prints(x, axis=-1):
    print(x)
    print(x, file=sys.stderr)
    return x


@pytest.mark.parametrize("answer", [tells, errs, named_after_the_input, prints, wrong])
def test_a_hidden_check_prints_neither_inputs_nor_seeds_nor_values(answer, capsys):
    said = message(answer, seed=4021, hidden=True)
    printed = capsys.readouterr()
    assert not NUMBERS.search(said + printed.out + printed.err)


@pytest.mark.parametrize(
    "name", ["choose_positions", "corrupt_80_10_10", "whole_word_positions", "span_positions"]
)
def test_an_error_inside_a_hidden_invariant_tells_nothing_of_the_input(name, capsys):
    check, calls = getattr(unit01, name), []
    ours = check.implementations[0]

    def answer(*args):
        calls.append(1)
        if len(calls) > len(check.cases(np.random.default_rng(0))) + 1:
            raise ValueError(f"{args}")
        return np.zeros_like(args[0], dtype=args[0].dtype if name == "corrupt_80_10_10" else bool)

    answer.__signature__ = inspect.signature(ours)
    said = message(answer, check, seed=4021, hidden=True)
    assert not NUMBERS.search(said.removeprefix(name))


def test_the_expected_values_are_known_before_the_answer_runs_for_the_first_time():
    order = []
    check = Exercise("f", ("x",), lambda rng: [(1,), (2,)], lambda x: order.append("ours") or x)
    check(lambda x: order.append("hers") or x)
    assert order == ["ours", "ours", "hers", "hers", "hers"]  # the last one: the same input once more
