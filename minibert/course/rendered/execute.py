"""Run a lesson for static web pages, or take its outputs from an earlier run of the same code."""

import ast
import hashlib
import os
import time
from copy import deepcopy
from pathlib import Path

import nbformat
import platformdirs
from nbclient import NotebookClient

REGISTER = f"from {__package__}.still import register\nregister()\ndel register"
STILL = Path(__file__).with_name("still.py")


def folder() -> Path:
    """Return the folder in which the outputs of lessons are stored: `outputs` in the user's cache folder."""
    return Path(platformdirs.user_cache_dir("minibert")) / "outputs"


def kept(notebook: nbformat.NotebookNode, name: str) -> Path:
    """Return the path of a notebook's stored outputs, which depends on its code and on still.py."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    forms = ast.unparse(ast.parse(STILL.read_text(encoding="utf-8")))  # without comments
    digest = hashlib.sha256("\0".join([forms, *code]).encode()).hexdigest()
    return folder() / f"{name}-{digest[:12]}.ipynb"


def executed(
    notebook: nbformat.NotebookNode, name: str, lessons: Path, run: bool = True
) -> nbformat.NotebookNode:
    """Return a notebook with its outputs, running it if they are not stored yet and `run` is True.

    name: the name under which outputs are stored. lessons: the folder in which the notebook runs.
    """
    place = kept(notebook, name)
    if run and not place.exists():
        start, copy = time.time(), deepcopy(notebook)
        copy.cells.insert(0, nbformat.v4.new_code_cell(REGISTER))
        os.environ.setdefault("MPLBACKEND", "Agg")
        NotebookClient(
            copy,
            timeout=None,
            resources={"metadata": {"path": str(lessons)}},
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
        ).execute()
        del copy.cells[0]
        copy.metadata.pop("widgets", None)
        place.parent.mkdir(parents=True, exist_ok=True)
        for old in place.parent.glob(f"{name}-*.ipynb"):
            old.unlink()
        nbformat.write(copy, place)
        print(f"{name}: ran in {time.time() - start:.0f} s", flush=True)
    if place.exists():
        done = [cell for cell in nbformat.read(place, as_version=4).cells if cell.cell_type == "code"]
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for cell, before in zip(code, done, strict=True):
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
    return notebook
