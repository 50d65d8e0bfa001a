"""Pages with a hostile submission in a real browser: nothing of it runs, in the feedback or in formgrader."""

import json
import re

import nbformat
import pytest
from no_kernel import feedback

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.notebook import fill, marked, text
from minibert.grading.run.execute_notebook import Executed
from minibert.grading.sandbox.limits import Policy

pytestmark = pytest.mark.browser
UNIT = "01_small"
RAN = "window.ran = (window.ran || 0) + 1"
ATTEMPTS = {
    "script": f"<script>{RAN}</script>",
    "handler": f'<img src="data:image/png;base64,x" onerror="{RAN}">',
    "svg": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RAN}"><script>{RAN}</script></svg>',
    "details": f'<details open ontoggle="{RAN}">x</details>',
    "frame": f'<iframe srcdoc="<script>parent.{RAN.replace("window", "parent")}</script>"></iframe>',
    "code": f"`</code><script>{RAN}</script>`",
    "unclosed": f"<script\n>{RAN}</script\n>",
    "math": f"$$</span><script>{RAN}</script>$$",
}
EVERYTHING = "\n\n".join(
    [*ATTEMPTS.values(), f"[link](javascript:{RAN})", f"[other]\n\n[other]: javascript:{RAN}"]
)


@pytest.fixture
def page(program):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])
        yield browser.new_page()
        browser.close()


@pytest.fixture
def runs(page, tmp_path):
    """runs(html) -> how often a script ran in that page, links to scripts clicked, and what it asked for."""
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.abort()

    page.route(re.compile("^https?:"), refuse)

    def look(html):
        (tmp_path / "page.html").write_text(html)
        asked.clear()
        page.goto((tmp_path / "page.html").as_uri(), wait_until="domcontentloaded")
        page.wait_for_timeout(300)
        page.evaluate(
            "[...document.links].filter(link => link.protocol == 'javascript:').forEach(link => link.click())"
        )
        page.wait_for_timeout(200)
        return page.evaluate("window.ran || 0"), list(asked)

    return look


@pytest.fixture(scope="module")
def result(built_course, exercise, right):
    """A submission with every attempt in its text, its code and its outputs, graded."""

    def execute(notebook, policy, files):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                data = {f"text/{kind}": EVERYTHING for kind in ("html", "latex", "markdown", "plain")}
                data |= {"image/svg+xml": ATTEMPTS["svg"], "application/javascript": RAN}
                failure = {"ename": EVERYTHING, "evalue": EVERYTHING, "traceback": [EVERYTHING]}
                cell.outputs = [
                    nbformat.v4.new_output("display_data", data=data),
                    nbformat.v4.new_output("stream", name="stdout", text=EVERYTHING),
                    nbformat.v4.new_output("error", **failure),
                ]
        return Executed(notebook)

    notebook = fill(
        exercise, {**right, "why": EVERYTHING, "square": f"{right['square']}\n'''{EVERYTHING}'''"}
    )
    notebook.cells.append(nbformat.v4.new_raw_cell(EVERYTHING, metadata={"raw_mimetype": "text/html"}))
    notebook.cells.append(
        nbformat.v4.new_markdown_cell(EVERYTHING, attachments={"x.svg": {"image/svg+xml": ATTEMPTS["svg"]}})
    )
    submission = to_bytes({f"{EVERYTHING}.ipynb": text(notebook).encode()}, [EVERYTHING])
    return json.loads(
        grade_submission(bytes(make_bundle(built_course, UNIT)), submission, Policy(sandbox="none"), execute)
    )


def formgrader(notebook):
    """The page that formgrader shows of a notebook, as its handler makes it."""
    from nbconvert.exporters import HTMLExporter
    from nbgrader.server_extensions.formgrader import handlers
    from traitlets.config import Config

    config = Config()
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    names = "assignment_id notebook_id submission_id base_url student last_name first_name notebook_path"
    resources = dict.fromkeys(names.split(), "x") | {"index": 0, "total": 1}
    return HTMLExporter(config=config).from_notebook_node(notebook, resources=resources)[0]


def test_nothing_runs_in_the_feedback_of_a_student(runs, result):
    assert "alert" not in feedback(result) and RAN in feedback(result)  # it is there, as text
    assert runs(feedback(result)) == (0, [])


def test_nothing_runs_in_formgrader(runs, result):
    assert runs(formgrader(nbformat.reads(result["notebook"], as_version=4)))[0] == 0


def test_without_the_care_it_would_run(runs, result):
    notebook = nbformat.reads(result["notebook"], as_version=4)
    marked(notebook)["why"].source = EVERYTHING
    assert runs(formgrader(notebook))[0] > 0
    assert runs(f"<p>{EVERYTHING}</p>")[0] > 0
    forbidden = feedback(result).replace("<h1>", f"{EVERYTHING}<h1>", 1)
    assert runs(forbidden)[0] == 0  # the page's own policy forbids what the sanitiser might let through
