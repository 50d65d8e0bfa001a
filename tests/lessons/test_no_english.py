"""Each lesson without the English model: the course's own takes its place, and no cell raises an error.

Without --all, every twelfth lesson, another than the one that a browser visits.
"""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from patience import HANG

from minibert.english.published import COPY

pytestmark = pytest.mark.slow
LESSONS = sorted((Path(__file__).resolve().parents[2] / "lessons").glob("*.ipynb"))


@pytest.fixture
def errors(monkeypatch, tmp_path):
    """errors(notebook): what its cells raise where the English model cannot be had."""
    monkeypatch.setenv(COPY, str(tmp_path / "nowhere"))

    def run(notebook):
        client = NotebookClient(
            notebook,
            allow_errors=True,
            kernel_name="python3",
            timeout=HANG,
            resources={"metadata": {"path": str(tmp_path)}},
        )
        client.execute()
        return [
            f"{output.ename}: {output.evalue}"
            for cell in notebook.cells
            if cell.cell_type == "code"
            for output in cell.outputs
            if output.output_type == "error"
        ]

    return run


def test_an_error_is_found(errors):
    cell = "import minibert\nassert minibert.load('english').name == 'english', 'the tour stands in'"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    assert errors(notebook) == ["AssertionError: the tour stands in"]


@pytest.mark.takes_turns("lesson", every=12, later=3)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_runs_without_the_english_model(errors, lesson):
    assert errors(nbformat.read(lesson, as_version=4)) == []
