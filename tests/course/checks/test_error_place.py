"""An error in a student's cell comes with its line, and a lost axis with a question about `keepdims`."""

import linecache
from dataclasses import replace

import numpy as np
import pytest

from minibert.course.checks.error_place import explained
from minibert.course.checks.exercise import Exercise, Mistake

CHECK = Exercise("centred", ("x",), lambda rng: [(rng.normal(size=(3, 4)),)], lambda x: x)
ASKED = "Did you forget `keepdims=True`?"


def defined(body, name):
    """The function `centred` of a cell, whose source Python can find as in a notebook."""
    source, place = f"def centred(x):\n{body}\n", {"np": np}
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), place)
    return place["centred"]


@pytest.mark.parametrize(
    "number, body, asked",
    [
        (2, "    return x - x.mean(-1)", True),
        (3, "    m = np.mean(x, axis=-1)\n    return x - m", True),
        (2, "    return x - x.mean(-1, keepdims=True) + np.ones(7)", False),
        (2, "    return x + np.ones(7) * x.max()", False),
        (3, "    y = x.sort()\n    return y[0] - x.mean(-1)", False),
    ],
)
def test_the_line_is_named_and_keepdims_only_after_a_reduction_without_it(number, body, asked, capsys):
    with pytest.raises((ValueError, TypeError)):
        CHECK(defined(body, f"<cell {body}>"))
    line = body.splitlines()[-1].strip()
    wanted = f"centred: line {number}, in centred: {line}."
    assert capsys.readouterr().out == (f"{wanted} {ASKED}\n" if asked else f"{wanted}\n")


def test_a_known_mistake_explains_the_error_alone(capsys):
    hint = Mistake("the mean has lost its axis.", lambda x: x - x.mean(-1))
    with pytest.raises(ValueError):
        replace(CHECK, mistakes=(hint,))(defined("    return x - x.mean(-1)", "<cell mistake>"))
    said = "centred: line 2, in centred: return x - x.mean(-1). The mean has lost its axis.\n"
    assert capsys.readouterr().out == said


def test_an_error_from_another_process_brings_its_lines():
    error = ValueError("operands could not be broadcast together with shapes (3,4) (3,)")
    error.lines = ["line 2, in centred: return x - x.mean(-1)"]
    assert explained(error) == ASKED
    error.lines = ["line 2, in centred: return x - m"]
    assert explained(error) == ""


def test_a_hidden_check_shows_no_line(capsys):
    with pytest.raises(AssertionError, match="it raises ValueError on a fresh input"):
        CHECK(defined("    return x - x.mean(-1)", "<cell hidden>"), hidden=True)
    assert "line 2" not in capsys.readouterr().out
