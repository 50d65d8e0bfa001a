"""Mark text answers on a local web page, one question at a time (`minibert mark`).

The page has a small server, which writes each mark to the gradebook immediately, so closing the browser loses
nothing. The server listens only on this machine. Its address has a random part that other users do not know,
and it refuses requests for any other host name, so that no other web page can use it.
"""

import contextlib
import json
import re
import secrets
import sys
import threading
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ..author.assignment_bundle import make_bundle, solution_of
from ..author.exercises import assignment_named, exercises
from ..notebook import marked, read
from ..report.answer_html import html_of_markdown
from ..report.class_page import PAGE, browse
from ..report.gradebook import open_course, open_gradebook
from ..report.templates import TEMPLATES
from ..report.text_answers import (
    answers_of,
    checked_mark,
    checked_rubric,
    comment_of,
    give,
    load_marks,
    points_of,
    rubric_of,
    save_marks,
)
from .grade_class import BusyError, last_run, opened_class
from .journal import results_so_far

MARKS = "marks.json"
HINT = re.compile("<details>.*?</details>", re.DOTALL)  # hints are for students, and they are HTML
BODY_LIMIT = 100_000  # bytes of a request


class Marking:
    """The text answers of a class and their marks. Every change is saved immediately.

    Raises ValueError for an unknown assignment, one without text answers, or a class that has not
    been graded.
    """

    def __init__(self, root: str | Path, name: str, out: str | Path | None = None) -> None:
        self.assignment = assignment_named(root, name)
        self.out = Path(out or Path(root, "grades", self.assignment))
        self.bundle, self.directory = make_bundle(root, self.assignment), open_course(root)
        self.exercises = {one.answer: one for one in exercises(self.bundle.cells) if one.manual}
        if not self.exercises:
            raise ValueError(f"{self.assignment} has no text answers")
        model = marked(read(solution_of(root, self.assignment)))
        self.models = {cell: model[cell].source for cell in self.exercises}
        last_run(self.out)  # raises a clear error if the class has not been graded
        self.marks, self.lock = load_marks(self.out / MARKS), threading.Lock()
        with open_gradebook(self.directory) as gradebook:
            notebooks = {
                student.id: path
                for student in gradebook.students
                if (path := self._notebook(student.id)).exists()
            }
            self.answers = {
                cell: answers_of(gradebook, one, self.bundle.name, self.assignment, notebooks)
                for cell, one in self.exercises.items()
            }

    def _notebook(self, student):
        folder = self.directory.format_path(self.directory.autograded_directory, student, self.assignment)
        return Path(folder) / f"{self.bundle.name}.ipynb"

    def _of(self, cell):
        """Return a question's exercise and marks.

        Raises ValueError if the cell is not a text question.
        """
        if cell not in self.exercises:
            raise ValueError(f"{cell!r} is not a question; choose one of {', '.join(self.exercises)}")
        one = self.exercises[cell]
        begun = {"rubric": rubric_of(self.models[cell], one.max_points), "answers": {}}
        return one, self.marks.setdefault(cell, begun)

    def question(self, cell: str) -> dict[str, Any]:
        """Return the data that the marking page shows for a question."""
        one, marks = self._of(cell)
        none: dict[str, Any] = {"lines": [], "zero": False, "comment": ""}
        shown = []
        for answer in self.answers[cell]:
            mark = marks["answers"].get(answer["key"], none)
            shown.append({**answer, **mark, "points": points_of(mark, marks["rubric"], one.max_points)})
        above = [
            found
            for found in self.bundle.cells[: [c.name for c in self.bundle.cells].index(cell)]
            if found.kind == "markdown" and not found.answer
        ]
        return {
            "title": one.title,
            "max_points": one.max_points,
            "rubric": marks["rubric"],
            "question": html_of_markdown(HINT.sub("", above[-1].source)) if above else "",
            "model": html_of_markdown(self.models[cell]),
            "answers": shown,
        }

    def set_rubric(self, cell: str, lines: Any) -> None:
        """Replace a question's rubric, and recompute the points of the answers marked with it."""
        one, marks = self._of(cell)
        rubric = checked_rubric(lines, one.max_points)
        used = max((line for mark in marks["answers"].values() for line in mark["lines"]), default=-1)
        if used >= len(rubric):
            raise ValueError(
                f"line {used + 1} of the rubric is in use; remove it from the answers that use it first"
            )
        marks["rubric"] = rubric
        self._write(cell, list(marks["answers"]))

    def set_mark(self, cell: str, key: str, mark: Any) -> None:
        """Save a mark for an answer, and apply it to all students who gave this answer."""
        _, marks = self._of(cell)
        if key not in {answer["key"] for answer in self.answers[cell]}:
            raise ValueError(f"there is no answer {key!r}")
        marks["answers"][key] = checked_mark(mark, marks["rubric"])
        self._write(cell, [key])

    def _write(self, cell, keys):
        one, marks = self._of(cell)
        save_marks(self.out / MARKS, self.marks)
        students = {answer["key"]: answer["students"] for answer in self.answers[cell]}
        with open_gradebook(self.directory) as gradebook:
            for key in filter(students.__contains__, keys):
                mark = marks["answers"][key]
                give(
                    gradebook,
                    one,
                    self.bundle.name,
                    self.assignment,
                    students[key],
                    points_of(mark, marks["rubric"], one.max_points),
                    comment_of(mark, marks["rubric"]),
                )

    def finish(self, root: str | Path, source: str | Path | None = None) -> None:
        """Rewrite the grade tables and feedback pages to include the marks."""
        known_source, policy, form = last_run(self.out)
        with opened_class(root, self.assignment, source or known_source, self.out, form) as report:
            for student, result in results_so_far(
                report.submissions, report.bundle, policy, self.out / "journal"
            ).items():
                report.add(student, result)
            report.finish()


def serve(marking: Marking, port: int = 0) -> tuple[ThreadingHTTPServer, str]:
    """Return a server for the marking page (not running yet) and the page's address."""
    token = secrets.token_urlsafe(24)

    class Handler(BaseHTTPRequestHandler):
        """A request handler that answers only requests whose address contains the secret token."""

        timeout = 30

        def log_message(self, _format: str, *_args: Any) -> None:
            """Log nothing, because the address is secret."""

        def do_GET(self) -> None:
            if place := self.place():
                if place == [""]:
                    nonce = secrets.token_urlsafe(16)
                    page = TEMPLATES.get_template("mark_page.html").render(
                        assignment=marking.assignment, nonce=nonce, questions=marking.exercises.values()
                    )
                    self.answer(200, "text/html", page, nonce)
                else:
                    self.json(place, lambda: None)

        def do_POST(self) -> None:
            if place := self.place():
                size = int(self.headers.get("Content-Length") or 0)
                if self.headers.get("Content-Type") != "application/json" or not 0 < size <= BODY_LIMIT:
                    self.answer(400, "text/plain", f"the request must be JSON of at most {BODY_LIMIT} bytes")
                    return
                body = self.rfile.read(size)

                def change() -> None:
                    sent = json.loads(body)
                    if not isinstance(sent, dict):
                        raise ValueError("the request must be a JSON object")
                    if "rubric" in sent:
                        marking.set_rubric(place[-1], sent["rubric"])
                    else:
                        marking.set_mark(place[-1], str(sent.get("key")), sent)

                self.json(place, change)

        def place(self) -> list[str]:
            """Return the parts of the requested path that follow the secret token.

            For requests that do not come from this server's page, send an error and return an empty list.
            """
            ours = {f"{host}:{server.server_port}" for host in ("127.0.0.1", "localhost")}
            given, *rest = (self.path.partition("?")[0].removeprefix("/") + "/").split("/")
            if self.headers.get("Host") in ours and secrets.compare_digest(given.encode(), token.encode()):
                return [unquote(part) for part in rest[:-1]] or [""]
            self.answer(403, "text/plain", "Use the address that `minibert mark` printed.")
            return []

        def json(self, place: list[str], change: Any) -> None:
            try:
                with marking.lock, warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # SQLAlchemy warns about nbgrader's own session
                    change()
                    found = marking.question(place[-1])
            except ValueError as error:
                self.answer(400, "text/plain", str(error))
            else:
                self.answer(200, "application/json", json.dumps(found))

        def answer(self, status: int, kind: str, text: str, nonce: str = "") -> None:
            """Send `text` with headers that stop browsers storing it, framing it or guessing its type."""
            data = text.encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": f"{kind}; charset=utf-8",
                "Content-Length": str(len(data)),
                "Cache-Control": "no-store",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Content-Security-Policy": f"default-src 'none'; script-src 'nonce-{nonce}'; "
                "img-src data:; style-src 'unsafe-inline'; connect-src 'self'",
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    return server, f"http://127.0.0.1:{server.server_port}/{token}/"


def main(
    name: str,
    root: str | Path,
    port: int = 0,
    out: str | Path | None = None,
    source: str | Path | None = None,
) -> int:
    """Serve the marking page until Ctrl-C, then write the tables and feedback, and return the exit status."""
    marking = Marking(root, name, out)
    server, address = serve(marking, port)
    with server:
        print(
            f"Mark here: {address}\nPress Ctrl-C to finish and to write tables and feedback with your marks.",
            file=sys.stderr,
        )
        browse(address)
        with contextlib.suppress(KeyboardInterrupt):  # the usual way to stop
            server.serve_forever()
    print("Writing tables and feedback ...", file=sys.stderr, flush=True)
    try:
        marking.finish(root, source)
    except BusyError as error:
        print(f"Your marks are saved, but the tables and feedback are not updated: {error}", file=sys.stderr)
    else:
        print(f"Written; see {marking.out / PAGE}", file=sys.stderr)
    return 0
