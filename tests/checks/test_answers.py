"""A stand-in for a student's function, as a grader in another process makes one, is checked like the function itself."""
import contextlib
import inspect

import numpy as np
import pytest

from minibert import reference
from minibert.checks import unit01, unit02
from minibert.checks.answers import found, name_of
from minibert.checks.base import CheckFailed, Exercise
from minibert.checks.chance import global_states
from minibert.checks.guard import OWN_WORK

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


class StandIn:
    """Knows a notebook by its names only, as if it lay in another process; writes down what it is asked."""

    def __init__(self, notebook, name):
        self.notebook, self.name, self.asked = notebook, name, []
        self.__name__, self.__signature__ = name, inspect.signature(notebook[name])

    def __call__(self, *args, **kwargs):
        return self.notebook[self.name](*args, **kwargs)

    def sibling(self, name):
        return StandIn(self.notebook, name) if name in self.notebook else None

    @contextlib.contextmanager
    def lend(self, names):
        self.asked.append(("lend", names))
        before = dict(self.notebook)
        self.notebook.update({name: found(there) for name, there in names.items()})
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
    answer = StandIn(notebook(), "attention")
    unit02.attention(answer)
    assert ("without", ["minibert.reference.attention:attention"]) in answer.asked


def test_the_name_of_a_stand_ins_parameters_is_checked():
    with pytest.raises(CheckFailed, match=r"takes \(scores\); it should take \(x, axis\)"):
        unit02.softmax(StandIn(notebook("def softmax(scores): return scores"), "softmax"))


def test_a_stand_in_is_lent_our_version_of_an_earlier_function_by_name(capsys):
    answer = StandIn(notebook(SOURCE.replace("return e /", "return 2 * e /")), "attention")
    unit02.attention(answer)
    assert "Checked with our softmax" in capsys.readouterr().out
    assert ("lend", {"softmax": "minibert.reference.attention:softmax"}) in answer.asked


def test_without_the_earlier_functions_nothing_is_lent():
    broken = notebook(SOURCE.replace("softmax(scores)", "1 + reference(scores)"))
    del broken["softmax"]
    broken["reference"] = reference.softmax
    answer = StandIn(broken, "attention")
    with pytest.raises(CheckFailed):
        unit02.attention(answer)
    assert not [asked for asked in answer.asked if asked[0] == "lend" and asked[1]]


def test_a_stand_ins_own_global_generators_are_watched():
    answer = StandIn(notebook("def choose_positions(candidates, rate, rng):\n    np.random.rand()\n"
                              "    return candidates & (rng.random(candidates.shape) < rate)"), "choose_positions")
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
            return x - x.max(axis=axis)
        except Exception as error:
            raise ValueError(*error.args) from None
    with pytest.raises(ValueError):
        unit02.softmax(no_keepdims)
    assert "Add keepdims=True" in capsys.readouterr().out


def exercises():
    return [value for module in (unit01, unit02) for value in vars(module).values() if isinstance(value, Exercise)]


@pytest.mark.parametrize("exercise", list(exercises()), ids=lambda exercise: exercise.name)
def test_every_function_that_may_be_lent_or_forbidden_is_found_by_its_name(exercise):
    for function in {*exercise.implementations, exercise.reference} - {None}:
        assert found(name_of(function)) is function


def test_what_cannot_be_found_has_no_name():
    def nested():
        pass
    assert name_of(nested) is None and name_of(lambda: 0) is None and name_of(3) is None
    assert found("minibert.reference.attention:nothing") is None and found("no.such.module:f") is None
    assert OWN_WORK
