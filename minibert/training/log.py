"""The log of a run on disk: one line of JSON for each step, which can be plotted during the run."""

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..readers.wording import plural
from ..readers.writing import write_text
from .progress import tell


class Log(list):
    """A list of entries (dicts with the key "step"), which is also written to a file if a path is given.

    after: the step after which the run resumes. Later entries and invalid lines in the file are dropped.
    """

    def __init__(self, path: str | Path | None = None, after: int = 0):
        entries, spoiled = parsed(path) if path is not None and Path(path).is_file() else ([], [])
        super().__init__(entry for entry in entries if entry["step"] <= after)
        self.path, self.written, self.failed = path, len(self), False
        if path is not None:
            if spoiled:
                tell(f"{path}:{spoiled[0]}: not a log entry; {plural(len(spoiled), 'such line')} dropped")
            if len(self) != after:
                tell(
                    f"{path}: contains only {len(self)} of the {after} steps trained so far; the run "
                    f"continues without the others"
                )
            self.clean()

    def clean(self) -> None:
        """Rewrite the file without dropped entries or an incomplete last line. Raises OSError on failure."""
        assert self.path is not None
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            write_log(self.path, self)
        except OSError as error:
            raise OSError(
                error.errno, f"the log cannot be written: {error.strerror}", str(self.path)
            ) from None

    def append(self, entry: dict[str, Any]) -> None:
        super().append(entry)
        if self.path is not None:
            self.write()

    def write(self, lasting: bool = False) -> None:
        """Append the new entries to the file.

        lasting: flush the file to disk, so that it survives a power cut. If writing fails, a message is
        printed once, and the next call tries again.
        """
        assert self.path is not None
        try:
            append(
                "".join(json.dumps(entry) + "\n" for entry in self[self.written :]).encode(),
                self.path,
                lasting,
            )
            self.written, self.failed = len(self), False
        except OSError as error:
            if not self.failed:
                tell(f"{self.path}: the log cannot be written ({error.strerror}); training continues")
            self.failed = True


def append(data: bytes, path: str | Path, lasting: bool) -> None:
    """Append bytes to a file, all of them or none. Raises OSError if that fails."""
    with open(path, "ab", buffering=0) as file:
        start = file.tell()
        try:
            if file.write(data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if lasting:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(start)
            raise


def write_log(path: str | Path, log: Iterable[dict[str, Any]]) -> None:
    """Write a log as JSON lines, one for each step."""
    write_text(path, "".join(json.dumps(entry) + "\n" for entry in log))


def read_log(path: str | Path) -> list[dict[str, Any]]:
    """Return the entries of a log file.

    An incomplete last line, left by a run that was killed while writing, is skipped. Raises ValueError,
    naming the file and line, for any other line that is not an entry.
    """
    entries, spoiled = parsed(path)
    if spoiled:
        raise ValueError(f'{path}:{spoiled[0]}: not a log entry, which is a JSON object with "step"')
    return entries


def parsed(path: str | Path) -> tuple[list[dict[str, Any]], list[int]]:
    """Return (entries of a log file, line numbers of invalid lines); skip an incomplete last line."""
    entries, spoiled = [], []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n")[:-1], 1):
        try:
            entry = json.loads(line)
        except ValueError:  # not JSON, or not UTF-8
            entry = None
        if isinstance(entry, dict) and type(entry.get("step")) is int:
            entries.append(entry)
        else:
            spoiled.append(number)
    return entries, spoiled
