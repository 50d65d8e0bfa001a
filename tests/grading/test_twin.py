"""One notebook in two processes: honest answers, objects, generators, and cells that end badly."""
import nbformat
import pytest
from conftest import ROOT

from minibert.grading import sandbox
from minibert.grading.limits import Policy
from minibert.grading.notebook import marked, metadata, read
from minibert.grading.twin import Kernels, execute

pytestmark = pytest.mark.sandbox
POLICY = Policy(cell_seconds=2, idle_seconds=5, memory_mb=1500)


@pytest.fixture(scope="module")
def kernels():
    if sandbox.missing():
        pytest.skip(sandbox.missing())
    with Kernels(POLICY) as kernels:
        yield kernels


def notebook(*cells):
    """A notebook of (mark or None, source)."""
    made = [nbformat.v4.new_code_cell(source, metadata={"nbgrader": metadata(mark)} if mark else {}) for mark, source in cells]
    return nbformat.v4.new_notebook(cells=made)


def answered(answer, *tests, setup="import numpy as np"):
    """A student's cell between the set-up and tests."""
    return notebook(("read setup", setup), ("solution answer", answer),
                    *[(f"tests t{number} 1", test) for number, test in enumerate(tests)])


def said(executed):
    """What each test says: its error, or an empty string."""
    return [next((o.evalue for o in cell.outputs if o.output_type == "error"), "")
            for name, cell in marked(executed.notebook).items() if name.startswith("t")]


def test_the_solution_of_a_unit_passes_all_its_tests(kernels):
    executed = kernels.execute(read(ROOT / "solutions" / "02_attention" / "02_attention.ipynb"))
    assert (executed.problems, executed.hints, executed.timed_out) == ((), (), False)
    assert 0 < executed.cpu_seconds < 10
    visible = marked(executed.notebook)["softmax-visible"].outputs
    assert visible[0].text.startswith("softmax: passed.")
