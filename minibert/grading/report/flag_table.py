"""Write flags.csv, a table of code lines that a person should look at (see `integrity.flags`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .grade_tables import text_of
from .gradebook import write

HEAD = ("student", "cell", "line", "text", "why")


def flag_rows(results: Mapping[str, Mapping[str, Any]]) -> list[tuple]:
    """Return the rows of the table: a header, and one row per flag."""
    return [
        HEAD,
        *(
            (student, flag["cell"], flag["line"], flag["text"], flag["why"])
            for student, result in results.items()
            for flag in result.get("flags", ())
        ),
    ]


def write_flags(results: Mapping[str, Mapping[str, Any]], folder: str | Path) -> None:
    """Write flags.csv to a folder."""
    write(Path(folder) / "flags.csv", text_of(flag_rows(results)).encode("utf-8-sig"))
