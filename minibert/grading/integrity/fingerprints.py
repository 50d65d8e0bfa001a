"""Reduce code to overlapping pieces without names, comments or layout, so that answers can be compared.

All pieces are kept, not a sample as in winnowing (Schleimer et al., 2003), because an answer has only a few
hundred. Libraries that detect copied code, such as copydetect, compare whole files.
"""

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache

LENGTH = 6  # tokens in a piece
LONGEST = 60_000  # characters of an answer that are compared
Token = tuple[str, int]  # its tokens, and its first line, counted from 1
DROPPED = (ast.Import, ast.ImportFrom, ast.expr_context, ast.Pass)
WITHOUT = {"annotation", "returns", "type_comment", "decorator_list", "kind"}


@dataclass(frozen=True)
class Fingerprint:
    """An answer's source and its pieces: short runs of tokens, each with the number of its first line."""

    source: str
    pieces: tuple[tuple[tuple[str, ...], int], ...]

    @cached_property
    def kinds(self) -> frozenset[tuple[str, ...]]:
        """Return the distinct pieces of the answer."""
        return frozenset(piece for piece, _ in self.pieces)

    def lines_shared(self, other: "Fingerprint") -> set[int]:
        """Return the numbers of lines where at least half of the pieces that start there occur in `other`."""
        there = other.kinds
        shared: dict[int, list[bool]] = {}
        for piece, line in self.pieces:
            shared.setdefault(line, []).append(piece in there)
        return {line for line, hits in shared.items() if 2 * sum(hits) >= len(hits)}


@lru_cache(maxsize=8192)
def fingerprint(source: str) -> Fingerprint:
    """Compute the fingerprint of a piece of code, even if it is not valid Python."""
    found = tokens(source[:LONGEST])
    texts = [text for text, _ in found]
    return Fingerprint(
        source,
        tuple(
            (tuple(texts[start : start + LENGTH]), found[start][1])
            for start in range(max(0, len(texts) - LENGTH + 1))
        ),
    )


def tokens(source: str) -> list[Token]:
    """Return the code's tokens in order, as (token, line number) pairs.

    A token is a kind of syntax node, an operator, a number, or a name that the code does not define.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [
            (word, number)
            for number, line in enumerate(source.split("\n"), 1)
            for word in re.findall(r"\w+|[^\w\s]", line.split("#")[0])
        ]
    own = own_names(tree)
    found: list[Token] = []
    waiting: list[tuple[ast.AST, int]] = [(tree, 1)]
    while waiting:
        node, line = waiting.pop()
        line = getattr(node, "lineno", line)
        if isinstance(node, DROPPED) or is_docstring(node):
            continue
        found.append((token(node, own), line))
        waiting += reversed([(child, line) for child in children(node)])
    return found


def own_names(tree: ast.AST) -> set[str]:
    """Return the names that the code defines: variables, parameters, functions and classes."""
    return (
        {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    )


def token(node: ast.AST, own: set[str]) -> str:
    """Convert a syntax node to a token; all names in `own` (defined in the answer) become the same token."""
    kind = type(node).__name__
    if isinstance(node, ast.Name):
        return "name" if node.id in own else node.id
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Constant):
        return "text" if isinstance(node.value, str | bytes) else repr(node.value)[:40]
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    return kind


def children(node: ast.AST) -> list[ast.AST]:
    """Return the child nodes of a syntax node, without annotations or decorators."""
    found: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if name not in WITHOUT:
            found += [
                item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST)
            ]
    return found


def is_docstring(node: ast.AST) -> bool:
    """Return whether a statement consists only of a string."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
