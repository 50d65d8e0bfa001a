"""Reads who handed in what from nbgrader's `submitted/`, a folder, or a zip of Moodle, Canvas or Blackboard.

Names, numbers and times are in the names of files. Nothing is unpacked: a submission is read when it is
graded.
"""
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from .archives import Handed, entries_of

Found = dict[tuple[str, str], list[tuple[dict[str, Any], Handed]]]      # (name, LMS's number) -> facts, file

NOTEBOOKS = 5               # of one student that are looked at
CONTROL = ("timestamp.txt", "submission_secret.txt", "user_info.json")
MOODLE = re.compile(
    r"^(?P<name>[^/]+?)_(?P<lms_id>\d+)_assignsubmission_(?:file|onlinetext)_?/?(?P<file>.+)$")
CANVAS = re.compile(r"^(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<lms_id>\d+)_(?P<order>\d+)_(?P<file>[^/]+)$")
BLACKBOARD = re.compile(r"^[^/]*?_(?P<name>[^_/]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})_(?P<file>[^/]+)$")
PLAIN = re.compile(r"^(?P<name>[^/]+?)(?:/(?P<file>.+)|(?P<ending>\.(?:ipynb|py)))$")
FORMS = {"moodle": MOODLE, "canvas": CANVAS, "blackboard": BLACKBOARD, "": PLAIN}
AGAIN = re.compile(r"-(\d+)(?=\.[^.]+$)")    # Canvas: name-1.ipynb is handed in again


@dataclass(frozen=True)
class Submission:
    """What one student handed in. late: as the LMS says; timestamp: naive UTC, None if it is unknown."""

    student: str
    files: tuple[Handed, ...]
    full_name: str = ""
    lms: str = ""           # "moodle", "canvas", "blackboard", or empty
    lms_id: str = ""        # Moodle's number of a participant in one assignment, Canvas's of a person
    timestamp: datetime | None = None
    late: bool = False
    notes: tuple[str, ...] = ()

    def load(self) -> bytes:
        """All that is graded, as bytes."""
        return to_bytes({file.name: file.read() for file in self.files}, self.notes)


def to_bytes(files: Mapping[str, bytes], notes: Sequence[str] = ()) -> bytes:
    """Files, {name: bytes}, and sentences for the feedback, in one string of bytes."""
    head = {"files": [[name, len(data)] for name, data in files.items()], "notes": list(notes)}
    return json.dumps(head).encode() + b"\n" + b"".join(files.values())


def from_bytes(data: bytes) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The (files, notes) that `to_bytes` put together."""
    line, _, rest = data.partition(b"\n")
    head, files, start = json.loads(line), {}, 0
    for name, size in head["files"]:
        files[name] = rest[start:start + size]
        start += size
    return files, tuple(head["notes"])


def read_submissions(path: str | Path, assignment: str) -> tuple[list[Submission], list[str]]:
    """(submissions sorted by student, sentences about refused files) of a folder or a zip.

    Raises ValueError if it holds nothing of this assignment, or does not exist.
    """
    entries, refused = entries_of(path)
    entries = without_top(within(entries, assignment))
    found: Found = {}
    for name, file in sorted(entries.items()):
        add(found, name, file)
    submissions = [finished(submission) for submission in apart(found)]
    if not submissions and not refused:
        raise ValueError(f"{path}: no submission of {assignment}")
    return sorted(submissions, key=lambda submission: submission.student), refused


def within(entries: dict[str, Handed], assignment: str) -> dict[str, Handed]:
    """The files of this assignment if paths are nbgrader's STUDENT/ASSIGNMENT/file; otherwise all files."""
    ours = {name: file for name, file in entries.items() if PurePosixPath(name).parts[1:2] == (assignment,)}
    return {"/".join((name.split("/")[0], *name.split("/")[2:])): file
            for name, file in ours.items()} or entries


def without_top(entries: dict[str, Handed]) -> dict[str, Handed]:
    """The files without the one folder that many archives put around everything."""
    tops = {name.split("/")[0] for name in entries}
    deep = all(name.count("/") > 1 or CANVAS.match(name.split("/")[-1]) for name in entries)
    if len(tops) == 1 and deep and entries and not MOODLE.match(next(iter(entries))):
        return {name.split("/", 1)[1]: file for name, file in entries.items() if "/" in name}
    return entries


def add(found: Found, path: str, file: Handed) -> None:
    """Add a file to those of its student, with the facts that its path tells."""
    matches = {lms: form.match(path if form in (MOODLE, PLAIN) else path.split("/")[-1])
               for lms, form in FORMS.items()}
    lms, match = next(((lms, match) for lms, match in matches.items() if match), ("", None))
    if match is None:
        return
    facts: dict[str, Any] = {**match.groupdict(), "lms": lms}
    name = facts["file"] or f"{facts['name']}{facts['ending']}"
    order = (facts.get("time") or "", int(facts.get("order") or 0), *file.order)
    whose = (facts["name"], facts.get("lms_id") or "")
    found.setdefault(whose, []).append((facts, replace(file, name=name, order=order)))


def apart(found: Found) -> Iterator[Submission]:
    """One submission for each student; the LMS's number tells students with the same name apart."""
    taken = [student_id(name) for name, _ in found]
    for (name, lms_id), pairs in found.items():
        facts = [facts for facts, _ in pairs]
        student = student_id(name)
        if taken.count(student) > 1 and lms_id:
            student = f"{student}-{lms_id}"
        newest = max(facts, key=lambda fact: (fact.get("time") or "", int(fact.get("order") or 0)))
        time = newest.get("time")
        yield Submission(student, tuple(file for _, file in pairs), full_name(name) if lms_id else "",
                         newest["lms"],
                         lms_id, datetime.strptime(time, "%Y-%m-%d-%H-%M-%S") if time else None,
                         bool(newest.get("late")))


def finished(submission: Submission) -> Submission:
    """The submission with its time, only its newest notebooks, and sentences about its other files."""
    times = [file for file in submission.files if file.name == "timestamp.txt"]
    timestamp = submission.timestamp or (read_time(times[0]) if times else None)
    files = [file for file in submission.files if file.name not in CONTROL]
    newest: dict[str, Handed] = {}
    for file in sorted(files, key=lambda file: (file.order[0], again(file.name), file.order)):
        newest[AGAIN.sub("", file.name) if file.order[1] else file.name] = file
    if len({file.order[0] for file in files}) > 1:      # attempts: the last one counts as a whole
        last = max(file.order[0] for file in files)
        newest = {name: file for name, file in newest.items() if file.order[0] == last}
    notebooks = [file for file in newest.values() if file.name.endswith(".ipynb")]
    graded = notebooks or list(newest.values())
    notes = []
    if len(files) > len(newest):
        notes.append("The exercise was handed in more than once; the newest counts.")
    others = sorted(file.name for file in newest.values() if file not in graded)
    if others:
        notes.append(f"Only the notebook is graded; not used: {', '.join(others)[:200]}.")
    return replace(submission, files=tuple(graded[-NOTEBOOKS:]), timestamp=timestamp, notes=tuple(notes))


def again(name: str) -> int:
    """How many times before a file of this name was handed in, as Canvas numbers them."""
    found = AGAIN.search(name)
    return int(found[1][:9]) if found else 0


def read_time(file: Handed) -> datetime | None:
    """The time in nbgrader's timestamp.txt, as naive UTC; None if it cannot be read."""
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(file.read()[:100].decode().strip())
    except (ValueError, OverflowError, UnicodeDecodeError):
        return None


def student_id(name: str) -> str:
    """An id that may be a folder's name: "Zoë van Dam" -> "Zoë-van-Dam"."""
    kept = re.sub(r"[^\w.@-]+", "-", unicodedata.normalize("NFC", name)).strip("-.")
    return kept[:100] or "unnamed"


def full_name(name: str) -> str:
    """A person's name without characters that could form markup or a formula."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name)
                   if c.isalnum() or c in " .'-," or unicodedata.combining(c))
    return kept.strip(" -.,'")[:100]
