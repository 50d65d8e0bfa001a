"""Find a student's progress in all units. A notebook is run again only if its cells have changed."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ... import __version__
from ...readers.writing import write_text
from ..notebook import read
from .exercise_table import DONE, WRITTEN, Row, exercise_rows, is_untouched

KEPT = ".minibert-progress.json"  # in the student's copy: hash and rows of each notebook that was run


def progress(folder: str | Path) -> dict[str, list[Row] | str]:
    """Return a dict that maps each unit of a course copy to its exercise table.

    A renamed notebook counts, too, and a sentence about it is printed. For a missing notebook, the value is a
    sentence saying so. Only notebooks that changed since they were last run are run again. Raises ValueError
    if there are no exercises.
    """
    folder = Path(folder)
    units = sorted(path for path in folder.glob("exercises/*") if path.is_dir())
    if not units:
        raise ValueError(
            f"{folder} has no exercises; give the folder of your copy of the course, or create a copy "
            f"with `minibert course {folder}`"
        )
    return {unit.name: _rows(folder, unit / f"{unit.name}.ipynb") for unit in units}


def keep(path: str | Path, notebook: NotebookNode, rows: list[Row]) -> None:
    """Store a notebook's exercise table for `progress`, if the notebook is an exercise in a course copy."""
    unit = Path(path).resolve().parent
    if unit.parent.name == "exercises":
        entry = {"digest": _digest(notebook), "rows": [vars(row) for row in rows]}
        folder = unit.parents[1]
        write_text(folder / KEPT, json.dumps(_kept(folder) | {unit.name: entry}))


def printed(units: dict[str, list[Row] | str]) -> str:
    """Format the result of `progress` as text: one line per unit, and the total."""
    width = max(map(len, units))
    lines = [
        f"{unit:{width}}  {rows if isinstance(rows, str) else _sums(rows)}" for unit, rows in units.items()
    ]
    every = [row for rows in units.values() if not isinstance(rows, str) for row in rows]
    missing = [unit for unit, rows in units.items() if isinstance(rows, str)]
    without = f"   (without {', '.join(missing)})" if missing else ""
    return "\n".join([*lines, "", f"{'together':{width}}  {_sums(every)}{without}"])


def _rows(folder: Path, path: Path) -> list[Row] | str:
    unit = path.stem
    if not path.exists():
        others = sorted(path.parent.glob("*.ipynb"))
        if len(others) != 1:
            names = ", ".join(other.name for other in others)
            return f"{path.name} is missing." + (f" Is it one of {names}? Rename it back." if others else "")
        print(f"{path.name} is missing, so {others[0].name} counts. Rename it back before you hand it in.")
        path = others[0]
    notebook = read(path)
    kept = _kept(folder).get(unit, {})
    if kept.get("digest") == _digest(notebook):
        return [Row(**row) for row in kept["rows"]]
    if not is_untouched(notebook):
        print(f"running {unit} ...", flush=True)
    rows = exercise_rows(notebook, path.parent)
    keep(path, notebook, rows)
    return rows


def _kept(folder: Path) -> dict[str, dict[str, Any]]:
    return json.loads((folder / KEPT).read_text(encoding="utf-8")) if (folder / KEPT).exists() else {}


def _digest(notebook: NotebookNode) -> str:
    return sha256(json.dumps([__version__, *(cell.source for cell in notebook.cells)]).encode()).hexdigest()


def _sums(rows: list[Row]) -> str:
    done = sum(row.state in (DONE, WRITTEN) for row in rows)
    points, most, later = (
        f"{sum(getattr(row, name) for row in rows):g}" for name in ("points", "most", "later")
    )
    return f"{done:3} of {len(rows):3} exercises   {points:>3} of {most:>3} points   + {later:>3} later"
