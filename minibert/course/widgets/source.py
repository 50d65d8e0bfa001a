"""The source of a function as a lesson shows it: highlighted, with its long docstring folded away."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from IPython.display import Markdown


def show_source(*functions: Callable[..., Any], fold: str = "") -> Markdown:
    """Show the source of functions or classes; of a long docstring the first line, the rest in a fold.

    fold: the title of a fold for the code, too, where an exercise asks for it.
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
        text += folded("What it takes and gives", "```text\n" + "\n\n".join(told) + "\n```")
    return Markdown(folded(fold, text) if fold else text)


def folded(title: str, text: str) -> str:
    """Return Markdown in a fold."""
    return f"\n\n<details><summary><b>{title}</b></summary>\n\n{text}\n\n</details>"
