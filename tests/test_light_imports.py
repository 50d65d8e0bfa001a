"""The first lessons load no PyTorch, and checks of NumPy no SciPy, when they are imported."""

import subprocess
import sys

import pytest
from conftest import ROOT

WIDGETS = ("attention", "attention_steps", "guess", "masking", "quiz", "stepper", "view")


@pytest.mark.parametrize(
    "module, heavy",
    [
        ("minibert", "torch"),
        ("minibert.reference", "torch"),
        ("minibert.data.batch", "torch"),
        ("minibert.tokenizer", "torch"),
        ("minibert.generated", "torch"),
        ("minibert.course.checks.exercise", "torch"),
        ("minibert.course.unit01", "torch"),
        ("minibert.course.unit02", "torch"),
        ("minibert.course.unit05", "torch"),
        *((f"minibert.course.widgets.{name}", "torch") for name in WIDGETS),
        ("minibert.tokenizer", "tokenizers"),
        ("minibert.cli.main", "torch"),
        ("minibert.cli.main", "numpy"),
        ("minibert.cli.main", "nbformat"),
        ("minibert.training.threads", "torch"),
        ("minibert.grading.class_run.grade_class", "torch"),
        ("minibert.grading.class_run.worker_processes", "matplotlib"),
        ("minibert.reference", "scipy"),
        ("minibert.course.unit01", "scipy"),
        ("minibert.course.unit06", "scipy"),
    ],
)
def test_an_import_does_not_load(module, heavy):
    code = f"import sys, {module}; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
