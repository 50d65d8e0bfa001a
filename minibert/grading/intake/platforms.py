"""Tells the forms in which a class's submissions come apart, by top-level names alone, and reads those names.

A student chooses what is in her folder and what follows the platform's own part of a file's name; neither
decides whose a submission is. These forms are read:

    moodle       a folder `Ada Lovelace_123_assignsubmission_file_`, or a file with its name right after that
    canvas       a file `lovelaceada_LATE_12345_678912_02_attention.ipynb`; LATE only if it was
    blackboard   a file `Unit 2_ada_attempt_2026-01-30-15-30-10_02_attention.ipynb`
    brightspace  a file `123-45 - Ada Lovelace - Jan 30, 2026 330 PM - 02_attention.ipynb`, or such a folder
    nbgrader     a folder `ada`, and in it a folder of the assignment with its `timestamp.txt`
    folders      a folder `ada` or a notebook `ada.ipynb`; whatever is none of the others

Moodle's names and plain folders have no time stamps, and Canvas's say only who is late.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

KINDS = (".ipynb", ".py")  # of files that count when the form is chosen
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
PLUGIN = r"_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)"
DATE = (
    r"(?:(?P<month>[A-Za-z]+)\.? (?P<day>\d{1,2})|(?P<first_day>\d{1,2}) (?P<last_month>[A-Za-z]+)\.?),?"
    r" (?P<year>\d{4}) (?P<hour>\d{1,2}):?(?P<minute>\d\d)(?: (?P<half>[AP]M))?"
)


@dataclass(frozen=True)
class TopName:
    """What a top-level name tells. time: on the platform's clock. order: among files of one student."""

    name: str
    number: str = ""
    file: str = ""
    order: int = 0
    late: bool = False
    time: datetime | None = None


@dataclass(frozen=True)
class Form:
    """One form. title: for the instructor. times: what it tells about time. file, folder: its names."""

    name: str
    title: str
    times: str
    file: re.Pattern[str]
    folder: re.Pattern[str]

    def read(self, top: str, is_folder: bool) -> TopName | None:
        """What a top-level name tells; None if it does not have this form."""
        found = (self.folder if is_folder else self.file).fullmatch(top)
        if found is None:
            return None
        told = found.groupdict()
        return TopName(
            told["name"],
            told.get("number") or "",
            told.get("file") or "",
            int(told.get("order") or 0),
            bool(told.get("late")),
            time_of(told),
        )


def time_of(told: Mapping[str, str | None]) -> datetime | None:
    """The time in the groups of a name; None if there is none, or it cannot be read."""
    try:
        if told.get("attempt"):
            return datetime.strptime(told["attempt"] or "", "%Y-%m-%d-%H-%M-%S")
        if told.get("year") is None:
            return None
        month = MONTHS.index((told["month"] or told["last_month"] or "")[:3].lower()) + 1
        hour = int(told["hour"] or 0)
        if told["half"]:
            hour = hour % 12 + 12 * (told["half"] == "PM")
        return datetime(
            int(told["year"] or 0),
            month,
            int(told["day"] or told["first_day"] or 0),
            hour,
            int(told["minute"] or 0),
        )
    except ValueError:
        return None


def form(name: str, title: str, times: str, file: str, folder: str = "") -> Form:
    """A Form from the source of its patterns; without `folder`, a folder is called like a file."""
    return Form(name, title, times, re.compile(file, re.S), re.compile(folder or file, re.S))


# Lazy names: the platform's own part is the leftmost one, and a student may imitate it in what follows.
MOODLE = form(
    "moodle",
    "an export of Moodle",
    "no time stamps",
    rf"(?P<name>.+?){PLUGIN}_?(?P<file>.+)",
    rf"(?P<name>.+?){PLUGIN}_?",
)
CANVAS = form(
    "canvas",
    "an export of Canvas",
    "no time stamps, but who is late",
    r"(?P<name>.+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<order>\d+)_(?P<file>.+)",
)
BLACKBOARD = form(
    "blackboard",
    "an export of Blackboard",
    "the time of each attempt",
    r"(?P<name>.+?)_attempt_(?P<attempt>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)",
)
BRIGHTSPACE = form(
    "brightspace",
    "an export of Brightspace",
    "the time of each submission",
    rf"(?P<number>\d+)-\d+ - (?P<name>.+?) - {DATE} - (?P<file>.+)",
    rf"(?P<number>\d+)-\d+ - (?P<name>.+?) - {DATE}(?: - (?P<file>.+))?",
)
NBGRADER = form(
    "nbgrader", "nbgrader's folders, STUDENT/ASSIGNMENT", "timestamp.txt", r"(?!)(?P<name>)", r"(?P<name>.+)"
)
FOLDERS = form(
    "folders",
    "a folder or a notebook for each student",
    "no time stamps",
    r"(?P<name>.+)\.(?i:ipynb|py)",
    r"(?P<name>.+)",
)
PLATFORMS = (MOODLE, CANVAS, BLACKBOARD, BRIGHTSPACE)
FORMS = {form.name: form for form in (*PLATFORMS, NBGRADER, FOLDERS)}


def form_named(name: str) -> Form:
    """The form of this name; raises ValueError if there is none."""
    if name not in FORMS:
        raise ValueError(f"form {name!r}: it is one of {', '.join(FORMS)}")
    return FORMS[name]


def form_of(tops: Mapping[str, bool]) -> Form:
    """The one form of {top-level name: whether it is a folder}; raises ValueError if two forms are possible.

    A platform's form is chosen if every folder and notebook has it.
    """
    counted = {
        top: is_folder
        for top, is_folder in tops.items()
        if is_folder or PurePosixPath(top).suffix.lower() in KINDS
    } or tops
    fits = {
        form.name: [top for top, is_folder in counted.items() if form.read(top, is_folder)]
        for form in PLATFORMS
    }
    most, found = max(fits.items(), key=lambda fit: len(fit[1]))
    if not found:
        return FOLDERS
    other = next((top for top in counted if top not in found), None)
    if other is not None:
        raise ValueError(
            f"{found[0]!r} is a name of {most}, {other!r} is not: an archive has one form. Take "
            f"them apart, or say with --form which one counts"
        )
    whole = [name for name, found in fits.items() if len(found) == len(counted)]
    if len(whole) > 1:
        raise ValueError(f"{found[0]!r} may be a name of {' or of '.join(whole)}: say with --form which")
    return FORMS[most]


def users_of_blackboard(heads: list[str]) -> dict[str, str]:
    """{what stands before "_attempt_": the user's name} without the assignment's title, which all share.

    Raises ValueError if there is no such title.
    """
    title = heads[0] if len(set(heads)) == 1 else shared_start(min(heads), max(heads))
    end = title.rfind("_") + 1
    if not end:
        raise ValueError(f"{min(heads)!r} and {max(heads)!r} do not begin with one assignment's title")
    return {head: head[end:] for head in heads}


def shared_start(first: str, last: str) -> str:
    """What both begin with; of the first and the last of sorted names, what all of them begin with."""
    differ = (place for place, (a, b) in enumerate(zip(first, last)) if a != b)
    return first[: next(differ, min(len(first), len(last)))]
