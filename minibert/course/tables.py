"""Load results of `benchmarks` that are stored because computing them in a lesson would take too long.

Each table is a JSON file in the `tables` folder of the unit whose lesson reads it. It records the version of
the generated language for which it was computed.
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
    "small_berts": "unit11",
    "inside": "unit12",
    "finetuning_well": "unit13",
    "after_bert": "unit14",
}


def place(name: str) -> Path:
    """Return the path of the stored table called `name`; raise ValueError for an unknown name."""
    if name not in UNITS:
        raise ValueError(f"there is no table {name!r}; the tables are {', '.join(UNITS)}")
    return Path(__file__).parent / UNITS[name] / "tables" / f"{name}.json"


def stored(name: str, **made_with: Any) -> dict[str, Any]:
    """Return the stored table of benchmark results called `name`.

    made_with: values that the table must contain, such as `recipe=...`. Raises ValueError if one of them
    differs, or if the generated language has changed since; the message explains how to recompute the table.
    """
    table = json.loads(place(name).read_text(encoding="utf-8"))
    for key, value in {"language": fingerprint(), **made_with}.items():
        if table[key] != value:
            raise ValueError(
                f"{place(name).name} was made with a different {key}; run `python benchmarks/{name}.py` again"
            )
    return table
