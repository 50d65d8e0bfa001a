"""Lines that lead to the package's own solution are shown to a person; what the exercise offers is not."""

import csv
import io
import time

import nbformat
import pytest
from banks import bank_of, found
from conftest import ROOT

from minibert.grading.author.assignment_bundle import Bundle, Cell, defined_names
from minibert.grading.integrity.flags import MOST, flags_of
from minibert.grading.notebook import read
from minibert.grading.report.flag_table import flag_rows
from minibert.grading.report.grade_tables import text_of

IMPORTS = """import math

import numpy as np

from minibert.course import unit02 as check
from minibert.reference.encoder import gelu, sub
"""
STUB = "def softmax(x, axis=-1):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
BUNDLE = Bundle(
    "02",
    "02",
    (
        Cell("a", "code", IMPORTS, IMPORTS, {"grade_id": "imports", "locked": True}),
        Cell("b", "code", STUB, STUB, {"grade_id": "softmax", "solution": True}),
    ),
    {"data.csv": b""},
)


def flags(answer, own=""):
    cells = [
        nbformat.v4.new_code_cell(IMPORTS, id="a", metadata={"nbgrader": {"grade_id": "imports"}}),
        nbformat.v4.new_code_cell(answer, id="b", metadata={"nbgrader": {"grade_id": "softmax"}}),
    ]
    cells += [nbformat.v4.new_code_cell(own, id="own-0")] if own else []
    return flags_of(BUNDLE, nbformat.v4.new_notebook(cells=cells))


KINDS = {
    "reference": "from minibert.reference import softmax",
    "reference under another name": "import minibert.reference.attention as maths\nsoftmax = maths.softmax",
    "versions": "from minibert.course.unit02.versions import by_logarithm as softmax",
    "model": "from minibert.model.attention import attention",
    "more of an allowed module": "from minibert.reference.encoder import encoder_layer",
    "the module of an allowed name": "import minibert.reference.encoder",
    "the check's reference": "softmax = check.softmax.reference",
    "the check's imports": "softmax = check.reference.softmax",
    "getsource": "import inspect\ntext = inspect.getsource(gelu)",
    "code": "def softmax(x, axis=-1): pass\nsoftmax.__code__ = gelu.__code__",
    "globals of a function": "softmax = gelu.__globals__['softmax']",
    "a text of getattr": "code = getattr(gelu, '__co' + 'de__')",
    "importlib": "import importlib\nm = importlib.import_module('mini' + 'bert.reference')",
    "__import__": "softmax = __import__('minibert.reference', fromlist=['softmax']).softmax",
    "sys.modules": "import sys\nsoftmax = sys.modules['minibert.' + 'reference'].softmax",
    "subprocess": "import subprocess\nsubprocess.run(['python', '-c', 'print(1)'])",
    "os.system": "import os\nos.system('cat x')",
    "open": "text = open('/usr/lib/python3/site-packages/mini.py').read()",
    "open of a computed name": "text = open(gelu.__name__ + 'x').read()",
    "pathlib": "from pathlib import Path\ntext = Path('..').joinpath('x').read_text()",
    "exec": "exec('from minibert.reference import softmax')",
    "eval of a text": "softmax = eval('lambda x: x')",
    "joined": "name = ''.join(['mini', 'bert'])",
    "an f-string": "name = f'mini{\"bert\"}'",
    "bytes": "name = b'minibert.reference'",
    "gc": "import gc\nfunctions = gc.get_objects()",
    "frames": "import sys\nsoftmax = sys._getframe(1)",
    "a shell line": "!cat $(python -c 'print(1)')",
    "an assigned shell line": "text = !pip show x",
    "a shell cell": "%%bash\ncat x",
    "question marks": "softmax??",
    "load": "%load x.py",
    "in a cell that does not parse": "def softmax(:\n    from minibert.reference import softmax",
    "pickle": "import pickle\nsoftmax = pickle.loads(b'x')",
    "a nested function": "def softmax(x, axis=-1):\n    from minibert import reference\n"
    "    return reference.softmax(x)",
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_leads_to_the_package_is_flagged_in_an_answer_and_in_any_other_cell(kind):
    found_, lines = flags(KINDS[kind]), KINDS[kind].split("\n")
    assert found_ and all(flag["cell"] == "softmax" and flag["why"] for flag in found_)
    assert all(flag["text"] == lines[flag["line"] - 1].strip() for flag in found_)
    own = flags("def softmax(x, axis=-1):\n    return x", own=KINDS[kind])
    assert [flag["cell"] for flag in own] == ["added cell 1"] * len(found_)


@pytest.mark.parametrize(
    "answer",
    [
        STUB,
        "def softmax(x, axis=-1):\n    '''As in minibert, by exec and __code__.'''\n    return np.exp(x)",
        "# from minibert.reference import softmax\ndef softmax(x, axis=-1):\n    return gelu(x)",
        "from scipy.special import softmax",
        "import torch\nsoftmax = torch.nn.functional.softmax",
        "table = open('data.csv').read()",
        "check.softmax.hint()",
        "check.softmax(softmax)",
        "%matplotlib inline\n%timeit softmax(x)",
        "from minibert.course import unit02 as check",
        "from minibert.reference.encoder import gelu, sub",
        "walk = 1\nmodules = [walk]\nprint(modules)",
        "text = '''\n!ls\nsoftmax??\n'''",
        "rate = 7 %3",
    ],
)
def test_what_the_exercise_offers_is_not_flagged(answer):
    assert flags(answer) == []


@pytest.mark.parametrize("assignment", sorted(found()))
def test_right_answers_of_the_banks_and_the_solution_are_not_flagged(assignment):
    notebook = read(next(ROOT.glob(f"exercises/{assignment}/*.ipynb")))
    solution = read(next(ROOT.glob(f"solutions/{assignment}/*.ipynb")))
    cells = tuple(
        Cell(cell.id, cell.cell_type, cell.source, cell.source, dict(cell.metadata.get("nbgrader", {})))
        for cell in notebook.cells
    )
    bundle = Bundle(assignment, assignment, cells)
    assert flags_of(bundle, solution) == []
    names = {name: cell for cell in cells if cell.answer for name in defined_names(cell.source)}
    wrongly = []
    for exercise, bank in bank_of(found()[assignment]).items():
        for name, source in bank.right.items():
            if exercise in names:
                cell = nbformat.v4.new_code_cell(source, id=names[exercise].id)
                wrongly += [
                    (exercise, name, flag["text"], flag["why"])
                    for flag in flags_of(bundle, nbformat.v4.new_notebook(cells=[cell]))
                ]
    assert not wrongly


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 150_000,
        " " * 150_000 + "!",
        "a, " * 60_000 + "=",
        "!x\n" * 50_000,
        "x\n" * 90_000 + "(",
        "(" * 5_000,
        "'''" + "\n!a" * 60_000 + "'''",
        "x = '" + "minibert " * 20_000 + "'",
        "a." * 90_000 + "a",
    ],
)
def test_no_text_takes_long_or_fills_the_report(text):
    began = time.process_time()
    assert len(flags(text)) <= MOST
    assert time.process_time() - began < 10  # seconds of the processor; each takes less than one


def test_a_flag_is_harmless_in_a_terminal_and_in_a_spreadsheet():
    found_ = flags("softmax \\\n= eval('\x1b[2J')")
    assert found_ and "\x1b" not in found_[0]["text"]
    head, row = csv.reader(io.StringIO(text_of(flag_rows({"ada": {"flags": found_}, "bob": {}}))))
    assert head == ["student", "cell", "line", "text", "why"] and row[0] == "ada" and row[3].startswith("'=")
