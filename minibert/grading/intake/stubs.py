"""Detect unwritten answers by the stubs that nbgrader leaves in an exercise.

Lines are compared in one pass, without a regular expression, because a cell may have a million lines.
"""

from itertools import pairwise

from nbformat import NotebookNode

from ..author.notebook_rules import STUB
from ..notebook import field

TEXT_STUB = "*Your answer here.*"


def is_unanswered(cell: NotebookNode) -> bool:
    """Return whether an answer cell is empty, contains a stub, or is unchanged since its release."""
    from nbgrader.utils import compute_checksum

    return (
        not cell.source.strip()
        or holds_code_stub(cell.source)
        or holds_text_stub(cell.source)
        or field(cell, "checksum") == compute_checksum(cell)
    )


def holds_code_stub(source: str) -> bool:
    """Return whether the source has the two lines of a code stub, with only blank lines between them."""
    comment, error = STUB
    lines = [line.strip() for line in source.split("\n") if line.strip()]
    return any(first == comment and second.startswith(error) for first, second in pairwise(lines))


def holds_text_stub(source: str) -> bool:
    """Return whether a line starts with the stub of a written answer."""
    return any(line.strip().startswith(TEXT_STUB) for line in source.split("\n"))
