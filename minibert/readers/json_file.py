"""Readers for JSON files and JSON Lines, with errors that name the file, line and column.

A file is read as a whole: SQuAD's largest file (42 MB) takes 0.8 s and 200 MB of memory.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .tabular import nonblank_lines
from .utf8_text import CorpusError, read_text

ARRAY = "the line begins an array; write one JSON object per line, without the array"


def refuse(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads although they are not JSON (RFC 8259, section 6)."""
    raise json.JSONDecodeError(f"{name} is not JSON", name, 0)


def too_much(error: Exception) -> str:
    """Return which limit of Python's JSON reader a text exceeds; it reads numbers of at most 4,300 digits."""
    deep = isinstance(error, RecursionError)
    return "the JSON is nested too deeply" if deep else "a number has too many digits"


def read_json(path: str | Path) -> Any:
    """Read the value in a JSON file.

    Raises CorpusError, with line and column, if the JSON is truncated or broken, or if the file cannot be
    read.
    """
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].strip()
        cut = error.msg.startswith("Unterminated") or any(
            word.startswith(rest) for word in ("true", "false", "null")
        )
        rule = "the JSON is cut off" if cut else "broken JSON"
        raise CorpusError.at(path, f"column {error.colno}: {rule} ({error.msg})", error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise CorpusError.at(path, too_much(error)) from None


def json_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) for each line of a file that has a JSON object on each line."""
    for line, text in nonblank_lines(path):
        try:
            record = json.loads(text, parse_constant=refuse)
        except json.JSONDecodeError as error:
            if text.lstrip().startswith("["):
                raise CorpusError.at(path, ARRAY, line) from None
            raise CorpusError.at(path, f"column {error.colno}: broken JSON ({error.msg})", line) from None
        except (RecursionError, ValueError) as error:
            raise CorpusError.at(path, too_much(error), line) from None
        if not isinstance(record, dict):
            raise CorpusError.at(path, "the line is not a JSON object; each line must be one", line)
        yield line, record
