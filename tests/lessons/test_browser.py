"""Each lesson in a real JupyterLab: it runs, every control is moved, and nothing goes wrong on the way.

Its page is looked at in both themes and as narrow as a telephone.

Without --all, every twelfth lesson. The driver (lab.py) is itself tried on a notebook with
every kind of defect.
"""

import contextlib
import functools
import os
import shutil
import textwrap
from pathlib import Path

import nbformat
import pytest
from actions import ACTIONS

from minibert.english.published import EnglishMissing, default_folder, encoder_folder

if "browser" not in os.environ.get("MINIBERT_REQUIRE", "").split(","):
    pytest.importorskip("playwright", reason="no playwright on this machine (pip install playwright)")
import lab  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LESSONS = sorted((Path(__file__).resolve().parents[2] / "lessons").glob("*.ipynb"))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """start(chromium): JupyterLab and the browser, once; a skipped test starts neither."""
    folder = tmp_path_factory.mktemp("jupyterlab")
    root = folder / "notebooks"
    root.mkdir()
    with contextlib.ExitStack() as stack:
        yield functools.cache(
            lambda chromium: (root, stack.enter_context(lab.started(root, folder / "own", chromium)))
        )


@pytest.fixture
def problems(start, program):
    """problems(notebook file, actions): what a visit to a copy of the notebook finds wrong."""
    root, visit = start(program)

    def copy_and_visit(notebook, actions):
        shutil.copy(notebook, root)
        return visit(notebook.name, actions)

    return copy_and_visit


@pytest.fixture
def written(tmp_path):
    """written(cells): a notebook file of these code cells."""

    def write(cells):
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(textwrap.dedent(cell)) for cell in cells]
        )
        notebook.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
        nbformat.write(notebook, tmp_path / "written.ipynb")
        return tmp_path / "written.ipynb"

    return write


@pytest.mark.takes_turns("lesson", every=12)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_has_no_problem_while_every_control_is_moved(lesson, problems):
    """Kernels have no network, so the English encoder is fetched before; lessons run without it, too."""
    with contextlib.suppress(EnglishMissing):
        encoder_folder(default_folder())
    assert problems(lesson, ACTIONS.get(lesson.stem, [])) == []


def test_all_actions_belong_to_a_lesson():
    assert set(ACTIONS) <= {lesson.stem for lesson in LESSONS}


IMPORTS = """
    import ipywidgets as widgets
    from IPython.display import HTML, Javascript, display
    from minibert.course.widgets.view import Controls, figure
"""
CLEAN = (
    IMPORTS,
    """
    def draw(count, note, odd, sort, base, step, bound):
        fig, ax = figure()
        numbers = [step * i ** base for i in range(count) if i % 2 or not odd]
        ax.imshow([[0, 1]], cmap="gray", extent=(0, 2, 0, 2))
        ax.text(0.5, 1, "on black", color="white", ha="center")
        ax.text(1.5, 1, "on white", color="#1A1A1A", ha="center")
        ax.set(title=f"{note} {sort}", xlabel="i", ylabel="power")
        return fig, f"{note} {sort} {bound}: {numbers}"
    Controls(draw, count=widgets.IntSlider(3, description="Count"),
             note=widgets.Text("Powers", description="Note"),
             odd=widgets.Checkbox(description="Odd only"),
             sort=widgets.Dropdown(options=["up", "down"], description="Sort"),
             base=widgets.ToggleButtons(options=[1, 2], description="Base"),
             step=widgets.SelectionSlider(options=[1, 10, 100], description="Step"),
             bound=widgets.RadioButtons(options=["low", "high"], description="Bound"))
""",
    """
    guess, said = widgets.Text(description="Guess"), widgets.HTML()
    check = widgets.Button(description="Check")
    check.on_click(lambda _: setattr(said, "value", f"You said {guess.value}."))
    again = Controls(str, object=widgets.BoundedIntText(1, description="Count"))
    widgets.Tab([widgets.VBox([guess, check, said]), again], titles=["One", "Two"])
""",
)
CLEAN_ACTIONS = [
    "slider:Count=5",
    "text:Note=Cubes",
    "check:Odd only=on",
    "dropdown:Sort=down",
    "toggle:Base=2",
    "slider:Step=100",
    "toggle:Bound=high",
    ("text:Guess=me", "click:Check"),
    "click:Two",
    "text:Count=2",
    "click:One",
]


def test_a_notebook_without_defects_has_no_problem(problems, written):
    assert problems(written(CLEAN), CLEAN_ACTIONS) == []


DEFECTS = (
    IMPORTS,
    """
    Controls(lambda x: str(1 / x), x=widgets.IntText(1, description="Divide by"))
""",
    """
    def button(name, callback):
        new = widgets.Button(description=name)
        new.on_click(callback)
        return new
    import os, sys
    from urllib.request import urlopen
    widgets.HBox([button("Raise", lambda _: {}["missing"]),
                  button("Warn", lambda _: print("careful", file=sys.stderr)),
                  button("Fetch", lambda _: urlopen("http://example.org")),
                  button("Die", lambda _: os._exit(1)),
                  button("Forgotten", print)])
""",
    """
    Controls(lambda x: "always the same", x=widgets.IntSlider(1, description="Idle"))
""",
    """
    HTML('<img alt="a tracker" src="https://example.org/pixel.png">')
""",
    """
    Javascript("setTimeout(() => { throw new Error('planted'); })")
""",
    """
    display({"application/vnd.jupyter.widget-view+json":
             {"version_major": 2, "version_minor": 0, "model_id": "gone"}},
            raw=True)
""",
    """
    import warnings
    warnings.warn("planted warning")
""",
    """
    fig, ax = figure()
    fig.savefig("plain.png")
    widgets.HTML('<svg role="img" width="300" height="30">'
                 '<text x="9" y="20" fill="#000000">black words</text></svg>'
                 '<img src="files/plain.png">')
""",
    """
    HTML('<p style="color: #EEEEEE">pale words</p>')
""",
    """
    widgets.IntText(3)
""",
    """
    HTML('<p style="overflow: hidden; white-space: nowrap">' + "a long line " * 40 + '</p>')
""",
    """
    raise RuntimeError("planted error")
""",
    """
    print("never reached")
""",
)
DEFECT_ACTIONS = [
    "text:Divide by=0",
    "click:Raise",
    "click:Warn",
    "click:Fetch",
    "slider:Idle=2",
    "click:Missing",
    "click:Die",
]
FOUND = [
    'cell 1: a view shows "ZeroDivisionError: division by zero"',
    "a callback raised KeyError: 'missing'",
    "a callback wrote to stderr: careful",
    "a callback raised URLError: <urlopen error",
    "slider:Idle=2: changed nothing",
    "click:Missing: no such control",
    "no action moves click:Forgotten",
    "the kernel died",
    "request to another host: https://example.org/pixel.png",
    "cell 4: image not loaded",
    "JavaScript: planted",
    "cell 6: not rendered: Error displaying widget",
    "cell 7 wrote to stderr: ",
    "cell 8: <svg> without a text alternative",
    "cell 8: <img> without a text alternative",
    'cell 8: hard to read: 1 text(s), first "black words" rgb(0,0,0) on rgb(17,17,17) (dark theme)',
    'cell 9: hard to read: 1 text(s), first "pale words" rgb(238,238,238) on rgb(255,255,255) (light theme)',
    "cell 10: a control without a label (text)",
    "cell 11: cut off: ",
    "cell 12 raised RuntimeError: planted error",
    "cells that did not run: 13",
]


def test_each_kind_of_defect_is_found(problems, written):
    found = problems(written(DEFECTS), DEFECT_ACTIONS)
    assert [defect for defect in FOUND if not any(problem.startswith(defect) for problem in found)] == [], (
        found
    )
