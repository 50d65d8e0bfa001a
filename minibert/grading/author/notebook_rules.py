"""Check notebooks: stubs match solutions, no answers leak, images have alternative text, and code parses."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode

from ..notebook import field, marked, read

STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
# A region contains no BEGIN, so each search stops at the next BEGIN and stays fast in long cells.
REGIONS = re.compile(
    r"^[^\n]*###[ \t]*BEGIN (SOLUTION|HIDDEN TESTS)[^\n]*\n"
    r"((?:(?![^\n]*###[ \t]*BEGIN )[^\n]*\n)*?)[^\n]*###[ \t]*END \1",
    re.M,
)
MARKER = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)")
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(|<img\b(?P<tag>[^>]*)>", re.I)
ALT = re.compile(r"""\balt\s*=\s*(["'])\s*[^"'\s].*?\1""", re.I | re.S)
SECRET_LENGTH = 25  # shorter lines, such as `return x @ w`, often occur elsewhere


def check(root: str | Path, paths: Iterable[Path]) -> list[str]:
    """Check the notebooks at `paths` in the folder `root`, and return the problems, one line each."""
    problems = []
    for path in paths:
        notebook, name = read(path), Path(path).relative_to(root)
        found = images_without_text(notebook) + cells_that_do_not_parse(notebook)
        if name.parts[0] == "solutions":
            found += misplaced_regions(notebook) + untrue_points(notebook)
        if name.parts[0] == "exercises":
            solution = Path(root, "solutions", *name.parts[1:])
            found += leaked_markers(notebook)
            if solution.exists():
                found += foreign_stub_lines(notebook, read(solution)) + leaked_lines(notebook, read(solution))
        problems += [f"{name}: {problem}" for problem in found]
    return problems


def has_outputs(path: str | Path) -> bool:
    """Return whether a cell of the notebook has outputs or an execution count."""
    cells = read(path).cells
    return any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def images_without_text(notebook: NotebookNode) -> list[str]:
    """Return a message for each image in Markdown that has no alternative text."""
    problems = []
    for number, cell in enumerate(notebook.cells, 1):
        for image in IMAGE.finditer(cell.source if cell.cell_type == "markdown" else ""):
            has_text = ALT.search(image["tag"]) if image["tag"] is not None else image["alt"].strip()
            if not has_text:
                problems.append(f"cell {number}: image without alternative text: {image[0][:60]}")
    return problems


def cells_that_do_not_parse(notebook: NotebookNode) -> list[str]:
    """Return a message for each code cell that is not valid Python, even if only because of its stub.

    Lines for IPython, which begin with % or !, are ignored.
    """
    problems = []
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code":
            continue
        lines = ["pass" if line.startswith(("%", "!")) else line for line in cell.source.split("\n")]
        try:
            compile("\n".join(lines), "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except SyntaxError as error:
            problems.append(f"cell {number}, line {error.lineno}: {error.msg}")
    return problems


def misplaced_regions(solution: NotebookNode) -> list[str]:
    """Return a message for each solution outside an answer cell and each hidden test outside a test cell.

    nbgrader rejects both.
    """
    problems = []
    for number, cell in enumerate(solution.cells, 1):
        kinds = {found[2] for found in MARKER.finditer(cell.source)}
        is_answer, is_test = field(cell, "solution"), field(cell, "grade") and not field(cell, "solution")
        if "SOLUTION" in kinds and not is_answer:
            problems.append(f"cell {number}: an answer region outside an answer cell")
        if "HIDDEN TESTS" in kinds and not is_test:
            problems.append(f"cell {number}: hidden tests outside a test cell")
    return problems


def untrue_points(solution: NotebookNode) -> list[str]:
    """Return a message for each check with a wrong `points=`, or with `points=` but not last in its cell.

    nbgrader reads partial points from the last value of a cell.
    """
    problems = []
    for name, cell in marked(solution).items():
        said = (
            re.search(r"points=([\d.]+)\)(\s*)", cell.source)
            if field(cell, "grade") and cell.cell_type == "code"
            else None
        )
        if said and float(said[1]) != field(cell, "points"):
            problems.append(
                f"{name}: the check says points={said[1]}, but the cell has {field(cell, 'points'):g}"
            )
        if said and said.end() < len(cell.source):
            problems.append(
                f"{name}: the check with points= must end the cell, or nbgrader ignores the points"
            )
    return problems


def foreign_stub_lines(exercise: NotebookNode, solution: NotebookNode) -> list[str]:
    """Return a message for each line in the exercise's answer cells that does not occur in the solution."""
    problems, solved = [], marked(solution)
    for name, cell in marked(exercise).items():
        if not field(cell, "solution") or cell.cell_type != "code":
            continue
        known = {line.strip() for line in solved[name].source.split("\n")} if name in solved else set()
        problems += [
            f"{name}: the stub has a line that is not in the solution: {line[:60]}"
            for line in map(str.strip, cell.source.split("\n"))
            if line and line not in known and line not in STUB
        ]
    return problems


def leaked_markers(exercise: NotebookNode) -> list[str]:
    """Return a message for each exercise cell that contains a marker of a solution or hidden test."""
    return [
        f"cell {number}: an exercise must not contain {found[0]}"
        for number, cell in enumerate(exercise.cells, 1)
        if (found := MARKER.search(cell.source))
    ]


def secret_lines(solution: NotebookNode) -> set[str]:
    """Return the lines of answers and hidden tests that must not be visible in the exercise.

    Imports, comments, short lines and lines that students can see elsewhere are left out.
    """
    hidden: set[str] = set()
    visible: set[str] = set()
    for cell in solution.cells:
        if cell.cell_type != "code":
            continue
        regions = [region[2] for region in REGIONS.finditer(cell.source)]
        if field(cell, "solution") and not regions:
            regions = [cell.source]  # the whole cell is the answer
        hidden.update(line.strip() for region in regions for line in region.split("\n"))
        visible.update(
            line.strip() for line in REGIONS.sub("", cell.source).split("\n") if cell.source not in regions
        )
    hidden = {line for line in hidden - visible if not line.startswith(("import ", "from ", "#"))}
    return {line for line in hidden if len(line) >= SECRET_LENGTH}


def leaked_lines(exercise: NotebookNode, solution: NotebookNode) -> list[str]:
    """Return a message for each line of an answer or hidden test that the exercise reveals, as in a hint."""
    everything = {line.strip(" `>*-") for cell in exercise.cells for line in cell.source.split("\n")}
    return [
        f"a line of an answer or a hidden test is visible: {line[:60]}"
        for line in sorted(secret_lines(solution))
        if line in everything
    ]
