"""What a student reads about a small function that she has written, or not written yet."""

import pytest

from minibert.course.widgets import try_it as module
from minibert.course.widgets.try_it import try_it


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
