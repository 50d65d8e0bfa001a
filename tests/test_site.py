"""The site: its pages without running a lesson, and the views that work there without a kernel."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
from conftest import ROOT

from minibert.course.rendered import execute

pytest.importorskip("myst_nb", reason="the site needs Python 3.11")
FOLDER = ROOT / "docs" / "site"
ADDRESS = "https://github.com/someone/bert"


@pytest.fixture(scope="module")
def tools():
    """The modules that make the site."""
    sys.path.insert(0, str(FOLDER))
    import check
    import pages
    import papers

    yield SimpleNamespace(check=check, pages=pages, papers=papers)
    sys.path.remove(str(FOLDER))


@pytest.mark.slow
@pytest.mark.takes_turns("address")
@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_site_builds_without_a_warning_a_broken_link_or_a_page_that_is_too_large(tmp_path, address):
    command = [sys.executable, str(FOLDER / "pages.py"), "--quick", str(tmp_path / "site")]
    own = {"MINIBERT_REPOSITORY": address, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lesson = (tmp_path / "site" / "lessons" / "02_attention.html").read_text(encoding="utf-8")
    assert "minibert lab 02" in re.sub("<[^>]+>", "", lesson) and "../notebooks/02_attention.ipynb" in lesson
    hosts = set(re.findall(r'href="https://([^/"]+)/[^"]*(?:02_attention|section)', lesson))
    assert hosts == ({"colab.research.google.com", "mybinder.org", "github.com"} if address else set())
    assert ("Section%3A%203%20" in lesson) == bool(address)  # feedback on a section
    for page in ("index", "gallery", "papers", "api", "search", "docs/students", "exercises/index"):
        assert (tmp_path / "site" / f"{page}.html").exists()


def test_a_fault_of_the_site_is_reported(tools, tmp_path):
    (tmp_path / "good.html").write_text('<h2 id="here">Good</h2><a href="#here">here</a>')
    links = "".join(f'<a href="{to}">x</a>' for to in ("good.html#there", "none.html", "good.html#here"))
    script = '<script src="https://cdn.example.org/a.js">'
    (tmp_path / "bad.html").write_text(links + script + " " * tools.check.LIMIT)
    found = "\n".join(tools.check.faults(tmp_path))
    assert found.count("broken link") == 2 and "none.html" in found and "good.html#there" in found
    assert "bad.html: loads https://cdn.example.org/a.js" in found and "more than 300,000" in found
    assert "good.html:" not in found


def test_a_paper_has_its_authors_year_and_title(tools):
    cited = tools.papers.cited
    assert cited("- Devlin et al. (2019), *BERT*, ", "arXiv 1810.04805") == "Devlin et al. (2019), BERT"
    assert cited("found so. Rogers et al. (2020): ", "A Primer") == "Rogers et al. (2020): A Primer"
    assert (
        cited("most like it (Weissenborn et al., 2017, ", "arXiv 1703.04816") == "Weissenborn et al. (2017)"
    )
    assert cited("| 2018 | ", "ELMo") == "ELMo"


@pytest.fixture
def browser(program):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])
        yield found
        found.close()


VIEWS = [
    "from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion\n"
    "Quiz([QuizQuestion('Where?', [Choice('here', True, 'Yes.'), Choice('there', False, 'No.')])])",
    "from minibert.course.widgets.guess_then_see import GuessChoice\n"
    "GuessChoice('Which?', ['left', 'right'], lambda: 'right')",
    "from minibert.course.widgets.stepper import Stepper\n"
    "Stepper(lambda step: f'<p>line {min(step, 3)}</p>', 5)",
    "Stepper(lambda step: f'<p>{step}' + ' ' * 10_000 + '</p>', 4)",  # stored in a file
    f"import sys\nsys.path += [{str(ROOT / 'tests')!r}, {str(ROOT / 'tests/course/explorer')!r}]\n"
    "from little_bert import TOKENIZER, model_with\n"
    "from minibert.course.widgets.explorer.widget import explore\n"
    "explore((model_with('tokens'), TOKENIZER), 'mira sings a song .')",
]


@pytest.mark.slow
@pytest.mark.browser
def test_views_work_in_a_browser_without_a_kernel_and_from_a_file(tools, tmp_path, monkeypatch, browser):
    pages = tools.pages
    monkeypatch.setattr(execute, "folder", lambda: tmp_path / "kept")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in VIEWS])
    cells = execute.executed(notebook, "views", tmp_path).cells
    again = execute.executed(notebook, "views", tmp_path, run=False).cells  # from the file that was kept
    assert [cell.outputs for cell in again] == [cell.outputs for cell in cells]

    site = pages.Site(tmp_path / "work", "", False)
    parts = [
        site.output(cell.outputs[-1]["data"], f"v-{i}", "02_attention", "") for i, cell in enumerate(cells)
    ]
    body = "".join(part["text/html"] for part in parts)
    script = (FOLDER / "static" / "live.js").read_text(encoding="utf-8")
    (site.extra / "page.html").write_text(
        f"<!DOCTYPE html><body>{body}<script>{script}</script>", encoding="utf-8"
    )

    page = browser.new_page()
    page.goto((site.extra / "page.html").as_uri())
    page.click("summary:has-text('there')")
    assert "No." in page.inner_text("details:has-text('there')")
    page.click("text=Show me")
    assert "The answer: right" in page.inner_text(".show-me")
    for number, steps in ((0, ["line 1", "line 2", "line 3"]), (1, ["1", "2", "3", "4"])):
        place = page.locator(".steps").nth(number)
        place.scroll_into_view_if_needed()
        for step, text in enumerate(steps):
            if step:
                place.locator("text=Next step").click()
            assert place.locator("section:visible").inner_text() == text
        assert place.locator("section").count() == len(steps)  # equal steps are shown once
    page.wait_for_selector(".mb-map")
    assert page.locator(".mb input[type=text], .mb-switch").count() == 0
    for word in ("sings", "mira"):  # one masked word at a time
        page.click(f".mb-chip:has-text('{word}')")
        page.wait_for_selector(f".mb-masked:has-text('{word}')")
        assert page.locator(".mb-masked").count() == 1
