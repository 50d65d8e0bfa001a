"""Show the source of functions in lessons, with syntax highlighting and long docstrings folded."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from IPython.display import Markdown


def show_source(*functions: Callable[..., Any], fold: str = "") -> Markdown:
    """Show the source of functions or classes, with docstrings folded after the first line.

    fold: a title under which to fold the code, too, for example if it reveals the answer to an exercise.
    """
    code, told = [], []
    for function in functions:
        source = textwrap.dedent(inspect.getsource(function))
        lines, node = source.splitlines(), ast.parse(source).body[0]
        assert isinstance(node, ast.FunctionDef | ast.ClassDef)
        first, _, rest = (ast.get_docstring(node) or "").partition("\n")
        if rest.strip():
            docstring = node.body[0]
            lines[docstring.lineno - 1 : docstring.end_lineno] = [
                f'{" " * docstring.col_offset}"""{first}"""'
            ]
            told.append(f"{node.name}: {first}\n{rest}")
        code.append("\n".join(lines))
    text = "```python\n" + "\n\n\n".join(code) + "\n```"
    if told:
        text += folded("Full docstring", "```text\n" + "\n\n".join(told) + "\n```")
    return Markdown(folded(fold, text) if fold else text)


def folded(title: str, text: str) -> str:
    """Return Markdown with `text` in a collapsed section under a title."""
    return f"\n\n<details><summary><b>{title}</b></summary>\n\n{text}\n\n</details>"
