"""A student's progress in all units. A notebook is run again only if its cells have changed."""

import json
from hashlib import sha256
from pathlib import Path

from nbformat import NotebookNode

from ... import __version__
from ...readers.writing import write_text
from ..notebook import OURS, field, read
from .exercise_table import DONE, WRITTEN, Row, exercise_rows
from .stubs import is_unanswered

KEPT = ".minibert-progress.json"  # in the student's copy: hash and rows of each notebook that was run


def progress(folder: str | Path) -> dict[str, list[Row] | None]:
    """Return the rows (one per exercise) of each unit in a copy of the course; None for an unanswered unit.

    Runs the notebooks that have changed since the last call. Raises ValueError if there are no exercises.
    """
    folder = Path(folder)
    notebooks = {path: read(path) for path in sorted(folder.glob("exercises/*/*.ipynb"))}
    notebooks = {path: notebook for path, notebook in notebooks.items() if _is_collected(path, notebook)}
    if not notebooks:
        raise ValueError(
            f"{folder} has no exercises: run this in your copy of the course, or give its folder"
        )
    kept = json.loads((folder / KEPT).read_text(encoding="utf-8")) if (folder / KEPT).exists() else {}
    found: dict[str, list[Row] | None] = {}
    for path, notebook in notebooks.items():
        if all(is_unanswered(cell) for cell in notebook.cells if field(cell, "solution")):
            found[path.stem] = None
            continue
        sources = json.dumps([__version__, *(cell.source for cell in notebook.cells)])
        digest = sha256(sources.encode()).hexdigest()
        if kept.get(path.stem, {}).get("digest") != digest:
            print(f"running {path.stem} ...", flush=True)
            rows = exercise_rows(notebook, path.parent)
            kept[path.stem] = {"digest": digest, "rows": [vars(row) for row in rows]}
            write_text(folder / KEPT, json.dumps(kept))
        found[path.stem] = [Row(**row) for row in kept[path.stem]["rows"]]
    return found


def printed(units: dict[str, list[Row] | None]) -> str:
    """Format the progress as text, with one line for each unit and one for the total."""
    width = max(map(len, units))
    lines, every = [], []
    for unit, rows in units.items():
        lines.append(f"{unit:{width}}  {_sums(rows) if rows else 'not started'}")
        every += rows or []
    return "\n".join([*lines, "", f"{'together':{width}}  {_sums(every)}"])


def _sums(rows: list[Row]) -> str:
    done = sum(row.state in (DONE, WRITTEN) for row in rows)
    points, most, later = (
        f"{sum(getattr(row, name) for row in rows):g}" for name in ("points", "most", "later")
    )
    return f"{done:3} of {len(rows):2} exercises   {points:>3} of {most:>3} points   + {later:>3} later"


def _is_collected(path: Path, notebook: NotebookNode) -> bool:
    """Return whether a notebook has the name under which it was released."""
    return notebook.metadata.get(OURS, {}).get("name", path.stem) == path.stem
