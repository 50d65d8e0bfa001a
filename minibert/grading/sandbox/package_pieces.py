"""Extract the definitions of the package that set-up cells use, except for answers.

If a set-up cell imports `gelu` from a file that also has `layer_norm`, only `gelu` and the definitions that
it needs are extracted. A function that is an exercise of the same unit is never extracted: it is replaced
with a library's function (`BY_A_LIBRARY`) or left out.
"""

import ast
import functools
import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minibert.course.checks.answer_protocol import name_of
from minibert.course.checks.exercise import Exercise

from .package_copy import PACKAGE, absent_modules

# answers of one exercise that a set-up cell supplies to another
BY_A_LIBRARY = {"BasicTokenizer": "minibert.grading.sandbox.library_words"}
# plain constants of these modules are always included: they reveal no answer, and a placeholder
# would be misleading
CONSTANTS = ("minibert.data.batch",)
Wanted = tuple[str, str]  # (module, name in it)


@functools.lru_cache(maxsize=32)
def pieces(cells: tuple[str, ...]) -> dict[str, str]:
    """Return {module: source of the definitions in it that the cells use}, without answers."""
    trees = [tree for tree in map(parsed, cells) if tree]
    wanted = [used for tree in trees for used in used_by_cell(tree, trees)]
    wanted += [
        (module, name)
        for module in CONSTANTS
        for name, node in definitions(module).items()
        if isinstance(node, ast.Assign) and is_literal(node.value)
    ]
    cut = Cut(frozenset(name for unit in units(trees) for name in answers(unit)))
    for module, name in wanted:
        cut.take(module, name)
    return {module: cut.source(module) for module in cut.kept}


def units(trees: Iterable[ast.Module]) -> set[str]:
    """Return the unit modules, such as "minibert.course.unit03", from which the cells import."""
    modules = {
        ".".join(f"{module}.{name}".split(".")[:3])
        for tree in trees
        for node in ast.walk(tree)
        for module, name in imported(node, "").values()
    }
    return {module for module in modules & set(absent_modules()) if module.startswith("minibert.course.unit")}


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell, or None if it is not plain Python, such as an IPython command."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def used_by_cell(tree: ast.Module, trees: Iterable[ast.Module]) -> Iterator[Wanted]:
    """Yield (module, name) for each name that a cell imports from the package.

    For a module imported as a whole, yield those of its attributes that any of `trees` uses.
    """
    for node in ast.walk(tree):
        for name, (module, thing) in imported(node, "").items():
            if f"{module}.{thing}" in absent_modules():
                yield from (
                    (f"{module}.{thing}", attribute)
                    for other in trees
                    for attribute in looked_up(other, name)
                )
            else:
                yield module, thing


def imported(node: ast.AST, package: str) -> dict[str, Wanted]:
    """Return {imported name: (module, original name)} for what a statement imports from minibert.

    package: the package that contains the statement.
    """
    if not isinstance(node, ast.ImportFrom):
        return {}
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    module = ".".join([*above, *([node.module] if node.module else [])])
    if module.split(".")[0] != "minibert":
        return {}
    return {alias.asname or alias.name: (module, alias.name) for alias in node.names}


def looked_up(tree: ast.AST, name: str) -> set[str]:
    """Return the names of the attributes that a piece of code accesses on the variable `name`."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == name}


def answers(module: str) -> Iterator[str]:
    """Yield "module:name" for each function or class that answers one of a module's exercises."""
    for exercise in vars(importlib.import_module(module)).values():
        if isinstance(exercise, Exercise):
            for name in filter(None, map(name_of, exercise.own)):
                place, _, path = name.partition(":")
                yield f"{place}:{path.split('.')[0]}"


@dataclass
class Cut:
    """A collection of definitions: `kept` maps modules to names. Answers ("module:name") are `forbidden`."""

    forbidden: frozenset[str] = frozenset()
    kept: dict[str, set[str]] = field(default_factory=dict)

    def take(self, module: str, name: str) -> None:
        """Extract a definition and everything in the package that it needs."""
        if module not in absent_modules() or name in self.kept.get(module, ()):
            return
        known, answer = definitions(module), f"{module}:{name}" in self.forbidden
        if name not in known or makes_exercise(known[name]):
            return
        if answer and name not in BY_A_LIBRARY:
            return
        self.kept.setdefault(module, set()).add(name)
        if not answer:
            self._take_what_it_uses(module, known[name], known)

    def _take_what_it_uses(self, module, definition, known):
        used = used_names(definition) & set(known)
        for name in used:
            self.take(module, name)
        for statement in [definition, *(known[name] for name in used)]:
            for node in ast.walk(statement):
                for alias, (place, thing) in imported(node, package_of(module)).items():
                    self.take(place, thing)
                    for attribute in looked_up(definition, alias):
                        self.take(f"{place}.{thing}", attribute)

    def source(self, module: str) -> str:
        """Return the source of everything extracted from a module."""
        lines, known, done = ["from __future__ import annotations"], definitions(module), []
        for name in sorted(self.kept[module], key=lambda name: known[name].lineno):
            library = BY_A_LIBRARY.get(name)
            if library and f"{module}:{name}" in self.forbidden:
                lines.append(f"from {library} import {name}")
            elif known[name] not in done:
                done.append(known[name])
                lines.append(ast.unparse(known[name]))
        return "\n".join(lines) + "\n"


def package_of(module: str) -> str:
    """Return the package to which a module's relative imports refer."""
    return module if absent_modules()[module] else module.rpartition(".")[0]


@functools.lru_cache(maxsize=256)
def definitions(module: str) -> dict[str, ast.stmt]:
    """Return a dict that maps each top-level name of a module to the statement that defines it."""
    place = PACKAGE.parent.joinpath(*module.split("."))
    path = place / "__init__.py" if absent_modules()[module] else place.with_suffix(".py")
    known: dict[str, ast.stmt] = {}
    for node in ast.parse(Path(path).read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            known[node.name] = node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                known[(alias.asname or alias.name).partition(".")[0]] = one_alias(node, alias)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                known |= {part.id: node for part in ast.walk(target) if isinstance(part, ast.Name)}
    return known


def one_alias(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    """Return a copy of an import statement that imports only one of its names."""
    if isinstance(node, ast.Import):
        return ast.copy_location(ast.Import([alias]), node)
    return ast.copy_location(ast.ImportFrom(node.module, [alias], node.level), node)


def used_names(node: ast.AST) -> set[str]:
    """Return the names that a definition uses at run time, excluding the names in annotations."""
    skipped: set[int] = set()
    for part in ast.walk(node):
        notes = [getattr(part, "annotation", None), getattr(part, "returns", None)]
        skipped |= {id(inner) for note in notes if isinstance(note, ast.AST) for inner in ast.walk(note)}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and id(part) not in skipped}


def is_literal(node: ast.expr) -> bool:
    """Return whether an expression consists only of numbers, strings and containers."""
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def makes_exercise(node: ast.stmt) -> bool:
    """Return whether a statement creates a check by calling `Exercise`, `planted` or `student_test`."""
    value = getattr(node, "value", None)
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in ("Exercise", "planted", "student_test")
    )
