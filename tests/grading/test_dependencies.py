"""A change in the package makes those grades stale that depend on it, and no others."""

import contextlib
import cProfile
import inspect
import shutil

import pytest
from banks import quiet
from conftest import ROOT

from minibert.grading.author.assignment_bundle import versions
from minibert.grading.author.dependencies import PACKAGE, used_files
from minibert.grading.notebook import read

ATTENTION = """
from minibert.course import unit02 as check
from minibert.reference.encoder import gelu, sub
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package; `changed` changes files of it for a moment."""
    return shutil.copytree(
        PACKAGE,
        tmp_path_factory.mktemp("package") / "minibert",
        ignore=shutil.ignore_patterns("__pycache__", "*.txt"),
    )


@contextlib.contextmanager
def changed(path, text="\n# changed\n"):
    """Context manager: a file of a package has more text, or is there at all."""
    before = path.read_bytes() if path.exists() else None
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)
    try:
        yield
    finally:
        path.unlink() if before is None else path.write_bytes(before)


def cells(unit):
    (path,) = ROOT.glob(f"solutions/{unit}_*/*.ipynb")
    return [cell.source for cell in read(path).cells if cell.cell_type == "code"]


@pytest.mark.parametrize(
    "file",
    [
        *["course/unit07/__init__.py", "course/unit07/versions.py", "course/unit03/new.py"],
        *["course/widgets/attention.py", "reference/heads.py", "training/loop.py", "cli/engineers.py"],
    ],
)
def test_a_change_elsewhere_leaves_a_bundle_as_it_is(package, file):
    before = versions([ATTENTION], package)
    with changed(package / file):
        assert versions([ATTENTION], package) == before


@pytest.mark.parametrize(
    "file",
    [
        *[
            "reference/attention.py",
            "reference/__init__.py",
            "course/unit02/versions.py",
            "course/unit02/hints.py",
        ],
        *[
            "course/checks/compare.py",
            "data/batch.py",
            "grading/run/student_kernel_main.py",
            "grading/new.py",
        ],
    ],
)
def test_a_change_of_what_grading_uses_changes_a_bundle(package, file):
    before = versions([ATTENTION], package)
    with changed(package / file):
        assert versions([ATTENTION], package) != before


@pytest.mark.parametrize(
    "file, line",
    [
        ("course/unit02/cases.py", "def later():\n    from minibert.training import loop\n"),
        ("course/checks/compare.py", "import minibert.training.loop as loop\n"),
        ("reference/attention.py", "from ..training.loop import train\n"),
        ("course/unit02/cases.py", "import minibert\nminibert.training.loop.train\n"),
        ("course/unit02/cases.py", "from minibert import training\nnames = vars(training.loop)\n"),
        ("grading/run/trusted_process.py", "HELPER = 'minibert.training.loop'\n"),
    ],
)
def test_a_new_import_is_noticed_wherever_it_stands(package, file, line):
    with changed(package / file, "\n" + line):
        assert package / "training/loop.py" in used_files([ATTENTION], package)


def test_an_import_for_types_alone_never_runs_and_does_not_count(package):
    text = "\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .training.loop import train\n"
    with changed(package / "data/batch.py", text):
        assert package / "training/loop.py" not in used_files([ATTENTION], package)


@pytest.mark.parametrize(
    "cell, file",
    [
        ("from minibert import reference\nreference.pooler", "reference/heads.py"),
        ("from minibert.reference import pooler", "reference/heads.py"),
        ("from minibert.reference import *", "reference/heads.py"),
        ("from minibert import reference\nprint(vars(reference))", "reference/heads.py"),
        ("import minibert\nminibert.load()", "api.py"),
        ("from minibert import Encoder", "model/encoder.py"),
        ("import minibert.course.widgets.learning_curves", "course/widgets/learning_curves.py"),
    ],
)
def test_what_a_cell_uses_counts(cell, file):
    assert PACKAGE / file in used_files([ATTENTION, cell]) and PACKAGE / file not in used_files([ATTENTION])


def test_a_cell_that_is_not_python_needs_nothing():
    assert used_files(["%matplotlib inline\nfrom minibert.course.widgets import plots"]) == used_files([])


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["02", "07"])
def test_every_function_that_runs_is_in_a_file_that_counts(unit):
    sources, names, profile = cells(unit), {}, cProfile.Profile()
    with quiet(), profile:
        for source in sources:
            exec(compile(source, "<cell>", "exec"), names)
    ran = {
        entry.code.co_filename
        for entry in profile.getstats()
        if not isinstance(entry.code, str) and entry.code.co_flags & inspect.CO_OPTIMIZED
    }  # no class bodies
    ours = {file for file in ran if file.startswith(str(PACKAGE))}
    assert len(ours) > 5 and ours <= set(map(str, used_files(sources)))
