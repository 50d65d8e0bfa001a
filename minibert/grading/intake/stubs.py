"""Recognises what a student has not written: the stubs that nbgrader leaves in an exercise.

Lines are compared, not searched by an expression: a cell may hold a million of them, and this takes one pass.
"""

from itertools import pairwise

from ..author.notebook_rules import STUB

TEXT_STUB = "*Your answer here.*"


def holds_code_stub(source: str) -> bool:
    """Whether the two lines of the stub follow each other, whatever is blank between them."""
    comment, error = STUB
    lines = [line.strip() for line in source.split("\n") if line.strip()]
    return any(first == comment and second.startswith(error) for first, second in pairwise(lines))


def holds_text_stub(source: str) -> bool:
    """Whether a line begins with the stub of a written answer."""
    return any(line.strip().startswith(TEXT_STUB) for line in source.split("\n"))
