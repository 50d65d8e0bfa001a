"""Make a student's feedback page: cells, checks, hints, points, comments and repairs, by exercise.

Both `minibert grade` and `nbgrader generate_feedback` make this page from an autograded notebook and its
scores. It shows one sentence for a hidden test, and nothing about other students or the grading machine. It
runs no scripts and shows no markup from a submission. Long code and output are cut to limit the page's size,
answers last.
"""

import builtins
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..author.exercises import GradedExercise, cells_of, exercises
from ..author.notebook_rules import REGIONS
from ..bounded import LimitError, Limits, within
from ..cell_messages import ANSI, CUT, error_text
from ..notebook import OURS, field, grade_id
from .answer_html import html_of_markdown
from .sanitize import SHOWN_LIMIT, cut, printable, without_paths
from .templates import TEMPLATES

# Errors whose text is meant for the student; the last three come from the grader itself.
FOR_STUDENTS = ("AssertionError", "CheckFailed", "OutOfTime", "KernelEnded", "NotRun")
HINT_LIMIT = 600  # characters shown of a hidden test's message
ROOM = 230_000  # bytes for a student's code and output, so that a page stays below 300 KB
AROUND = 150  # bytes of markup around a piece of code or output
SHORT = 2_000  # characters shown of a text that does not fit otherwise
NOTES = 30  # sentences shown about a file
LINES = 40  # lines shown of a cell's output
PART = "Your answer is right for some inputs, which gives at most half of the points."
LIMITS = Limits(seconds=4)  # of rendering one page; an ordinary page needs a tenth of a second
FORMATTER = HtmlFormatter(nowrap=True)
DARK = HtmlFormatter(style="github-dark")


def page(
    notebook: NotebookNode,
    scores: Mapping[str, Mapping],
    title: str,
    comments: Mapping[str, str] | None = None,
    late_penalty: float = 0.0,
) -> str:
    """Render the feedback for an autograded notebook as HTML, within `LIMITS`.

    If that fails, answers are shown as plain text. The arguments are those of `page_here`.
    """
    try:
        return within(LIMITS, page_here, notebook, scores, title, comments, late_penalty)
    except LimitError:
        return page_here(notebook, scores, title, comments, late_penalty, plain=True)


def kept_page(path: Path | None, *inputs: Any) -> str:
    """Return the `page` for these arguments: the file `path` if it was made from the same, or a new page."""
    record = [version(), *inputs]
    digest = hashlib.sha256(json.dumps(record, sort_keys=True, default=repr).encode()).hexdigest()
    end = f"<!-- made from {digest} -->\n</html>"
    if path and path.exists() and (old := path.read_text("utf-8")).endswith(end):
        return old
    return page(*inputs).removesuffix("</html>") + end


@lru_cache(maxsize=1)
def version() -> str:
    """Return a hash of the code and templates that make pages."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.iterdir()):
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()


def page_here(
    notebook: NotebookNode,
    scores: Mapping[str, Mapping],
    title: str,
    comments: Mapping[str, str] | None = None,
    late_penalty: float = 0.0,
    plain: bool = False,
) -> str:
    """Render the feedback for an autograded notebook as HTML, in this process.

    `scores` maps the name of a cell to a mapping with points (None if they still have to be awarded by hand),
    max_points and, if a person gave the points instead of a test, by_hand. `comments` maps the name of a cell
    to a person's comment. If a submission could not be graded, none of its cells are shown. plain: show code
    and text without formatting.
    """
    about = notebook.metadata.get(OURS, {})
    known = [one for one in exercises(cells_of(notebook)) if set(one.cells) <= set(scores)]
    groups = [] if about.get("ungraded") else grouped(notebook, known)
    shown = [[show(cell, one, scores, comments or {}, plain) for cell in cells] for one, cells in groups]
    left_out = fit(shown)
    sections = [
        {
            "exercise": one,
            "score": one and score_of(one.cells, scores),
            "cells": cells,
            "parts": one
            and [{"name": name, "label": part_of(one, name), "score": scores[name]} for name in one.cells],
        }
        for (one, _), cells in zip(groups, shown)
        if one or cells
    ]
    notes = [without_paths(cut(note, HINT_LIMIT)) for note in list(about.get("notes", ()))[:NOTES]]
    return printable(
        TEMPLATES.get_template("feedback_page.html").render(
            title=title,
            total=total(scores, about, late_penalty),
            sections=sections,
            style=style(),
            notes=notes,
            points_text=points_text,
            css_class=css_class,
            left_out=left_out,
        )
    )


def grouped(
    notebook: NotebookNode, known: Sequence[GradedExercise]
) -> list[tuple[GradedExercise | None, list[NotebookNode]]]:
    """Group the cells to show by exercise. Cells before the first exercise are grouped under None."""
    begins = {one.answer: one for one in known}
    groups: list[tuple[GradedExercise | None, list[NotebookNode]]] = [(None, [])]
    for cell in notebook.cells:
        begun = begins.get(grade_id(cell) or "")
        if begun:
            groups.append((begun, []))
        given = field(cell, "locked") and not field(cell, "grade") and not field(cell, "task")
        if not given and (grade_id(cell) or not cell.metadata.get(OURS, {}).get("given")):
            groups[-1][1].append(cell)
    return groups


def score_of(names: Sequence[str], scores: Mapping[str, Mapping]) -> dict[str, Any]:
    """Return the total score of the cells `names`; the points are None while a cell is still ungraded."""
    points = [scores[name]["points"] for name in names]
    return {
        "points": None if None in points else sum(points),
        "by_hand": any(scores[name].get("by_hand") for name in names),
        "max_points": sum(scores[name]["max_points"] for name in names),
    }


def part_of(exercise: GradedExercise, name: str) -> str:
    """Return the label of a graded cell within its exercise, such as "hidden test"."""
    return exercise.label(name).rpartition(": ")[2]


def total(scores: Mapping[str, Mapping], about: Mapping[str, Any], late_penalty: float) -> str:
    """Return a sentence about the total points; `about` is this package's metadata in the notebook."""
    if about.get("ungraded"):
        return f"Not graded yet. {without_paths(about['ungraded'])}"
    waiting = sum(score["points"] is None for score in scores.values())
    points = max(0.0, sum(score["points"] or 0 for score in scores.values()) - late_penalty)
    said = f"{points:g} of {sum(score['max_points'] for score in scores.values()):g} points"
    said += f", {late_penalty:g} taken off because it was late" if late_penalty else ""
    return (
        f"{said}; {waiting} {'part is' if waiting == 1 else 'parts are'} still to be graded by hand"
        if waiting
        else said
    )


def points_text(score: Mapping[str, Any]) -> str:
    """Describe the points of one cell, such as "2 of 3 points"."""
    gained = "still to be graded by hand:" if score["points"] is None else f"{score['points']:g} of"
    return f"{gained} {score['max_points']:g} points{', graded by hand' * bool(score.get('by_hand'))}"


def show(
    cell: NotebookNode,
    exercise: GradedExercise | None,
    scores: Mapping[str, Mapping],
    comments: Mapping[str, str],
    plain: bool = False,
) -> dict[str, Any]:
    """Return the data that the page shows for a cell, before it is cut to size.

    For a hidden test, this includes the hint but no output.
    """
    name = grade_id(cell)
    score = scores.get(name or "")
    said = hint(cell)
    if said and score and score.get("by_hand"):
        said = f"Before that, the test said: {said}"
    test = field(cell, "grade") and not field(cell, "solution")
    some = test and score and not said and 0 < (score["points"] or 0) < score["max_points"]
    shown: dict[str, Any] = {
        "name": name,
        "label": exercise.label(name) if exercise and name else name or "your own cell",
        "css_class": css_class(score),
        "points": score and points_text(score),
        "hint": said,
        "outputs": [],
        "comment": comments.get(name or ""),
        "note": PART if some else "",
        "text": "",
        "source": "",
    }
    if cell.cell_type == "markdown":
        markup = (
            {"source": cut(cell.source)}
            if plain
            else {"text": Markup(html_of_markdown(cell.source, cell.get("attachments")))}
        )
        return {**shown, **markup, "written": cell.source}
    secret = hidden(cell)
    left_out = {"error"} if said else set()
    left_out |= {"execute_result"} if test else set()  # its points, which are already shown above
    outputs = (
        [] if secret else [output for output in cell.get("outputs", ()) if output.output_type not in left_out]
    )
    source = REGIONS.sub("", cell.source).strip() if secret else cell.source
    return {
        **shown,
        "source": cut(source) if plain else coloured(source),
        "written": source,
        "outputs": [made for output in outputs for made in drawn(output)],
    }


def fit(groups: Sequence[list[dict[str, Any]]]) -> int:
    """Cut the cells' contents, in place, to the maximum size of a page.

    Answers get space first, then their output, then added cells. Returns the number of added cells left out.
    """
    marked = [cell for cells in groups for cell in cells if cell["name"]]
    left = ROOM
    for cell in marked:
        left -= fit_source(cell, left)
    for cell in marked:
        left -= fit_outputs(cell, left)
    left_out = 0
    for cells in groups:
        for cell in [cell for cell in cells if not cell["name"]]:
            if left > AROUND * 8:
                left -= fit_source(cell, left)
                left -= fit_outputs(cell, left)
            else:
                cells.remove(cell)
                left_out += 1
    return left_out


def fit_source(cell: dict[str, Any], left: int) -> int:
    """Show as much of a cell's source as fits into a quarter of the `left` bytes, and return its size.

    The limit leaves space for the other answers.
    """
    written = cell.pop("written")
    shown = cell["text"] or cell["source"]
    for shorter in (shown, cut(written), cut(written, SHORT)):
        if size(shorter) <= left / 4:
            if shorter is not shown:
                cell["text"], cell["source"] = "", shorter
                cell["note"] = "Shown as plain text, because the page would be too large."
            return size(shorter)
    cell["text"], cell["source"], cell["note"] = "", "", "Not shown, because the page would be too large."
    return AROUND


def fit_outputs(cell: dict[str, Any], left: int) -> int:
    """Keep the outputs that fit into `left` bytes, and return their size."""
    kept, taken = [], 0
    for output in cell["outputs"]:
        needed = size(output.get("image") or output.get("text", ""))
        if taken + needed <= left:
            kept.append(output)
            taken += needed
    if len(kept) < len(cell["outputs"]):
        cell["note"] = "Some output is not shown, because the page would be too large."
    cell["outputs"] = kept
    return taken


def size(text: str) -> int:
    """Return the size of `text` in bytes on the page, where characters such as < are escaped."""
    return len(escape(text).encode()) + AROUND


def css_class(score: Mapping[str, Any] | None) -> str:
    """Return the CSS class that colours a cell's section: "waits", "full", "part" or "" (no score)."""
    if score is None:
        return ""
    return (
        "waits" if score["points"] is None else "full" if score["points"] >= score["max_points"] else "part"
    )


def hidden(cell: NotebookNode) -> bool:
    """Return whether the cell contains tests that a student must not read."""
    if field(cell, "solution"):  # all of it was handed in, perhaps as the solution with its markers
        return False
    return cell.metadata.get(OURS, {}).get("hidden", False) or bool(REGIONS.search(cell.source))


def hint(cell: NotebookNode) -> str:
    """Return a failed check's message to the student.

    For a hidden test, it contains no text that the student's own code could have chosen.
    """
    error = next((output for output in cell.get("outputs", ()) if output.output_type == "error"), None)
    if error is None or not (field(cell, "grade") or field(cell, "solution")):
        return ""
    if not hidden(cell):
        return without_paths(cut(ANSI.sub("", error_text(error)), HINT_LIMIT * 4))
    if error.ename in FOR_STUDENTS and error.evalue.strip():
        return without_paths(cut(ANSI.sub("", error.evalue), HINT_LIMIT))
    if error.ename == "NotImplementedError":
        return "not written yet"
    known = isinstance(getattr(builtins, error.ename, None), type) and error.ename not in FOR_STUDENTS
    return (
        f"Your code raises {error.ename} on an input of the hidden test." if known else "A hidden test fails."
    )


def drawn(output: NotebookNode) -> list[dict[str, str]]:
    """Convert an output to a list of dictionaries, {"text": ...} or {"image": data URL}."""
    if output.output_type == "stream":
        return [{"text": without_paths(printed(ANSI.sub("", output.text)))}]
    if output.output_type == "error":
        return [{"text": without_paths(cut(ANSI.sub("", f"{output.ename}: {output.evalue}")))}]
    images = [
        {"image": f"data:{kind};base64,{output.data[kind]}"}
        for kind in ("image/png", "image/jpeg")
        if kind in output.data
    ]
    return images or [{"text": without_paths(cut(ANSI.sub("", output.data.get("text/plain", ""))))}]


def printed(text: str) -> str:
    """Cut an output to its first lines, and note how much is left out."""
    text, least = (text.removesuffix(CUT), "at least ") if text.endswith(CUT) else (text, "")
    first = "".join(text.splitlines(keepends=True)[:LINES])[:SHOWN_LIMIT]
    more = len(text) - len(first)
    return f"{first.rstrip()}\n… and {least}{more:,} more characters, not shown." if more or least else text


def coloured(source: str) -> str:
    """Return code as HTML with highlighted syntax; very long code is cut instead."""
    source = printable(source)
    return Markup(highlight(source, PythonLexer(), FORMATTER)) if len(source) < SHOWN_LIMIT else cut(source)


@lru_cache(maxsize=1)
def style() -> Markup:
    """Return the CSS for syntax highlighting in light and dark themes."""
    return Markup(
        f"{FORMATTER.get_style_defs('pre')}\n@media (prefers-color-scheme: dark) {{\n"
        f"{DARK.get_style_defs('pre')}\n}}"
    )
