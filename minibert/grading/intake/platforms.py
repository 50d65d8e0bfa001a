"""Recognise how a learning platform names submissions, and read its top-level file and folder names.

Only the top-level name decides who owns a submission, because students choose the rest. These naming schemes
are recognised:

moodle: a folder `Ada Lovelace_123_assignsubmission_file_`, or a file whose name begins like that
canvas: a file `lovelaceada_LATE_12345_678912_02_attention.ipynb`; LATE appears only if it was late
blackboard: a file `Unit 2_ada_attempt_2026-01-30-15-30-10_02_attention.ipynb`
brightspace: a file `123-45 - Ada Lovelace - Jan 30, 2026 330 PM - 02_attention.ipynb`, or such a folder; the
date may be German, `30. Jan. 2026 1530`
classroom: Google Classroom's file `Ada Lovelace - 02_attention.ipynb`
nbgrader: a folder `ada` with a folder for the assignment and its `timestamp.txt`
folders: a folder `ada` or a notebook `ada.ipynb`; used for everything else

Moodle's names and plain folders contain no times, and Canvas's only say who is late.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

KINDS = (".ipynb", ".py")  # file types that matter for recognising the form
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
GERMAN = {"mär": "mar", "mrz": "mar", "mai": "may", "okt": "oct", "dez": "dec"}
PLUGIN = r"_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)"
DATE = (
    r"(?:(?P<month>[^\W\d_]+)\.? (?P<day>\d{1,2})|(?P<first_day>\d{1,2})\.? (?P<last_month>[^\W\d_]+)\.?),?"
    r" (?P<year>\d{4}) (?P<hour>\d{1,2}):?(?P<minute>\d\d)(?: (?P<half>[AP]M))?"
)


@dataclass(frozen=True)
class TopName:
    """The student and time that a top-level name in a class's submissions identifies.

    time: the time of submission on the platform's clock. order: the position among the student's files.
    feedback: the start of the path of the student's feedback in a zip for the platform, empty if the platform
    accepts no such zip.
    """

    name: str
    number: str = ""
    file: str = ""
    order: int = 0
    late: bool = False
    time: datetime | None = None
    feedback: str = ""


@dataclass(frozen=True)
class Form:
    """How a platform names students' files and folders.

    title: a description for the instructor. times: which times the names contain. file, folder: patterns of
    the names. feedback: a format string for the path of a student's feedback in a zip for the platform;
    {whole} is the top-level name without the student's own file name, and the other fields are groups of the
    patterns.
    """

    name: str
    title: str
    times: str
    file: re.Pattern[str]
    folder: re.Pattern[str]
    feedback: str = ""

    def read(self, top: str, is_folder: bool) -> TopName | None:
        """Read a top-level name, or return None if it does not follow this scheme."""
        found = (self.folder if is_folder else self.file).fullmatch(top)
        if found is None:
            return None
        told = found.groupdict()
        file = told.get("file") or ""
        return TopName(
            told["name"],
            told.get("number") or "",
            file,
            int(told.get("order") or 0),
            bool(told.get("late")),
            time_of(told),
            self.feedback.format(whole=f"{top}/" if is_folder else top.removesuffix(file), **told)
            if self.feedback
            else "",
        )


def time_of(told: Mapping[str, str | None]) -> datetime | None:
    """Return the time in `told`, the named groups of a match, or None if it is missing or invalid."""
    try:
        if told.get("attempt"):
            return datetime.strptime(told["attempt"] or "", "%Y-%m-%d-%H-%M-%S")
        if told.get("year") is None:
            return None
        short = unicodedata.normalize("NFC", told["month"] or told["last_month"] or "")[:3].lower()
        month = MONTHS.index(GERMAN.get(short, short)) + 1
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


def form(name: str, title: str, times: str, file: str, folder: str = "", feedback: str = "") -> Form:
    """Build a Form from patterns; without `folder`, folders are named like files."""
    return Form(name, title, times, re.compile(file, re.S), re.compile(folder or file, re.S), feedback)


# The student's part may imitate the platform's, so `name` is lazy: the leftmost match counts.
MOODLE = form(
    "moodle",
    "an export of Moodle",
    "no time stamps",
    rf"(?P<name>.+?){PLUGIN}_?(?P<file>.+)",
    rf"(?P<name>.+?){PLUGIN}_?",
    "{name}_{number}_assignsubmission_file_/",
)
CANVAS = form(
    "canvas",
    "an export of Canvas",
    "no time stamps, only marks for late files",
    r"(?P<name>.+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<order>\d+)_(?P<file>.+)",
    feedback="{whole}",
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
    "{whole}",
)
CLASSROOM = form(
    "classroom",
    "files of Google Classroom, NAME - NOTEBOOK",
    "no time stamps",
    r"(?P<name>.+?) - (?P<file>.+)",
    r"(?!)(?P<name>)",
)
NBGRADER = form(
    "nbgrader", "nbgrader's folders, STUDENT/ASSIGNMENT", "timestamp.txt", r"(?!)(?P<name>)", r"(?P<name>.+)"
)
FOLDERS = form(
    "folders",
    "a folder or a notebook for each student",
    "no time stamps",
    r"(?P<name>.+)\.(?i:ipynb|py|zip)",
    r"(?P<name>.+)",
)
PLATFORMS = (MOODLE, CANVAS, BLACKBOARD, BRIGHTSPACE)
FORMS = {form.name: form for form in (*PLATFORMS, CLASSROOM, NBGRADER, FOLDERS)}


def form_named(name: str) -> Form:
    """Return the naming scheme with this name, or raise ValueError if there is none."""
    if name not in FORMS:
        raise ValueError(f"unknown form {name!r}; choose one of {', '.join(FORMS)}")
    return FORMS[name]


def form_of(tops: Mapping[str, bool], assignment: str) -> Form:
    """Return the naming scheme of a class's files; `tops` maps top-level names to whether they are folders.

    A platform's scheme is chosen if every folder and notebook follows it. Google Classroom's is chosen if
    every name also ends in the assignment's name. Raises ValueError if more than one scheme is possible.
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
        return classroom_or_folders(counted, assignment)
    other = next((top for top in counted if top not in found), None)
    if other is not None:
        raise ValueError(
            f"{found[0]!r} is a name from {most}, but {other!r} is not; all names in an archive must have "
            f"the same form. Separate them, or choose a form with --form"
        )
    whole = [name for name, found in fits.items() if len(found) == len(counted)]
    if len(whole) > 1:
        raise ValueError(f"{found[0]!r} could be a name from {' or '.join(whole)}; use --form to say which")
    return FORMS[most]


def classroom_or_folders(tops: Mapping[str, bool], assignment: str) -> Form:
    """Return CLASSROOM if all names follow Google Classroom's scheme, and FOLDERS if none does.

    Raises ValueError if a name could be either, because `Lovelace - Ada.ipynb` may be just a person's name.
    """
    read = {top: CLASSROOM.read(top, is_folder) for top, is_folder in tops.items()}
    if all(known and known.file.startswith(assignment) for known in read.values()):
        return CLASSROOM
    doubtful = next((top for top, known in read.items() if known), None)
    if doubtful is None:
        return FOLDERS
    raise ValueError(
        f"{doubtful!r} could be a file from Google Classroom or a student's own name, and not all "
        "names end in "
        f"' - {assignment}.ipynb'; use --form classroom or --form folders to say which"
    )


def users_of_blackboard(heads: list[str], assignment: str, known: Collection[str] = ()) -> dict[str, str]:
    """Return {head: user name}; the heads are the parts of Blackboard file names before "_attempt_".

    A head consists of the assignment's title, an underscore and the user name, but titles and names may
    contain underscores, too. A head can be split if it ends in one of the `known` ids, if it starts with
    `assignment`, or if it has only one underscore. Raises ValueError for any other head, or if the titles
    differ.
    """
    users: dict[str, str] = {}
    for head in dict.fromkeys(heads):
        endings = [head[at + 1 :] for at, letter in enumerate(head) if letter == "_"]
        found = [ending for ending in endings if ending in known] or [
            ending for ending in endings if head == f"{assignment}_{ending}"
        ]
        found = found or endings
        if len(found) > 1:
            raise ValueError(
                f"the user of {head!r} could be {' or '.join(map(repr, found))}; add the students to the "
                f"gradebook, for example with `nbgrader db student import`, so that the ids settle it"
            )
        users[head] = found[0] if found else head
    titles = {head.removesuffix(user): head for head, user in users.items()}
    if len(titles) > 1 or "" in titles:
        named = sorted(titles.values())
        raise ValueError(f"{named[0]!r} and {named[-1]!r} do not start with the same assignment title")
    return users
