"""A stand-in, as a grader in another process makes one, is checked like the student's own function."""

import contextlib
import inspect
from textwrap import dedent

import numpy as np
import pytest
from banks.unit01 import BANK as bank01
from banks.unit04 import BANK as bank04
from banks.unit05 import BANK as bank05

from minibert import reference
from minibert.course import unit01, unit02, unit04, unit05
from minibert.course.checks.answer_protocol import found, name_of
from minibert.course.checks.chance import global_states
from minibert.course.checks.exercise import CheckFailed, Exercise
from minibert.course.checks.guard import ENDLESS, OWN_WORK, calling, many

SOURCE = """
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def attention(q, k, v, visible=None):
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    probs = softmax(scores)
    return probs @ v, probs
"""


class AnswerProxy:
    """Knows a notebook by its names only, as if it lay in another process; writes down what it is asked."""

    def __init__(self, notebook, name):
        self.notebook, self.name, self.asked = notebook, name, []
        self.__name__, self.__signature__ = name, inspect.signature(notebook[name])

    def __call__(self, *args, **kwargs):
        return self.notebook[self.name](*args, **kwargs)

    def sibling(self, name):
        return AnswerProxy(self.notebook, name) if name in self.notebook else None

    @contextlib.contextmanager
    def lend(self, names):
        self.asked.append(("lend", names))
        before = dict(self.notebook)
        self.notebook.update(names)
        yield
        self.notebook.update(before)

    @contextlib.contextmanager
    def without(self, names):
        self.asked.append(("without", names))
        yield

    def global_states(self):
        self.asked.append(("global_states",))
        return global_states()


def notebook(source=SOURCE):
    place = {"np": np, "__name__": "notebook"}
    exec(source, place)
    return place


def test_a_right_stand_in_passes():
    answer = AnswerProxy(notebook(), "attention")
    unit02.attention(answer)
    assert ("without", ["minibert.reference.attention:attention"]) in answer.asked


def test_the_name_of_a_stand_ins_parameters_is_checked():
    with pytest.raises(CheckFailed, match=r"takes \(scores\); it should take \(x, axis\)"):
        unit02.softmax(AnswerProxy(notebook("def softmax(scores): return scores"), "softmax"))


def test_a_stand_in_is_lent_our_version_of_an_earlier_function(capsys):
    answer = AnswerProxy(notebook(SOURCE.replace("return e /", "return 2 * e /")), "attention")
    unit02.attention(answer)
    assert "Checked with our softmax" in capsys.readouterr().out
    assert ("lend", {"softmax": reference.softmax}) in answer.asked


def test_an_earlier_function_that_is_missing_is_lent_and_a_wrong_answer_stays_wrong():
    broken = notebook(SOURCE.replace("softmax(scores)", "1 + reference(scores)"))
    del broken["softmax"]
    broken["reference"] = reference.softmax
    answer = AnswerProxy(broken, "attention")
    with pytest.raises(CheckFailed):
        unit02.attention(answer)
    assert ["softmax"] in [list(asked[1]) for asked in answer.asked if asked[0] == "lend"]


def test_a_stand_ins_own_global_generators_are_watched():
    answer = AnswerProxy(
        notebook(
            "def choose_positions(candidates, rate, rng):\n    np.random.rand()\n"
            "    return candidates & (rng.random(candidates.shape) < rate)"
        ),
        "choose_positions",
    )
    with pytest.raises(CheckFailed, match="global generator of `np.random`"):
        unit01.choose_positions(answer)
    assert ("global_states",) in answer.asked


def test_a_stub_elsewhere_is_named_by_what_the_error_says():
    def elsewhere(x):
        error = NotImplementedError()
        error.raised_in = "helper"
        raise error

    with pytest.raises(CheckFailed, match="it calls helper, which is not written yet"):
        Exercise("elsewhere", ("x",), lambda rng: [(1,)])(elsewhere)


def test_a_known_mistake_is_told_by_the_name_and_text_of_an_error_of_another_process(capsys):
    class ValueError(Exception):
        pass

    def no_keepdims(x, axis=-1):
        try:
            e = np.exp(x - x.max(axis=axis))
            return e / e.sum(axis=axis)
        except Exception as error:
            raise ValueError(*error.args) from None

    with pytest.raises(ValueError):
        unit02.softmax(no_keepdims)
    assert "Add keepdims=True" in capsys.readouterr().out


def exercises():
    return [
        value for module in (unit01, unit02) for value in vars(module).values() if isinstance(value, Exercise)
    ]


@pytest.mark.parametrize("exercise", list(exercises()), ids=lambda exercise: exercise.name)
def test_every_function_that_may_be_lent_or_forbidden_is_found_by_its_name(exercise):
    for function in exercise.own:
        assert found(name_of(function)) is function


def test_what_cannot_be_found_has_no_name():
    def nested():
        pass

    assert name_of(nested) is None and name_of(lambda: 0) is None and name_of(3) is None
    assert found("minibert.reference.attention:nothing") is None and found("no.such.module:f") is None
    assert OWN_WORK


@pytest.mark.parametrize(
    "answer", [lambda x: 1 // x, AnswerProxy({"f": lambda x: 1 // x}, "f")], ids=["plain", "stand-in"]
)
def test_what_one_of_many_calls_raises_comes_in_its_place(answer):
    results = many(calling(answer, ()), [(1,), (0,), (1,)])
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_what_one_of_many_calls_raises_tells_nothing_in_a_hidden_check():
    class Quick(AnswerProxy):
        def many(self, calls):
            yield 1
            raise ValueError("the input is 7")

    results = many(calling(Quick({"f": len}, "f"), (), hidden=True), [(7,), (7,)])
    assert next(results) == 1
    with pytest.raises(CheckFailed, match="^it raises ValueError on a fresh input.$"):
        next(results)


@pytest.mark.parametrize("said", [f"{OWN_WORK} 271828", ENDLESS.format(271_828), "passed"])
def test_a_failure_of_hers_that_begins_like_ours_tells_nothing_in_a_hidden_check(said):
    def answer():
        raise CheckFailed(said)

    with pytest.raises(CheckFailed, match="^it raises CheckFailed itself. Remove that `raise`.$"):
        calling(answer, (), hidden=True)()


class Far(AnswerProxy):
    """A stand-in to which each call has a long way to go, unless many go together."""

    ways = 0

    def __call__(self, *args, **kwargs):
        self.ways += 1
        return super().__call__(*args, **kwargs)

    def many(self, calls):
        self.ways += 1
        return (AnswerProxy.__call__(self, *args) for args in calls)


@pytest.mark.parametrize(
    "check, bank, most",
    [
        (unit01.whole_word_positions, bank01, 20),
        (unit01.span_positions, bank01, 20),
        (unit04.nsp_examples, bank04, 20),
        (unit04.sop_examples, bank04, 20),
        (unit05.learning_rate, bank05, 50),
        (unit05.bucket_by_length, bank05, 40),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_a_check_asks_hundreds_of_times_it_asks_at_once(check, bank, most):
    answer = Far(notebook(dedent(next(iter(bank[check.name].right.values())))), check.name)
    check(answer)
    assert answer.ways <= most
