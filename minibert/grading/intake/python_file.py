"""Split a Python file that was handed in into pieces of code and text.

Jupyter, jupytext and Colab export a notebook's Markdown cells as comments or strings; these become text.
"""

import ast
import re

from ..author.assignment_bundle import parsed

TRIPLE = re.compile(r'"""|\'\'\'')
CONTINUED = ("else", "elif", "except", "finally", ")", "]", "}")  # how lines begin that continue others
PERCENT = re.compile(r"^# ?%%(.*)$", re.M)  # the line above each cell in jupytext's percent format
TEXT_CELL = re.compile(r"\[(?:markdown|md|raw)\]")
FRAME = re.compile(r"# (?:In ?\[[\d* ]*\]:|-\*-.*-\*-|coding:.*)|#!.*")  # lines that an export adds
HEADER = re.compile(r"\A# ---\n(?:#.*\n)*?# ---\n")  # jupytext's
COMMENT = re.compile(r"^# ?", re.M)


def pieces_and_texts(source: str) -> list[tuple[str, str]]:
    """Split a Python file into [("code" or "markdown", source)], with comment signs removed from text."""
    first, *rest = PERCENT.split(HEADER.sub("", source))
    cells = [("", first), *zip(rest[::2], rest[1::2])]
    found: list[tuple[str, str]] = []
    for about, cell in cells:
        if TEXT_CELL.search(about):
            found.append(("markdown", text_of(cell.strip()) or cell.strip()))
            continue
        cell = "\n".join("" if FRAME.fullmatch(line.rstrip()) else line for line in cell.split("\n"))
        for piece in pieces_of_python(cell):
            text = text_of(piece)
            found.append(("code", piece) if text is None else ("markdown", text))
    return [(kind, piece) for kind, piece in found if piece.strip()]


def text_of(piece: str) -> str | None:
    """Return the text of a piece that is only comments or only a string, or None if it is code."""
    lines = [line for line in piece.split("\n") if line.strip()]
    if all(line.startswith("#") and not line.startswith(("# !", "# %")) for line in lines):
        return COMMENT.sub("", piece)
    tree = parsed(piece)
    if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        value = tree.body[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    return None


def pieces_of_python(source: str) -> list[str]:
    """Split a Python file so that each syntax error affects only one piece.

    Lines that start with "!" or "%" become comments. A piece that is not valid Python is split again, because
    it may contain an unclosed quote.
    """
    pieces = []
    for piece in split_at_blank_lines(source, texts_whole=True):
        pieces += [piece] if parsed(piece) else split_at_blank_lines(piece, texts_whole=False)
    return pieces


def split_at_blank_lines(source: str, texts_whole: bool) -> list[str]:
    """Split source code before each unindented line that follows a blank line.

    texts_whole: whether triple-quoted strings are kept in one piece.
    """
    pieces: list[list[str]] = [[]]
    quotes, after_blank = "", False
    for line in source.split("\n"):
        if not quotes and line.startswith(("!", "%")):
            line = f"# {line}"
        if after_blank and line[:1].strip() and not line.startswith(CONTINUED) and not quotes:
            pieces.append([])
        pieces[-1].append(line)
        for found in TRIPLE.findall(line) if texts_whole else ():
            quotes = "" if found == quotes else quotes or found
        after_blank = not line.strip()
    joined = ("\n".join(lines).strip("\n") for lines in pieces)
    return [piece for piece in joined if piece.strip()]
