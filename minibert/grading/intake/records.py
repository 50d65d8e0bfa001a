"""Data classes for handed-in work: a file's owner, a submission, and a class's submissions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ..bounded import within
from .archives import READ, HandedInFile
from .as_bytes import to_bytes


@dataclass(frozen=True)
class Owner:
    """The student who owns a file: name, number on the platform, and the file's top-level name.

    The top-level name, `top`, is set only if nothing else identifies the student.
    """

    name: str
    number: str = ""
    top: str = ""

    def __str__(self) -> str:
        return self.top or (f"{self.name} (number {self.number})" if self.number else self.name)


@dataclass(frozen=True)
class Submission:
    """The files that one student handed in.

    late: whether the learning platform (LMS) marks them as late. timestamp: the time of submission in UTC,
    without a time zone, or None if unknown.
    """

    student: str
    files: tuple[HandedInFile, ...]
    full_name: str = ""
    lms: str = ""  # "moodle", "canvas", "blackboard", "brightspace", or empty
    lms_id: str = ""  # in Moodle, a participant's number in one assignment; in Canvas, a person's number
    timestamp: datetime | None = None
    late: bool = False
    notes: tuple[str, ...] = ()
    feedback: str = ""  # beginning of the path of its feedback in a zip for the platform

    def load(self) -> bytes:
        """Return the submission's files and notes, packed into bytes.

        Raises LimitError, a ValueError, if a file is damaged or too large.
        """
        return within(READ, packed, self.files, self.notes)


def packed(files: Sequence[HandedInFile], notes: Sequence[str]) -> bytes:
    """Return files and notes, packed into bytes."""
    return to_bytes({file.name: file.read() for file in files}, notes)


class HandedIn(NamedTuple):
    """A class's submissions, with sentences about refused files and about how file names were read."""

    submissions: list[Submission]
    refused: list[str]
    said: str
