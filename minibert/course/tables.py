"""The stored tables that lessons read: results that take longer than a lesson, made by `benchmarks`.

Each is a JSON file in the folder `tables` of the unit whose lesson reads it, and names the edition of the
generated language that it was made with.
"""

import json
from pathlib import Path
from typing import Any

from minibert.generated.fingerprint import fingerprint

UNITS = {
    "world": "unit05",
    "world_plain": "unit05",
    "labels": "unit06",
    "sizes": "unit06",
    "transfer": "unit06",
    "feature_based": "unit08",
    "elmo_gpt_bert": "unit09",
    "variants": "unit10",
    "inside": "unit12",
    "finetuning_well": "unit13",
}


def place(name: str) -> Path:
    """Return the path of a table. Raises ValueError for an unknown name."""
    if name not in UNITS:
        raise ValueError(f"no table {name!r}; the tables are {', '.join(UNITS)}")
    return Path(__file__).parent / UNITS[name] / "tables" / f"{name}.json"


def stored(name: str, **made_with: Any) -> dict[str, Any]:
    """Return a stored table.

    made_with: values that the table must hold, such as `recipe=...`. Raises ValueError, with the command that
    makes the table again, if one differs or if the generated language has changed since.
    """
    table = json.loads(place(name).read_text(encoding="utf-8"))
    for key, value in {"language": fingerprint(), **made_with}.items():
        if table[key] != value:
            raise ValueError(
                f"{place(name).name} was made with another {key}: run `python benchmarks/{name}.py` again"
            )
    return table
