"""The page that a student gets: her cells, checks, hints, points, repairs of her file, comments.

It is made from an autograded notebook and its scores alone, by `minibert grade` and by plain `nbgrader
generate_feedback`. Of a hidden test it shows one sentence, of other students and of the grading machine
nothing. Nothing in it runs: the page forbids scripts, and no markup of a submission is in it.
"""
import builtins
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jinja2
from markupsafe import Markup
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..author.notebook_rules import REGIONS
from ..cell_messages import ANSI, error_text
from ..notebook import OURS, field, grade_id
from .sanitize import SHOWN_LIMIT, cut, html_of_markdown, printable, without_paths

# errors whose text is meant for the student; the last three are the grader's own
FOR_STUDENTS = ("AssertionError", "CheckFailed", "OutOfTime", "KernelEnded", "NotRun")
HINT_LIMIT = 600        # characters of what a hidden test says
FORMATTER = HtmlFormatter(nowrap=True)
TEMPLATE = jinja2.Environment(autoescape=True, trim_blocks=True,
                              lstrip_blocks=True).from_string('''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>{{ title }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
body { color: #1a1a1a }
pre { background: #f6f6f6; padding: .6rem; overflow-x: auto; white-space: pre-wrap; margin: .4rem 0 }
section { border-left: 4px solid #bbb; padding-left: 1rem; margin: 1.2rem 0 }
section.full { border-color: #00734f }
section.part { border-color: #b35900 }
section.waits { border-color: #0072b2 }
table { border-collapse: collapse } td, th { border: 1px solid #bbb; padding: .2rem .6rem; text-align: left }
.out { background: #fff; border: 1px solid #ddd }
.hint { font-weight: 600; white-space: pre-line }
img { max-width: 100% }
{{ style }}
</style>
</head>
<body>
<h1>{{ title }}</h1>
<p><strong>{{ total }}</strong></p>
{% if notes %}<h2>About your file</h2>
<ul>
{% for note in notes %}<li>{{ note }}</li>
{% endfor %}</ul>
{% endif %}
{% if rows %}<table><thead><tr><th>part</th><th>points</th></tr></thead><tbody>
{% for row in rows %}<tr><td>{{ row.name }}</td><td>{{ row.points }}</td></tr>
{% endfor %}</tbody></table>
{% endif %}
{% for cell in cells %}
{% if cell.heading %}<h2>{{ cell.heading }}</h2>
{% else %}
<section class="{{ cell.css_class }}">
{% if cell.name %}<p><strong>{{ cell.name }}</strong>{% if cell.points %} · {{ cell.points }}{% endif %}</p>
{% endif %}
{% if cell.source %}<pre>{{ cell.source }}</pre>
{% endif %}
{{ cell.text }}
{% for output in cell.outputs %}{% if output.image %}
<p><img alt="output of the cell" src="{{ output.image }}"></p>
{% else %}<pre class="out">{{ output.text }}</pre>
{% endif %}{% endfor %}
{% if cell.hint %}<p class="hint">{{ cell.hint }}</p>
{% endif %}
{% if cell.comment %}<p>Comment: {{ cell.comment }}</p>
{% endif %}
</section>
{% endif %}
{% endfor %}
</body>
</html>
''')


def page(notebook: NotebookNode, scores: Mapping[str, Mapping], title: str,
         comments: Mapping[str, str] | None = None, late_penalty: float = 0.0) -> str:
    """The HTML of the feedback for an autograded notebook.

    scores: name of a cell -> mapping with points (None: waits for a person) and max_points. comments: name of
    a cell -> what a person wrote.
    """
    about = notebook.metadata.get(OURS, {})
    cells = [shown for cell in notebook.cells
             for shown in show(cell, scores.get(grade_id(cell) or ""), (comments or {}))]
    rows = [{"name": name, "points": points_text(score)} for name, score in scores.items()]
    return TEMPLATE.render(title=title, total=total(scores, about, late_penalty), cells=cells, rows=rows,
                           style=style(), notes=[without_paths(note) for note in about.get("notes", ())])


def total(scores: Mapping[str, Mapping], about: Mapping[str, Any], late_penalty: float) -> str:
    """The sentence about all points together. about: our metadata of the notebook."""
    if about.get("ungraded"):
        return f"Not graded yet. {without_paths(about['ungraded'])}"
    waiting = sum(score["points"] is None for score in scores.values())
    points = max(0.0, sum(score["points"] or 0 for score in scores.values()) - late_penalty)
    said = f"{points:g} of {sum(score['max_points'] for score in scores.values()):g} points"
    said += f", {late_penalty:g} taken off because it was late" if late_penalty else ""
    return (f"{said}; {waiting} {'part waits' if waiting == 1 else 'parts wait'} for a person" if waiting
            else said)


def points_text(score: Mapping[str, Any]) -> str:
    """The points of one cell in words."""
    gained = "waits for a person:" if score["points"] is None else f"{score['points']:g} of"
    return f"{gained} {score['max_points']:g} points"


def show(cell: NotebookNode, score: Mapping | None, comments: Mapping[str, str]) -> list[dict[str, Any]]:
    """What the page shows of a cell: of a given text only headings, of a hidden test only its hint."""
    name = grade_id(cell)
    given = field(cell, "locked") and not field(cell, "grade") and not field(cell, "task")
    if given or not name and cell.metadata.get(OURS, {}).get("given"):
        first = cell.source.strip().split("\n")[0]
        is_heading = cell.cell_type == "markdown" and first.startswith("#")
        return [{"heading": first.lstrip("# ")}] if is_heading else []
    shown: dict[str, Any] = {
        "name": name, "css_class": css_class(score), "points": score and points_text(score),
        "hint": hint(cell), "outputs": [], "comment": comments.get(name or "")}
    if cell.cell_type == "markdown":
        return [{**shown, "text": Markup(html_of_markdown(cell.source))}]
    secret = hidden(cell)
    outputs = [] if secret else [output for output in cell.outputs if output.output_type != "error"
                                 or not shown["hint"]]
    return [{**shown, "source": coloured(REGIONS.sub("", cell.source).strip() if secret else cell.source),
             "outputs": [made for output in outputs for made in drawn(output)]}]


def css_class(score: Mapping[str, Any] | None) -> str:
    """The class of a cell's section, which gives it its colour: waits, full or part of the points."""
    if score is None:
        return ""
    return ("waits" if score["points"] is None else "full" if score["points"] >= score["max_points"]
            else "part")


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
    return (f"On an input of the hidden test, your code raises {error.ename}." if known
            else "A hidden test fails.")


def drawn(output: NotebookNode) -> list[dict[str, str]]:
    """An output as dictionaries with its text or its image."""
    if output.output_type == "stream":
        return [{"text": without_paths(cut(ANSI.sub("", output.text)))}]
    if output.output_type == "error":
        return [{"text": without_paths(cut(ANSI.sub("", f"{output.ename}: {output.evalue}")))}]
    images = [{"image": f"data:{kind};base64,{output.data[kind]}"} for kind in ("image/png", "image/jpeg")
              if kind in output.data]
    return images or [{"text": without_paths(cut(ANSI.sub("", output.data.get("text/plain", ""))))}]


def coloured(source: str) -> str:
    """Code with its syntax coloured; a very long one is cut instead."""
    source = printable(source)
    return Markup(highlight(source, PythonLexer(), FORMATTER)) if len(source) < SHOWN_LIMIT else cut(source)


@lru_cache(maxsize=1)
def style() -> Markup:
    """The CSS of coloured code."""
    return Markup(FORMATTER.get_style_defs("pre"))
