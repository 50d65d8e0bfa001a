"""The page that a student gets, by exercise: her cells, checks, hints, points, comments, repairs of her file.

It is made from an autograded notebook and its scores alone, by `minibert grade` and by plain `nbgrader
generate_feedback`. Of a hidden test it shows one sentence, of other students and of the grading machine
nothing. Nothing in it runs: the page forbids scripts, and no markup of a submission is in it. What she wrote
and printed has a limited room in it, in which her answers come first.
"""

import builtins
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..author.exercises import GradedExercise, cells_of, exercises
from ..author.notebook_rules import REGIONS
from ..cell_messages import ANSI, CUT, error_text
from ..notebook import OURS, field, grade_id
from .answer_html import html_of_markdown
from .sanitize import SHOWN_LIMIT, cut, printable, without_paths
from .templates import TEMPLATES

# errors whose text is meant for the student; the last three are the grader's own
FOR_STUDENTS = ("AssertionError", "CheckFailed", "OutOfTime", "KernelEnded", "NotRun")
HINT_LIMIT = 600  # characters of what a hidden test says
ROOM = 230_000  # bytes for what a student wrote and printed: with all else, a page stays below 300 KB
AROUND = 150  # bytes of markup around a piece of it
SHORT = 2_000  # characters of what does not fit otherwise
NOTES = 30  # sentences about a file
LINES = 40  # of what a cell printed
PART = "Some inputs come out right: that gives at most half of the points."
FORMATTER = HtmlFormatter(nowrap=True)
DARK = HtmlFormatter(style="github-dark")


def page(
    notebook: NotebookNode,
    scores: Mapping[str, Mapping],
    title: str,
    comments: Mapping[str, str] | None = None,
    late_penalty: float = 0.0,
) -> str:
    """The HTML of the feedback for an autograded notebook.

    scores: name of a cell -> mapping with points (None: waits for a person), max_points and, if a person gave
    them instead of a test, by_hand. comments: name of a cell -> what a person wrote. Of what could not be
    graded no cell is shown.
    """
    about = notebook.metadata.get(OURS, {})
    known = [one for one in exercises(cells_of(notebook)) if set(one.cells) <= set(scores)]
    groups = [] if about.get("ungraded") else grouped(notebook, known)
    shown = [[show(cell, one, scores, comments or {}) for cell in cells] for one, cells in groups]
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
    """The cells to show, by exercise; None has what comes before the first one."""
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
    """The score of several cells together; points: None while one of them waits for a person."""
    points = [scores[name]["points"] for name in names]
    return {
        "points": None if None in points else sum(points),
        "by_hand": any(scores[name].get("by_hand") for name in names),
        "max_points": sum(scores[name]["max_points"] for name in names),
    }


def part_of(exercise: GradedExercise, name: str) -> str:
    """What a graded cell is called beside its exercise: "hidden test"."""
    return exercise.label(name).rpartition(": ")[2]


def total(scores: Mapping[str, Mapping], about: Mapping[str, Any], late_penalty: float) -> str:
    """The sentence about all points together. about: our metadata of the notebook."""
    if about.get("ungraded"):
        return f"Not graded yet. {without_paths(about['ungraded'])}"
    waiting = sum(score["points"] is None for score in scores.values())
    points = max(0.0, sum(score["points"] or 0 for score in scores.values()) - late_penalty)
    said = f"{points:g} of {sum(score['max_points'] for score in scores.values()):g} points"
    said += f", {late_penalty:g} taken off because it was late" if late_penalty else ""
    return (
        f"{said}; {waiting} {'part waits' if waiting == 1 else 'parts wait'} for a person"
        if waiting
        else said
    )


def points_text(score: Mapping[str, Any]) -> str:
    """The points of one cell in words."""
    gained = "waits for a person:" if score["points"] is None else f"{score['points']:g} of"
    return f"{gained} {score['max_points']:g} points{', given by hand' * bool(score.get('by_hand'))}"


def show(
    cell: NotebookNode,
    exercise: GradedExercise | None,
    scores: Mapping[str, Mapping],
    comments: Mapping[str, str],
) -> dict[str, Any]:
    """What the page shows of a cell, before it is cut to the room there is; of a hidden test its hint."""
    name = grade_id(cell)
    score = scores.get(name or "")
    said = hint(cell)
    if said and score and score.get("by_hand"):
        said = f"Before that, the test said: {said}"
    test = field(cell, "grade") and not field(cell, "solution")
    some = test and score and not said and 0 < (score["points"] or 0) < score["max_points"]
    shown: dict[str, Any] = {
        "name": name,
        "label": exercise.label(name) if exercise and name else name or "a cell of yours",
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
        return {**shown, "text": Markup(html_of_markdown(cell.source)), "written": cell.source}
    secret = hidden(cell)
    left_out = {"error"} if said else set()
    left_out |= {"execute_result"} if test else set()  # its points, which stand above
    outputs = (
        [] if secret else [output for output in cell.get("outputs", ()) if output.output_type not in left_out]
    )
    source = REGIONS.sub("", cell.source).strip() if secret else cell.source
    return {
        **shown,
        "source": coloured(source),
        "written": source,
        "outputs": [made for output in outputs for made in drawn(output)],
    }


def fit(groups: Sequence[list[dict[str, Any]]]) -> int:
    """Cut the cells to the room of a page, in place; returns how many of a student's own are left out.

    Her answers come first, then what they printed, then cells that she added.
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
    """Show as much of what a cell says as fits into a quarter of what is left; returns how much it takes.

    A quarter, so that the first long answer leaves room for the others.
    """
    written = cell.pop("written")
    shown = cell["text"] or cell["source"]
    for shorter in (shown, cut(written), cut(written, SHORT)):
        if size(shorter) <= left / 4:
            if shorter is not shown:
                cell["text"], cell["source"] = "", shorter
                cell["note"] = "Not shown as usual: this page would be too large. It is in your notebook."
            return size(shorter)
    cell["text"], cell["source"], cell["note"] = "", "", "Not shown: this page would be too large."
    return AROUND


def fit_outputs(cell: dict[str, Any], left: int) -> int:
    """Keep those outputs of a cell that the room allows; returns how much they take."""
    kept, taken = [], 0
    for output in cell["outputs"]:
        needed = size(output.get("image") or output.get("text", ""))
        if taken + needed <= left:
            kept.append(output)
            taken += needed
    if len(kept) < len(cell["outputs"]):
        cell["note"] = "Some output is not shown: this page would be too large."
    cell["outputs"] = kept
    return taken


def size(text: str) -> int:
    """How many bytes a text, escaped unless it is markup, takes on the page."""
    return len(escape(text).encode()) + AROUND


def css_class(score: Mapping[str, Any] | None) -> str:
    """The class of a cell's section, which gives it its colour: waits, full or part of the points."""
    if score is None:
        return ""
    return (
        "waits" if score["points"] is None else "full" if score["points"] >= score["max_points"] else "part"
    )


def hidden(cell: NotebookNode) -> bool:
    """Whether the cell holds tests that a student must not read."""
    return cell.metadata.get(OURS, {}).get("hidden", False) or bool(REGIONS.search(cell.source))


def hint(cell: NotebookNode) -> str:
    """What a failed check says to the student; of a hidden one, nothing that her own code could choose."""
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
        f"On an input of the hidden test, your code raises {error.ename}."
        if known
        else "A hidden test fails."
    )


def drawn(output: NotebookNode) -> list[dict[str, str]]:
    """An output as dictionaries with its text or its image."""
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
    """The first lines of what a cell printed, and how much more there is, as far as that is known."""
    text, least = (text.removesuffix(CUT), "at least ") if text.endswith(CUT) else (text, "")
    first = "".join(text.splitlines(keepends=True)[:LINES])[:SHOWN_LIMIT]
    more = len(text) - len(first)
    return f"{first.rstrip()}\n… and {least}{more:,} more characters, not shown." if more or least else text


def coloured(source: str) -> str:
    """Code with its syntax coloured; a very long one is cut instead."""
    source = printable(source)
    return Markup(highlight(source, PythonLexer(), FORMATTER)) if len(source) < SHOWN_LIMIT else cut(source)


@lru_cache(maxsize=1)
def style() -> Markup:
    """The CSS of coloured code, for light and for dark screens."""
    return Markup(
        f"{FORMATTER.get_style_defs('pre')}\n@media (prefers-color-scheme: dark) {{\n"
        f"{DARK.get_style_defs('pre')}\n}}"
    )
