"""Run a lesson for the site, or take its outputs from an earlier run of the same code.

python docs/site/execute.py lessons/02_attention.ipynb ...
"""

import ast
import hashlib
import os
import sys
import time
from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient

STILL = Path(__file__).with_name("still.py")
ROOT = Path(__file__).parents[2]
LESSONS = ROOT / "lessons"  # where the notebooks run
KEPT = ROOT / "build" / "lessons"  # a notebook with outputs for each lesson and its code


def kept(notebook: nbformat.NotebookNode, name: str) -> Path:
    """Return where a notebook's outputs are kept. The name depends on its code and on that of still.py."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    forms = ast.unparse(ast.parse(STILL.read_text(encoding="utf-8")))  # without comments
    digest = hashlib.sha256("\0".join([forms, *code]).encode()).hexdigest()
    return KEPT / f"{name}-{digest[:12]}.ipynb"


def executed(notebook: nbformat.NotebookNode, name: str, run: bool = True) -> nbformat.NotebookNode:
    """Return a notebook with its outputs, or unchanged if there are none yet and `run` is False.

    name: the name under which the outputs are kept.
    """
    place = kept(notebook, name)
    if run and not place.exists():
        start, copy = time.time(), deepcopy(notebook)
        copy.cells.insert(0, nbformat.v4.new_code_cell(STILL.read_text(encoding="utf-8")))
        os.environ.setdefault("MPLBACKEND", "Agg")
        NotebookClient(copy, timeout=None, resources={"metadata": {"path": str(LESSONS)}}).execute()
        del copy.cells[0]
        copy.metadata.pop("widgets", None)
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{name}-*.ipynb"):
            old.unlink()
        nbformat.write(copy, place)
        print(f"{name}: ran in {time.time() - start:.0f} s", flush=True)
    if place.exists():
        done = [cell for cell in nbformat.read(place, as_version=4).cells if cell.cell_type == "code"]
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for cell, before in zip(code, done, strict=True):
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
    return notebook


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        executed(nbformat.read(path, as_version=4), path.stem)
