"""The log of a run on disk: JSON lines, a line a step, appended as the run goes, so that it can be read and
plotted meanwhile.
"""
import errno
import json
import os
from pathlib import Path

from ..files import write_text
from ..messages import plural
from .progress import tell


class Log(list):
    """A list of entries (dicts with "step"), kept in a file too if it is given one.

    path: of the file, or None. after: the step after which the run goes on; later entries of the file are
    dropped, and lines that are none: a log is no reason not to go on from good checkpoints.
    """

    def __init__(self, path=None, after=0):
        entries, spoiled = parsed(path) if path is not None and Path(path).is_file() else ([], [])
        super().__init__(entry for entry in entries if entry["step"] <= after)
        self.path, self.written, self.failed = path, len(self), False
        if path is not None:
            if spoiled:
                tell(f"{path}:{spoiled[0]}: no entry of a log; {plural(len(spoiled), 'such line')} left out")
            if len(self) != after:
                tell(f"{path}: holds {len(self)} of the {after} steps trained so far; the run goes on "
                     f"without the others")
            self.clean()

    def clean(self):
        """Rid the file of later entries and half a last line. Raises OSError, naming the file, where nothing
        can be written.
        """
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            write_log(self.path, self)
        except OSError as error:
            raise OSError(error.errno, f"the log cannot be written: {error.strerror}",
                          str(self.path)) from None

    def append(self, entry):
        super().append(entry)
        if self.path is not None:
            self.write()

    def write(self, lasting=False):
        """Append to the file what it lacks; lasting: to outlive a power cut. Where that fails, one line says
        so, and the next call tries again."""
        try:
            append("".join(json.dumps(entry) + "\n" for entry in self[self.written:]).encode(), self.path,
                   lasting)
            self.written, self.failed = len(self), False
        except OSError as error:
            if not self.failed:
                tell(f"{self.path}: the log cannot be written ({error.strerror}); training goes on")
            self.failed = True


def append(data, path, lasting):
    """Append bytes to a file, all of them or none. Raises OSError."""
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


def write_log(path, log):
    """A log as JSON lines, one step a line; the file appears whole or not at all."""
    write_text(path, "".join(json.dumps(entry) + "\n" for entry in log))


def read_log(path):
    """The entries of a file of JSON lines; half a last line, of a run that was killed while it wrote, is
    passed over.

    Raises ValueError, naming file and line, for any other line that is no entry.
    """
    entries, spoiled = parsed(path)
    if spoiled:
        raise ValueError(f'{path}:{spoiled[0]}: no entry of a log, which is a JSON object with "step"')
    return entries


def parsed(path):
    """(entries of a file of JSON lines, numbers of the lines that are none); what stands after the last line
    end is passed over.
    """
    entries, spoiled = [], []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n")[:-1], 1):
        try:
            entry = json.loads(line)
        except ValueError:                                          # no JSON, or no UTF-8
            entry = None
        if isinstance(entry, dict) and type(entry.get("step")) is int:
            entries.append(entry)
        else:
            spoiled.append(number)
    return entries, spoiled
