"""Lessons run from top to bottom where the best device is a Mac's, with a model in the cache or without.

Their training is cut short. Without --all, every twelfth: not the one that `test_browser.py` runs.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from minibert.grading.author.fresh_kernel import run
from minibert.grading.notebook import SUFFIX, from_source

STEPS = 40  # of every run at most: what is learned is of no matter here
SHORT = f"""
import dataclasses
from contextlib import contextmanager
from minibert.training import loop
running = loop.running
@contextmanager
def short(model, objective, make_rows, config, *rest):
    steps = min(config.steps, {STEPS})
    with running(model, objective, make_rows, dataclasses.replace(config, steps=steps), *rest) as run:
        yield run
    for step in range(steps, config.steps):                 # as if it had gone on
        list.append(run.log, {{**run.log[-1], "step": step + 1}})
loop.running = short
"""
EMULATED = """
import sys
sys.path.insert(0, {folder!r})
from emulated import emulated
emulation = emulated("mps")
emulation.__enter__()
"""
LESSONS = sorted((ROOT / "lessons").glob(f"*{SUFFIX}"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with a model in it, made on a processor."""
    folder = tmp_path_factory.mktemp("cache")
    code = SHORT + "from minibert.course.models.class_model import class_model; class_model()"
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        env={"XDG_CACHE_HOME": str(folder), "PATH": "", "PYTHONPATH": str(ROOT)},
    )
    assert any(folder.rglob("model.safetensors"))
    return folder


@pytest.mark.slow
@pytest.mark.takes_turns("lesson", every=12, later=1)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name.removesuffix(SUFFIX))
def test_a_lesson_runs_where_the_best_device_is_another(lesson, tmp_path, request, turn, monkeypatch):
    cached = turn // 6 % 2
    monkeypatch.setenv("XDG_CACHE_HOME", str(request.getfixturevalue("filled") if cached else tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = from_source(lesson.read_text(encoding="utf-8"), lesson.name)
    first = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    start = notebook.cells[first].copy()
    start.source, start.id = SHORT + EMULATED.format(folder=str(Path(__file__).parent)), "emulated"
    notebook.cells.insert(first, start)
    run(notebook, lesson.parent)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error", (
                f"{lesson.name}\n{cell.source}\n\n{output.ename}: {output.evalue}"
            )
