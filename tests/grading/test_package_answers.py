"""Who takes the package's work gets nothing for it, and what the notebooks are given is still there."""

import ast
import importlib
import random
from functools import partial

import numpy as np
import pytest
from conftest import ROOT
from package_answers import SOFTMAX, TESTS
from test_execute_notebook import answered

from minibert.course import unit02
from minibert.grading.notebook import field, marked, read
from minibert.grading.run.execute_notebook import execute_in
from minibert.grading.run.kernel_pool import KernelPool
from minibert.grading.run.setup_cells import is_setup
from minibert.grading.sandbox import package_copy
from minibert.grading.sandbox.command_lines import bubblewrap
from minibert.grading.sandbox.library_words import BasicTokenizer as LibrarysTokenizer
from minibert.grading.sandbox.limits import Policy
from minibert.grading.sandbox.package_pieces import answers, pieces
from minibert.tokenizer import BasicTokenizer

SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
SETUP = marked(read(ROOT / "solutions/02_attention/02_attention.ipynb"))["imports"].source
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
OF_SOFTMAX = "check.softmax(softmax, points=1)", HIDDEN.format("check.softmax(softmax, seed=7, hidden=True)")
OF_TESTS = (
    "check.test_softmax(test_softmax, points=1)",
    HIDDEN.format("check.test_softmax(test_softmax, hidden=True)"),
)
CHECK = "from minibert.course import unit"
POLICY = Policy()


notebook = partial(answered, setup=SETUP)


def points(executed):
    """The points of all tests that a machine grades, together."""
    from nbgrader.utils import determine_grade

    return sum(
        determine_grade(cell)[0]
        for cell in marked(executed.notebook).values()
        if field(cell, "grade") and not field(cell, "solution")
    )


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize("kind", SOFTMAX)
def test_the_packages_softmax_earns_nothing(kind, kernels):
    executed = execute_in(kernels, notebook(SOFTMAX[kind], *OF_SOFTMAX))
    assert points(executed) == 0 and not executed.problems


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize("kind", TESTS)
def test_a_test_that_knows_its_versions_earns_nothing(kind, kernels):
    executed = execute_in(kernels, notebook(TESTS[kind], *OF_TESTS))
    assert points(executed) == 0 and not executed.problems


WHOLE = """import sys
kept = {{name: module for name, module in sys.modules.items() if name.startswith("minibert")}}
for name in kept:
    del sys.modules[name]
try:
    from minibert.course.unit02 import {0} as again     # a second copy, which nobody forbids
finally:
    sys.modules.update(kept)


def make(again):
    def {0}({1}):
        return again.reference(*[value for value in ({2}) if value is not None])
    return {0}


{0} = make(again)"""


@pytest.mark.slow
@pytest.mark.sandbox
def test_a_whole_notebook_from_the_package_earns_nothing(kernels):
    written = read(ROOT / "solutions/02_attention/02_attention.ipynb")
    taken = 0
    for cell in written.cells:
        if cell.cell_type == "code" and field(cell, "solution"):
            name = ast.parse(cell.source).body[0].name
            exercise = getattr(unit02, name)
            cell.source = (
                WHOLE.format(
                    name, "=None, ".join(exercise.parameters) + "=None", ", ".join(exercise.parameters) + ","
                )
                if exercise.reference
                else TESTS["by the versions it finds"]
            )
            taken += 1
    assert taken == 10 and points(execute_in(kernels, written)) == 0


def setup_sources(path):
    """The sources of the set-up cells on which points depend."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    last = max(number for number, cell in enumerate(cells) if field(cell, "grade") or field(cell, "solution"))
    return tuple(cell.source for cell in cells[:last] if is_setup(cell))


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_the_pieces_of_a_unit_hold_none_of_its_answers(path):
    cut = pieces(setup_sources(path))
    forbidden = set(answers(f"minibert.course.unit{path.stem[:2]}"))
    assert len(forbidden) >= 3
    for module, source in cut.items():
        defined = {
            node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        }
        assert not {f"{module}:{name}" for name in defined} & forbidden


@pytest.mark.parametrize(
    "cells, there, missing",
    [
        (("from minibert.reference.encoder import gelu",), "def gelu", "def layer_norm"),
        # an answer, whoever asks for it
        ((f"{CHECK}02 as check\nfrom minibert.reference.encoder import layer_norm",), "", "def layer_norm"),
        ((f"{CHECK}03 as check", "print(check.SMALL)"), "SMALL = ", "Exercise"),
        ((f"from minibert.data.batch import collate\n{CHECK}03 as check",), "IGNORE = -100", "def collate"),
        (("%matplotlib inline",), "", "def "),
    ],
    ids=range(5),
)
def test_pieces_are_what_the_cells_use_and_no_more(cells, there, missing):
    text = "\n".join(pieces(cells).values())
    assert there in text and missing not in text


def test_the_machinery_imports_nothing_outside_of_it():
    here = {
        "minibert",
        *(
            f"minibert.{name.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"
            for name in package_copy.machinery()
            if name != "__init__.py"
        ),
    }
    for name in package_copy.machinery():
        parts = ("minibert", *name.removesuffix(".py").split("/"))
        tree = ast.parse((package_copy.PACKAGE / name).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                above = parts[: len(parts) - node.level] if node.level else ()
                module = ".".join([*above, *([node.module] if node.module else [])])
                assert module in here or not module.startswith("minibert"), (name, module)
    assert not [name for name in here if "unit" in name or "reference" in name]


def test_generators_that_end_a_loop_are_known_in_a_students_process():
    for unit in (package_copy.PACKAGE / "course").glob("unit*"):
        importlib.import_module(f"minibert.course.{unit.name}")
    kinds = [np.random.Generator]
    for kind in kinds:
        kinds += [own for own in kind.__subclasses__() if own.__module__.startswith("minibert.")]
    files = {f"{kind.__module__.removeprefix('minibert.').replace('.', '/')}.py" for kind in kinds[1:]}
    assert files and files <= set(package_copy.machinery())


def test_another_copy_in_site_packages_is_covered(tmp_path, monkeypatch):
    installed = tmp_path / "lib" / "python3.11" / "site-packages" / "minibert"
    installed.mkdir(parents=True)
    assert package_copy.copies_inside([tmp_path]) == [installed]
    assert package_copy.copies_inside([package_copy.PACKAGE.parent]) == [package_copy.PACKAGE]
    monkeypatch.setattr("minibert.grading.sandbox.command_lines.visible_folders", lambda: [tmp_path])
    line = bubblewrap(["python"], tmp_path / "exchange", Policy(), 20_000)
    assert line[line.index(str(installed)) - 1] == "--tmpfs" and str(package_copy.PACKAGE) not in line


ALPHABET = (
    "aAéÉİıßΣς .,'-\t\n\u200d\u00ad\ufeff\u3000我한かA\u0301e\u0301$+^|~\x00\ufffd😀ǅ\u2028\u00a0\x1c\x85"
)


@pytest.mark.parametrize(
    "rules", [(True,), (False,), (True, False), (False, True), (True, None, False), (False, None, False)]
)
def test_the_librarys_words_are_ours(rules):
    rng, theirs, ours = random.Random(0), LibrarysTokenizer(*rules), BasicTokenizer(*rules)
    for _ in range(3000):
        text = "".join(rng.choices(ALPHABET, k=rng.randrange(12)))
        assert [*theirs.split(text)] == [(word.text, word.start, word.end) for word in ours.split(text)], text


@pytest.mark.sandbox
def test_her_own_cells_may_import_and_call_checks_and_know_constants(kernels):
    answer = """from minibert import reference
from minibert.data.batch import IGNORE
from minibert.course.widgets import heatmap
from minibert.model import Encoder

assert IGNORE == -100 and np.isscalar(IGNORE)
check.softmax.hint()
check.gpt_layer.bug(1)(len)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


check.softmax(softmax)"""
    executed = execute_in(kernels, notebook(answer, *OF_SOFTMAX))
    assert points(executed) == 2 and not executed.hints
    outputs = marked(executed.notebook)["answer"].outputs
    assert "error" not in [output.output_type for output in outputs]


@pytest.mark.sandbox
def test_what_is_left_out_costs_only_the_answer_that_calls_it_and_says_so(kernels):
    answer = (
        "from minibert.reference import attention, softmax as theirs\n"
        "def one(x):\n    return theirs(x)\ndef other(x):\n    return 2 * x\n"
        "def fourth(x):\n    class Mine(theirs):\n        pass\n    return Mine()"
    )
    executed = execute_in(kernels, notebook(answer, "one(1.0)", "assert other(2) == 4", "fourth(1)"))
    texts = dict(executed.hints)
    assert (
        texts["t0"]
        == texts["t2"]
        == ("your answer calls the package's own implementation. Write the function yourself; you can do it.")
    )
    assert "t1" not in texts


@pytest.mark.parametrize("sandbox", ["limits", "none"])
def test_without_a_sandbox_an_import_finds_the_copy(sandbox):
    with KernelPool(Policy(sandbox=sandbox), ahead=0) as kernels:
        for kind in ("code copied", "a right version"):  # reading files of this machine remains possible
            assert points(execute_in(kernels, notebook(SOFTMAX[kind], *OF_SOFTMAX))) == 0, kind


def test_a_softmax_to_write_is_an_answer_and_the_name_of_no_other():
    of_unit = set(answers("minibert.course.unit02"))
    assert "minibert.reference.attention:softmax" in of_unit
    assert "minibert.reference.encoder:gelu" not in of_unit
