"""Shown source: the code stays as it is, only a long docstring becomes its first line."""

import ast
import inspect
import textwrap

import pytest

from minibert.course.widgets.source import show_source
from minibert.model.decoder import DecoderLayer
from minibert.reference import attention, softmax


def shown(*functions):
    text = show_source(*functions).data
    code, _, fold = text.removeprefix("```python\n").partition("\n```")
    return ast.parse(code).body, fold


@pytest.mark.parametrize("function", [attention, softmax, DecoderLayer.forward], ids=lambda f: f.__name__)
def test_the_code_is_the_functions_own(function):
    (node,) = shown(function)[0]
    whole = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    described = ast.get_docstring(whole) is not None
    assert list(map(ast.dump, node.body[described:])) == list(map(ast.dump, whole.body[described:]))
    if described:
        assert ast.get_docstring(node) == ast.get_docstring(whole).partition("\n")[0]


def test_the_rest_of_a_long_docstring_is_in_the_fold():
    _, fold = shown(attention)
    assert "<details>" in fold and attention.__doc__.split()[-1] in fold


def test_a_short_docstring_has_no_fold():
    def short():
        """Return 1."""
        return 1

    nodes, fold = shown(short, short)
    assert len(nodes) == 2 and fold == "" and ast.get_docstring(nodes[0]) == "Return 1."


def test_code_that_an_exercise_asks_for_is_folded_away():
    text = show_source(attention, fold="After the exercise").data.strip()
    assert text.startswith("<details><summary><b>After the exercise</b></summary>")
    assert text.endswith("</details>")
    assert "```python" in text and text.count("<details>") == text.count("</details>") == 2
