"""The naming schemes in which a class's submissions arrive, and a reader for the top-level names.

Only the top-level names decide to whom a submission belongs. A student chooses the names inside the folder
and the part of a file's name after the platform's own part, so those are not used. These forms are read:

    moodle       a folder `Ada Lovelace_123_assignsubmission_file_`, or a file with its name right after that
    canvas       a file `lovelaceada_LATE_12345_678912_02_attention.ipynb`; LATE appears only if it was late
    blackboard   a file `Unit 2_ada_attempt_2026-01-30-15-30-10_02_attention.ipynb`
    brightspace  a file `123-45 - Ada Lovelace - Jan 30, 2026 330 PM - 02_attention.ipynb`, or such a folder
    nbgrader     a folder `ada`, and in it a folder of the assignment with its `timestamp.txt`
    folders      a folder `ada` or a notebook `ada.ipynb`; used for everything else

Moodle's names and plain folders have no time stamps, and Canvas's only say who is late.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

KINDS = (".ipynb", ".py")  # types of files that count when the form is chosen
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
PLUGIN = r"_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)"
DATE = (
    r"(?:(?P<month>[A-Za-z]+)\.? (?P<day>\d{1,2})|(?P<first_day>\d{1,2}) (?P<last_month>[A-Za-z]+)\.?),?"
    r" (?P<year>\d{4}) (?P<hour>\d{1,2}):?(?P<minute>\d\d)(?: (?P<half>[AP]M))?"
)


@dataclass(frozen=True)
class TopName:
    """The information in a top-level name.

    time: on the platform's clock. order: position among the files of one student.
    """

    name: str
    number: str = ""
    file: str = ""
    order: int = 0
    late: bool = False
    time: datetime | None = None


@dataclass(frozen=True)
class Form:
    """A naming scheme.

    title: for the instructor. times: what it says about time. file, folder: patterns of its names.
    """

    name: str
    title: str
    times: str
    file: re.Pattern[str]
    folder: re.Pattern[str]

    def read(self, top: str, is_folder: bool) -> TopName | None:
        """Return the information in a top-level name, or None if it does not have this form."""
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
    """Return the time from a name's groups, or None if there is none or it is invalid."""
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
    """Return a Form from the source of its patterns; without `folder`, folders are named like files."""
    return Form(name, title, times, re.compile(file, re.S), re.compile(folder or file, re.S))


# `name` is lazy, so that the leftmost match counts: a student may imitate the platform's part after it.
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
    "no time stamps, only marks for late files",
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
    """Return the form with this name.

    Raises ValueError if there is none.
    """
    if name not in FORMS:
        raise ValueError(f"unknown form {name!r}; choose one of {', '.join(FORMS)}")
    return FORMS[name]


def form_of(tops: Mapping[str, bool]) -> Form:
    """Return the form that fits {top-level name: whether it is a folder}.

    A platform's form is chosen if every folder and notebook has it. Raises ValueError if more than one form
    is possible.
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
            f"{found[0]!r} is a name from {most}, but {other!r} is not; all names in an archive must have "
            f"one form. Separate them, or choose a form with --form"
        )
    whole = [name for name, found in fits.items() if len(found) == len(counted)]
    if len(whole) > 1:
        raise ValueError(f"{found[0]!r} may come from {' or '.join(whole)}; choose one with --form")
    return FORMS[most]


def users_of_blackboard(heads: list[str]) -> dict[str, str]:
    """Return {text before "_attempt_": user name}, without the assignment's title that all share.

    Raises ValueError if there is no such title.
    """
    title = heads[0] if len(set(heads)) == 1 else shared_start(min(heads), max(heads))
    end = title.rfind("_") + 1
    if not end:
        raise ValueError(f"{min(heads)!r} and {max(heads)!r} do not start with the same assignment title")
    return {head: head[end:] for head in heads}


def shared_start(first: str, last: str) -> str:
    """Return the common prefix of two names.

    For the first and the last of sorted names, it is the common prefix of all of them.
    """
    differ = (place for place, (a, b) in enumerate(zip(first, last)) if a != b)
    return first[: next(differ, min(len(first), len(last)))]
