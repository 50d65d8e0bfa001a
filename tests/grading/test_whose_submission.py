"""Whose a submission is: an archive has one form, no nested name decides, no two names are one student."""

import zipfile
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace

import pytest
from hostile_archives import ARCHIVES

from minibert.grading.intake.as_bytes import from_bytes
from minibert.grading.intake.platforms import FORMS
from minibert.grading.intake.records import Submission
from minibert.grading.intake.students import recognised
from minibert.grading.intake.submissions import read_submissions

UNIT = "01_small"


@pytest.fixture
def zipped(tmp_path):
    """zipped(paths) -> the path of a zip with these files, each of which holds its own path."""

    def make(paths):
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
            for path in paths:
                archive.writestr(path, path)
        return tmp_path / "class.zip"

    return make


def unpacked(paths, folder):
    """The same files in a folder, as a file system allows."""
    for path in paths:
        place = folder / path.replace("\\", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(path, encoding="utf-8")
    return folder


def whose(submissions):
    return {
        submission.student: sorted(data.decode() for data in from_bytes(submission.load())[0].values())
        for submission in submissions
    }


@pytest.mark.parametrize("packed", [True, False], ids=["zip", "folder"])
@pytest.mark.parametrize("kind", ARCHIVES, ids=lambda kind: kind.name)
def test_no_name_gives_a_file_to_another_student(kind, packed, zipped, tmp_path):
    (tmp_path / "in").mkdir()
    try:
        place = zipped(kind.paths) if packed else unpacked(kind.paths, tmp_path / "in")
    except OSError:
        pytest.skip("this file system does not allow such a name")
    if not packed and len(list(place.iterdir())) < len({path.split("/")[0] for path in kind.paths}):
        pytest.skip("this file system takes two of the names for one")
    if isinstance(kind.due, str):
        with pytest.raises(ValueError) as stopped:
            read_submissions(place, UNIT, kind.form)
        assert kind.due in str(stopped.value)
    else:
        read = read_submissions(place, UNIT, kind.form)
        assert whose(read.submissions) == {
            student: sorted(kind.paths[number] for number in numbers) for student, numbers in kind.due.items()
        }
        assert f"read as {FORMS[kind.read_as].title}" in read.said


def test_every_form_has_an_honest_and_a_hostile_kind():
    assert {kind.read_as for kind in ARCHIVES} - {""} == set(FORMS)
    assert len({kind.name for kind in ARCHIVES}) == len(ARCHIVES)


def test_the_first_line_says_form_times_and_number(zipped):
    place = zipped(["ada_5_6_f.ipynb", "bob_7_8_f.ipynb"])
    assert read_submissions(place, UNIT).said == (
        f"{place}: read as an export of Canvas (no time stamps, only marks for late files); 2 students"
    )


def test_a_form_that_is_given_leaves_out_what_does_not_have_it(zipped):
    read = read_submissions(zipped(["ada_5_6_f.ipynb", "bob/8.ipynb"]), UNIT, "canvas")
    assert whose(read.submissions) == {"ada": ["ada_5_6_f.ipynb"]}
    assert read.refused == ["bob: left out, because the archive was read as an export of Canvas"]


def test_an_unknown_form_is_refused(zipped):
    with pytest.raises(ValueError, match="unknown form 'webct'; choose one of moodle, canvas"):
        read_submissions(zipped(["ada/1.ipynb"]), UNIT, "webct")


def test_only_nbgraders_own_timestamp_counts(tmp_path):
    for name in ("01_small/1.ipynb", "01_small/sub/timestamp.txt", "timestamp.txt", "02_other/timestamp.txt"):
        name = f"ada/{name}"
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("2000-01-01 00:00:00 UTC")
    assert read_submissions(tmp_path, UNIT, "nbgrader").submissions[0].timestamp is None
    (tmp_path / "ada" / UNIT / "timestamp.txt").write_text("2026-02-01 09:00:00 UTC")
    assert read_submissions(tmp_path, UNIT, "nbgrader").submissions[0].timestamp == datetime(2026, 2, 1, 9)
    assert read_submissions(tmp_path, UNIT, "folders").submissions[0].timestamp is None


@pytest.mark.parametrize(
    "top", ["ada_5_6_", "Ada_7_assignsubmission_file_/", "7-3 - A - Lunedi 3, 2026 110 PM - "]
)
def test_a_students_own_timestamp_is_no_time(tmp_path, top):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(f"{top}1.ipynb", b"x")
        archive.writestr(f"{top}timestamp.txt", "2000-01-01 00:00:00 UTC")
    assert read_submissions(tmp_path / "class.zip", UNIT).submissions[0].timestamp is None


@dataclass
class Student:
    id: str
    first_name: str = ""
    last_name: str = ""
    lms_user_id: str | None = None


def book(*students):
    return SimpleNamespace(students=students)


def sent(student, full="", lms="moodle", number="7"):
    return Submission(student, (), full, lms, number)


ADA = Student("al17", "Ada", "Lovelace", "12")


@pytest.mark.parametrize(
    "submissions, due",
    [
        ([sent("Ada-Lovelace", "Ada Lovelace")], ["al17"]),
        ([sent("lovelaceada", "lovelaceada", "canvas", "12")], ["al17"]),
        ([sent("al17", "al17", "canvas", "13")], ["al17-13"]),  # a namesake of an id
        ([sent("Ada-Lovelace", "Ada Lovelace", "canvas", "13")], ["Ada-Lovelace-13"]),  # and of a name
        ([sent("AL17", "", "", "")], ["al17"]),
        ([sent("al17", "", "blackboard", "")], ["al17"]),
        ([sent("new", "New", "brightspace")], ["new"]),
    ],
)
def test_a_student_is_recognised_by_number_name_or_id(submissions, due):
    assert [s.student for s in recognised(submissions, book(ADA, Student("eve")))] == due


NAMESAKES = [Student("Ada-Byron-7", "Ada", "Byron"), Student("Ada-Byron-8", "Ada", "Byron"), ADA]


@pytest.mark.parametrize(
    "submissions, due",
    [
        (
            [sent(name, "Ada Byron") for name in ("Ada-Byron-7", "Ada-Byron-8")],
            ["Ada-Byron-7", "Ada-Byron-8"],
        ),
        ([sent("Ada-Byron-8", "Ada Byron-8", number="21")], ["Ada-Byron-8"]),  # renamed in the archive
        ([sent("Ada-Byron", "Ada Byron", number="21")], "'Ada Byron', number 21, could be 'Ada-Byron-7' or"),
        (
            [sent("Ada-Lovelace-7", "Ada Lovelace"), sent("Ada-Lovelace-8", "Ada Lovelace", number="8")],
            "'Ada Lovelace', number 7, could be 'al17' or a new student",
        ),
    ],
)
def test_of_namesakes_the_gradebook_decides_or_a_person(submissions, due):
    if isinstance(due, str):
        with pytest.raises(ValueError, match=due):
            recognised(submissions, book(*NAMESAKES))
    else:
        assert [s.student for s in recognised(submissions, book(*NAMESAKES))] == due


@pytest.mark.parametrize(
    "known, due",
    [
        (["ada_x", "bob"], {"ada_x": 0, "bob": 1}),
        (["x", "bob"], "do not start with the same assignment title"),
        (["x", "ada_x"], "could be 'ada_x' or 'x'"),
        ([], "could be 'ada_x' or 'x'"),
    ],
)
def test_ids_of_the_gradebook_say_where_a_user_of_blackboard_begins(zipped, known, due):
    paths = ["Q_ada_x_attempt_2026-01-30-15-30-10_a.ipynb", "Q_bob_attempt_2026-01-30-15-30-10_a.ipynb"]
    if isinstance(due, str):
        with pytest.raises(ValueError, match=due):
            read_submissions(zipped(paths), UNIT, known_ids=known)
    else:
        read = read_submissions(zipped(paths), UNIT, known_ids=known)
        assert whose(read.submissions) == {student: [paths[at]] for student, at in due.items()}


@pytest.mark.parametrize(
    "submissions, wrong",
    [
        (
            [sent("al17", "al17")],
            "'al17' would be matched to the student 'al17', whom the gradebook calls 'Ada Lovelace'",
        ),
        ([sent("AL17", "AL17", "brightspace")], "'AL17' would be matched to the student 'al17'"),
        (
            [sent("Ada-Lovelace", "Ada Lovelace"), sent("al17", "al17", number="8")],
            "'al17' would be matched to the student",
        ),
        (
            [sent("al17", "al17", "canvas", "13"), sent("al17-13", "al17-13", "canvas", "14")],
            "'al17' and 'al17-13' would both be matched to the student 'al17-13'",
        ),
        ([sent(name, name, "blackboard") for name in ("Eve", "EVE")], "'Eve' and 'EVE' would both be"),
    ],
)
def test_two_submissions_never_become_one_student_of_the_gradebook(submissions, wrong):
    with pytest.raises(ValueError, match=wrong):
        recognised(submissions, book(ADA, Student("eve")))
