"""Find the package's files that can affect an assignment's grades.

These are the grader, the code that runs the checks, and everything that these and the assignment's cells
import, directly or indirectly, even inside functions. From an `__init__.py` that only re-exports names, as in
`minibert.reference`, only the names in use count. A string such as "minibert.grading.run.x" counts as an
import, because processes are started by name. Imports in a student's code are ignored.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import minibert

PACKAGE = Path(minibert.__file__).resolve().parent
ALWAYS = ("grading", "course/checks")  # folders whose files always count
SUFFIXES = (".py", ".html", ".css", ".js")  # file types that count; pages are made from HTML templates
TEXT = re.compile(r"(minibert(?:\.\w+)+)(?::[\w.]+)?")
PASSES_ON = ("__getattr__", "__dir__")  # functions allowed in an __init__.py that only re-exports names
WHOLE = "*"  # this name means everything in a module


def used_files(cells: Iterable[str], package: str | Path = PACKAGE) -> list[Path]:
    """Return a sorted list of the files in the folder `package` that grading needs.

    `cells` are the sources of the assignment's code cells.
    """
    package = Path(package).resolve()
    always = {path for folder in ALWAYS for path in (package / folder).rglob("*") if path.suffix in SUFFIXES}
    waiting = list(uses(ast.Module([node for cell in cells for node in statements(cell)], []), package.name))
    for path in always:
        waiting += uses_of(path, package) if path.suffix == ".py" else ()
    known: set[str] = set()
    found = set(always)
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            files, names = resolve(name, package)
            found.update(files)
            waiting += names
    return sorted(found)


def resolve(name: str, package: Path) -> tuple[list[Path], list[str]]:
    """Return (files of the modules in a dotted name, names that those modules import)."""
    parts = name.split(".")
    files: list[Path] = []
    names: list[str] = []
    for count in range(1, len(parts) + 1):
        path = module_file(parts[:count], package)
        if path is None:
            break
        files.append(path)
        rest = parts[count : count + 1]
        is_last = module_file(parts[: count + 1], package) is None
        if not passes_names_on(path) or rest == [WHOLE]:
            names += uses_of(path, package)
        elif rest and is_last:
            names += passed_on(path, rest[0], package)
    return files, names


def module_file(parts: list[str], package: Path) -> Path | None:
    """Return the file of the module a.b.c, given as ["a", "b", "c"], or None if there is no such module."""
    if parts[0] != package.name or not all(part.isidentifier() for part in parts):
        return None
    path = package.joinpath(*parts[1:])
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def place(path: Path, package: Path) -> str:
    """Return the dotted name of a file's folder, which its relative imports start from."""
    return ".".join(path.parent.relative_to(package.parent).parts)


@lru_cache(maxsize=1024)
def parsed(text: str) -> ast.Module:
    """Parse the text of a file into a syntax tree."""
    return ast.parse(text)


@lru_cache(maxsize=1024)
def uses_of_text(text: str, folder: str) -> tuple[str, ...]:
    """Return the dotted names that a file's text uses; `folder` is the dotted name of the file's folder."""
    return tuple(uses(parsed(text), folder))


def uses_of(path: Path, package: Path) -> tuple[str, ...]:
    """Return the dotted names that a file uses."""
    return uses_of_text(path.read_text("utf-8"), place(path, package))


def statements(cell: str) -> list[ast.stmt]:
    """Return the statements of a cell, or an empty list if it is not valid Python."""
    try:
        return ast.parse(cell).body
    except SyntaxError:
        return []


def passes_names_on(path: Path) -> bool:
    """Return whether a file is an `__init__.py` that only re-exports names."""
    return path.name == "__init__.py" and all(
        isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign)
        or isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        or isinstance(node, ast.If)
        and (for_types_only(node) or sets_only(node))
        or isinstance(node, ast.FunctionDef)
        and node.name in PASSES_ON
        for node in parsed(path.read_text("utf-8")).body
    )


def sets_only(node: ast.If) -> bool:
    """Return whether an `if` statement contains no import and no definition."""
    makes = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    return not any(isinstance(inner, makes) for inner in ast.walk(node))


def passed_on(path: Path, name: str, package: Path) -> list[str]:
    """Return the dotted names that an `__init__.py` re-exports as `name` or, if none, all those it uses."""
    tree = parsed(path.read_text("utf-8"))
    found = [
        target
        for node in ast.walk(tree)
        for bound, target in bindings(node, place(path, package))
        if bound == name
    ]
    return found or list(uses_of(path, package))


def for_types_only(node: ast.AST) -> bool:
    """Return whether a node is an `if TYPE_CHECKING:` block, which never runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def bindings(node: ast.AST, folder: str) -> Iterator[tuple[str, str]]:
    """Yield (local name, dotted name of what it refers to) for each name in an import statement."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (
                (alias.asname, alias.name)
                if alias.asname
                else (alias.name.split(".")[0], alias.name.split(".")[0])
            )
    elif isinstance(node, ast.ImportFrom):
        above = folder.split(".")[: len(folder.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            yield alias.asname or alias.name, f"{base}.{alias.name}"


def uses(tree: ast.Module, folder: str) -> Iterator[str]:
    """Yield the dotted names that a syntax tree imports or uses.

    If a module itself is used as a value, all of its contents count as used.
    """
    nodes = list(running(tree))
    bound: dict[str, list[str]] = {}
    for node in nodes:
        for name, target in bindings(node, folder):
            bound.setdefault(name, []).append(target)
            yield target
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (text := TEXT.fullmatch(node.value))
        ):
            yield text[1]
    bases = set()
    for node in nodes:
        if isinstance(node, ast.Attribute) and (chain := dotted(node)) and chain[0] in bound:
            yield from (".".join([target, *chain[1:]]) for target in bound[chain[0]])
            bases.add(base_of(node))
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in bound and node not in bases:
            yield from (f"{target}.{WHOLE}" for target in bound[node.id])


def running(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every node of a tree except those that only type checkers read."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if not for_types_only(node):
                yield node
                waiting.append(node)


def dotted(node: ast.Attribute) -> list[str]:
    """Return ["a", "b", "c"] for the expression a.b.c, or [] if it does not begin with a name."""
    parts, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    return [inner.id, *reversed(parts)] if isinstance(inner, ast.Name) else []


def base_of(node: ast.Attribute) -> ast.expr:
    """Return the innermost expression of an attribute chain, such as a for a.b.c."""
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner
