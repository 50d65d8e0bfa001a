"""The records of an intake: whose files they are, what one student handed in, and what a class did."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .archives import HandedInFile
from .as_bytes import to_bytes


@dataclass(frozen=True)
class Owner:
    """Whose files: her name, the platform's number of her, and the top-level name if that alone tells."""

    name: str
    number: str = ""
    top: str = ""

    def __str__(self) -> str:
        return self.top or (f"{self.name} (number {self.number})" if self.number else self.name)


@dataclass(frozen=True)
class Submission:
    """What one student handed in. late: as the LMS says; timestamp: naive UTC, None if it is unknown."""

    student: str
    files: tuple[HandedInFile, ...]
    full_name: str = ""
    lms: str = ""  # "moodle", "canvas", "blackboard", "brightspace", or empty
    lms_id: str = ""  # Moodle's number of a participant in one assignment, Canvas's of a person
    timestamp: datetime | None = None
    late: bool = False
    notes: tuple[str, ...] = ()

    def load(self) -> bytes:
        """All that is graded, as bytes."""
        return to_bytes({file.name: file.read() for file in self.files}, self.notes)


class HandedIn(NamedTuple):
    """What a class handed in, sorted by student, sentences about refused files, and how it was read."""

    submissions: list[Submission]
    refused: list[str]
    said: str
