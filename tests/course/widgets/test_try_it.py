"""What a student reads about a small function that she has written, or not written yet."""

import numpy as np
import pytest

from minibert.course.widgets import try_it as module
from minibert.course.widgets.try_it import tried, try_it


@pytest.fixture
def shown(monkeypatch):
    def shown(function):
        boxes = []
        monkeypatch.setattr(module, "display", lambda box, raw: boxes.append(box))
        try_it(function)
        return boxes.pop()

    return shown


def halves(body):
    names = {}
    exec(
        'def half(x):\n    """Return half.\n\n    >>> half(4)\n    2\n    >>> half(6)\n    3\n    """\n'
        f"    {body}",
        names,
    )
    return names["half"]


@pytest.mark.parametrize(
    "body, heading, lines",
    [
        ("...", "Your turn: replace the dots in half, then run the cell.", []),
        ("return x // 2", "✓ half is right on all 2 examples.", ["✓ half(4) gives 2", "✓ half(6) gives 3"]),
        (
            "return 2",
            "✗ half is right on 1 of 2 examples.",
            ["✓ half(4) gives 2", "✗ half(6) gives 2; it should give 3"],
        ),
        (
            "return [2, None][x // 6]",
            "✗ half is right on 1 of 2 examples.",
            ["✓ half(4) gives 2", "✗ half(6) gives None; it should give 3"],
        ),
        (
            "return x.half",
            "✗ half is right on 0 of 2 examples.",
            [
                f"✗ half({x}) gives AttributeError: 'int' object has no attribute 'half'; it should give "
                f"{x // 2}"
                for x in (4, 6)
            ],
        ),
    ],
)
def test_what_is_said(shown, body, heading, lines):
    assert shown(halves(body))["text/plain"].split("\n") == [heading, *lines]


def test_what_a_function_returns_is_shown_as_text(shown):
    told = shown(halves("return '<img onerror=x>'"))["text/html"]
    assert "&lt;img onerror=x&gt;" in told and "<img" not in told


def test_a_function_without_examples_is_refused():
    with pytest.raises(ValueError, match="^half has no examples in its docstring"):
        half = halves("return 2")
        half.__doc__ = "Return half."
        try_it(half)


def returns(value, wanted):
    def f():
        return value

    f.__doc__ = f"Return a value.\n\n    >>> f()\n    {wanted}\n    "
    return f


@pytest.mark.parametrize(
    "value, wanted",
    [
        (np.float64(3.5), "3.5"),
        (6, "6.0"),
        (np.float32(0.1), "0.1"),
        (np.array([1.0, 2.0, 0.0]), "[1.0, 2.0, 0.0]"),
        ([np.float64(1.0), np.float64(0.1) * 3], "[1.0, 0.3]"),
        (np.array([0.1, 0.9]), "array([0.1, 0.9])"),
        ({"a": np.int64(1)}, "{'a': 1}"),
        (np.True_, "True"),
    ],
)
def test_a_right_result_counts_whatever_its_type(value, wanted):
    (one,) = tried(returns(value, wanted))
    assert one.right and "np." not in one.got and "array" not in one.got


@pytest.mark.parametrize(
    "value, wanted",
    [
        (np.float64(3.49), "3.5"),
        (np.array([1.0, 2.0]), "[1.0, 2.0, 0.0]"),
        (np.array([[1.0], [2.0]]), "[1.0, 2.0]"),
        (1, "True"),
        ((1, 2), "[1, 2]"),
        ([0.1, 0.9], "array([0.1, 0.9])"),
        (np.float64("nan"), "1.0"),
        ("3.5", "3.5"),
        (None, "3.5"),
        ({"a": 1, "b": 2}, "{'a': 1}"),
    ],
)
def test_a_wrong_result_does_not_count(value, wanted):
    (one,) = tried(returns(value, wanted))
    assert not one.right


def test_an_example_may_prepare_or_print():
    def f(x):
        """Print a number.

        >>> two = 2
        >>> f(two)
        twice: 4
        """
        print("twice:", 2 * x)

    assert [(one.wanted, one.got, one.right) for one in tried(f)] == [
        ("", "", True),
        ("twice: 4",) * 2 + (True,),
    ]
