"""Submissions as learning systems export them: who, when, late or not, and what is refused."""

import io
import stat
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from minibert.grading.intake import archives
from minibert.grading.intake.as_bytes import from_bytes, to_bytes
from minibert.grading.intake.students import full_name, student_id
from minibert.grading.intake.submissions import read_submissions

UNIT = "01_small"
NEWEST = "The exercise was handed in more than once; the newest version counts."


def write(place, files):
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)


@pytest.fixture
def zipped(tmp_path):
    """zipped({name: bytes}) writes a zip and reads its (submissions, refused)."""

    def make(files, **more):
        write(tmp_path / "class.zip", files)
        return read_submissions(tmp_path / "class.zip", UNIT, **more)[:2]

    return make


def told(submissions):
    return {
        s.student: (s.full_name, s.lms_id, s.late, list(from_bytes(s.load())[0].values()))
        for s in submissions
    }


def test_files_and_sentences_survive_packing():
    files = {"a.ipynb": b"\n{}\n", "b": b""}
    assert from_bytes(to_bytes(files, ["One."])) == (files, ("One.",))


def test_moodle_says_name_and_number(zipped):
    submissions, refused = zipped(
        {
            "Zoë van Dam_123_assignsubmission_file_/01_small.ipynb": b"z",
            "Zoë van Dam_123_assignsubmission_onlinetext_/onlinetext.html": b"<p>see file</p>",
            "Ada Lovelace_7_assignsubmission_file_/mine.ipynb": b"a",
            "Ada Lovelace_9_assignsubmission_file_/mine.ipynb": b"b",
            "Bob_8_assignsubmission_onlinetext_/onlinetext.html": b"<p>def</p>",
            "Flat Form_11_assignsubmission_file_01_small.ipynb": b"f",
            "__MACOSX/._01_small.ipynb": b"litter",
        }
    )
    assert refused == [] and told(submissions) == {
        "Ada-Lovelace-7": ("Ada Lovelace", "7", False, [b"a"]),
        "Ada-Lovelace-9": ("Ada Lovelace", "9", False, [b"b"]),
        "Bob": ("Bob", "8", False, [b"<p>def</p>"]),
        "Flat-Form": ("Flat Form", "11", False, [b"f"]),
        "Zoë-van-Dam": ("Zoë van Dam", "123", False, [b"z"]),
    }
    assert submissions[-1].notes == (
        "Only the notebook is graded; these files are not used: onlinetext.html.",
    )


def test_canvas_says_who_is_late_and_which_is_the_newest(zipped):
    submissions, _ = zipped(
        {
            "lovelaceada_LATE_12345_678912_01_small-1.ipynb": b"new",
            "lovelaceada_12345_678910_01_small.ipynb": b"old",
            "vandamzoe_12346_678911_01_small.ipynb": b"z",
            "vandamzoe_12346_678913_helper.py": b"x = 1",
        }
    )
    assert told(submissions) == {
        "lovelaceada": ("lovelaceada", "12345", True, [b"new"]),
        "vandamzoe": ("vandamzoe", "12346", False, [b"z"]),
    }
    assert submissions[0].notes == (NEWEST,)
    assert submissions[1].notes == ("Only the notebook is graded; these files are not used: helper.py.",)


def test_blackboard_says_the_time_and_the_last_attempt_counts(zipped):
    attempts = {"2026-01-30-15-30-10_a": b"old", "2026-02-01-08-00-00_b": b"new"}
    (submission,), _ = zipped({f"Quiz_ada_attempt_{name}.ipynb": data for name, data in attempts.items()})
    assert submission.student == "ada" and submission.timestamp == datetime(2026, 2, 1, 8)
    assert from_bytes(submission.load()) == ({"b.ipynb": b"new"}, (NEWEST,))


def test_a_folder_of_nbgrader_has_other_assignments_and_times(tmp_path):
    for student in ("ada", "bob"):
        for unit in (UNIT, "02_other"):
            (tmp_path / student / unit).mkdir(parents=True)
            (tmp_path / student / unit / f"{unit}.ipynb").write_text(student)
    (tmp_path / "ada" / UNIT / "timestamp.txt").write_text("2026-02-01 09:00:00.000000 UTC")
    (tmp_path / "bob" / UNIT / "timestamp.txt").write_text("soon")
    submissions = read_submissions(tmp_path, UNIT, "nbgrader").submissions
    assert told(submissions) == {"ada": ("", "", False, [b"ada"]), "bob": ("", "", False, [b"bob"])}
    assert [s.timestamp for s in submissions] == [datetime(2026, 2, 1, 9), None]


def test_brightspace_says_the_time_and_the_last_submission_counts(zipped):
    submissions, refused = zipped(
        {
            "7-3 - Ada Lovelace - Jan 30, 2026 330 PM - a.ipynb": b"old",
            "7-3 - Ada Lovelace - 1 February, 2026 1205 AM - b - c.ipynb": b"new",
            "8-3 - Zoë van Dam - 1. Okt. 2026 1305/01_small.ipynb": b"z",
            "index.html": b"<table>",
        }
    )
    assert told(submissions) == {
        "Ada-Lovelace": ("Ada Lovelace", "7", False, [b"new"]),
        "Zoë-van-Dam": ("Zoë van Dam", "8", False, [b"z"]),
    }
    assert [s.timestamp for s in submissions] == [datetime(2026, 2, 1, 0, 5), datetime(2026, 10, 1, 13, 5)]
    assert refused == ["index.html: left out, because the archive was read as an export of Brightspace"]


@pytest.mark.parametrize(
    "said, time",
    [
        ("Jan 30, 2026 110 PM", datetime(2026, 1, 30, 13, 10)),
        ("Jan 3, 2026 1200 AM", datetime(2026, 1, 3)),
        ("3 March 2026 1200 PM", datetime(2026, 3, 3, 12)),
        ("3. Okt. 2026 1234", datetime(2026, 10, 3, 12, 34)),
        ("1. März 2026 9:05", datetime(2026, 3, 1, 9, 5)),
        ("Feb 30, 2026 110 PM", None),
        ("Janvier 30, 2026 110 PM", datetime(2026, 1, 30, 13, 10)),
        ("Lunedi 3, 2026 110 PM", None),
    ],
)
def test_a_time_of_brightspace_is_read_or_unknown(zipped, said, time):
    (submission,), _ = zipped({f"7-3 - Ada - {said} - a.ipynb": b""})
    assert submission.timestamp == time


def test_times_in_names_are_on_the_platforms_clock(zipped):
    files = {"Q_ada_attempt_2026-01-30-12-00-00_a.ipynb": b""}
    for zone, hour in (("UTC", 12), ("Europe/Berlin", 11), ("America/New_York", 17)):
        assert zipped(files, zone=zone)[0][0].timestamp == datetime(2026, 1, 30, hour)
    with pytest.raises(ValueError, match="unknown time zone 'Middle/Earth'"):
        zipped(files, zone="Middle/Earth")


def test_of_two_files_without_a_known_time_none_is_dropped(zipped):
    files = {
        f"7-3 - Ada - Lunedi {day}, 2026 110 PM - a.ipynb": data for day, data in ((3, b"one"), (4, b"two"))
    }
    (submission,), _ = zipped(files)
    assert sorted(from_bytes(submission.load())[0].values()) == [b"one", b"two"]


def test_in_nbgraders_folders_the_file_with_the_right_name_counts(tmp_path):
    (tmp_path / "ada" / UNIT).mkdir(parents=True)
    for name in (f"{UNIT}.ipynb", f"{UNIT}-Copy1.ipynb"):
        (tmp_path / "ada" / UNIT / name).write_text(name)
    (submission,) = read_submissions(tmp_path, UNIT, "nbgrader").submissions
    assert list(from_bytes(submission.load())[0]) == [f"{UNIT}.ipynb"]
    assert "these files are not used: 01_small-Copy1.ipynb" in submission.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "cp437"])
def test_names_without_the_utf8_flag_are_utf8_if_they_can_be(tmp_path, encoding):
    path, raw = tmp_path / "class.zip", "Zoë_7_assignsubmission_file_".encode(encoding)
    write(path, {"X" * len(raw) + "/1.ipynb": b"z"})
    path.write_bytes(path.read_bytes().replace(b"X" * len(raw), raw))
    assert told(read_submissions(path, UNIT).submissions) == {"Zoë": ("Zoë", "7", False, [b"z"])}


def packed(files):
    made = io.BytesIO()
    write(made, files)
    return made.getvalue()


@pytest.mark.parametrize(
    "name, student",
    [
        ("Ada_7_assignsubmission_file_/hw.zip", "Ada"),
        ("ada_5_6_hw.zip", "ada"),
        ("7-3 - Ada - Jan 30, 2026 330 PM - hw.zip", "Ada"),
        ("Q_ada_attempt_2026-01-30-15-30-10_hw.zip", "ada"),
        ("ada/hw.zip", "ada"),
        ("ada.zip", "ada"),
    ],
)
def test_a_zip_that_a_student_handed_in_is_opened(zipped, monkeypatch, new_helper, name, student):
    monkeypatch.setattr(archives, "FILE_LIMIT", 2**20)
    inner = {
        "02_other/b.ipynb": b"other",
        f"{UNIT}/a.ipynb": b"mine",
        "../../evil.ipynb": b"x",
        "bomb.ipynb": b"\0" * 2**21,
        "__MACOSX/._a.ipynb": b"litter",
    }
    submissions, refused = zipped({name: packed(inner)}, others=["02_other"])
    (found,) = told(submissions).values()
    assert submissions[0].student == student and b"mine" in found[3] and b"x" not in found[3]
    assert submissions[0].notes == (f"The zip {name.split('/')[-1]} was opened.",)
    assert [sentence.partition("hw.zip/")[2] or sentence for sentence in refused][-2:] == [
        f"{'ada.zip: ada.zip/' if name == 'ada.zip' else ''}{sentence}"
        for sentence in (
            "../../evil.ipynb: a path that leads out of the folder",
            "bomb.ipynb: larger than 1 MB",
        )
    ]


def test_an_archive_with_too_many_files_is_refused_and_a_students_zip_is_not_listed(
    zipped, monkeypatch, new_helper
):
    monkeypatch.setattr(archives, "ENTRIES", 2)
    with pytest.raises(ValueError, match="3 files, but at most 2 are allowed"):
        zipped({f"{n}.ipynb": b"" for n in range(3)})
    listed = archives.members_of
    monkeypatch.setattr(
        archives, "members_of", lambda path: listed(path) if isinstance(path, Path) else 1 / 0
    )
    submissions, refused = zipped({"ada/hw.zip": packed({f"{n}.ipynb": b"" for n in range(3)})})
    assert refused == ["ada: hw.zip: contains more than 2 files"] and len(submissions) == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_in_a_zip_is_a_value_error(tmp_path, method):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("ada/a.ipynb", bytes(range(256)) * 9)
    data = bytearray(path.read_bytes())
    data[60:80] = b"x" * 20
    path.write_bytes(data)
    (submission,) = read_submissions(path, UNIT).submissions
    with pytest.raises(ValueError, match="ada/a.ipynb"):
        submission.load()


def test_a_zip_in_a_zip_of_a_student_stays_closed_and_a_broken_one_is_kept(zipped):
    twice = packed({"in.zip": packed({"a.ipynb": b"mine"})})
    submissions, _ = zipped({"ada/hw.zip": twice, "bob/hw.zip": b"PK\x03\x04 broken"})
    assert [list(from_bytes(s.load())[0]) for s in submissions] == [["in.zip"], ["hw.zip"]]


def test_a_plain_folder_and_a_folder_in_a_zip(zipped, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.ipynb").write_text("a")
    assert told(read_submissions(tmp_path / "in", UNIT)[0]) == {"ada": ("", "", False, [b"a"])}
    files = {"class/ada/a.ipynb": b"a", "class/bob/01_small.ipynb": b"b", "class/bob/other.ipynb": b"c"}
    zipped({**files, "classes/eve/a.ipynb": b"e"})
    submissions = read_submissions(tmp_path / "class.zip" / "class", UNIT)[0]
    assert told(submissions) == {"ada": ("", "", False, [b"a"]), "bob": ("", "", False, [b"c", b"b"])}
    with pytest.raises(ValueError, match="no submission of 01_small"):
        read_submissions(tmp_path / "class.zip" / "nowhere", UNIT)


def test_folders_of_other_assignments_are_not_looked_into(zipped):
    files = {"ada/01_small/a.ipynb": b"a", "ada/02_other/b.ipynb": b"", "bob/02_other/c.ipynb": b""}
    submissions, _ = zipped({**files, "eve/mine/d.ipynb": b"d"}, others=["02_other", UNIT])
    assert told(submissions) == {"ada": ("", "", False, [b"a"]), "eve": ("", "", False, [b"d"])}


def test_a_copy_in_a_folder_of_hers_does_not_replace_her_notebook(zipped):
    both = {"01_small.ipynb": b"mine", "old/01_small.ipynb": b"old"}
    files = both | {f"lessons/{number}.ipynb": b"lesson" for number in range(9)}
    (submission,), _ = zipped({f"ada/{name}": data for name, data in files.items()})
    assert from_bytes(submission.load())[0].items() >= both.items()


def test_what_could_do_harm_is_refused_by_name(zipped, monkeypatch):
    monkeypatch.setattr(archives, "FILE_LIMIT", 2**20)
    link = zipfile.ZipInfo("eve/link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    submissions, refused = zipped(
        {
            "../../evil.ipynb": b"x",
            "/etc/passwd": b"x",
            "C:/x.ipynb": b"x",
            link: b"/etc/passwd",
            "bomb/01.ipynb": b"\0" * 2**21,
            "ada/01.ipynb": b"fine",
        }
    )
    assert told(submissions) == {"ada": ("", "", False, [b"fine"])}
    assert refused == [
        "../../evil.ipynb: a path that leads out of the folder",
        "/etc/passwd: an absolute path",
        "C:/x.ipynb: an absolute path",
        "eve/link.ipynb: a link, not followed",
        "bomb/01.ipynb: larger than 1 MB",
    ]


def test_a_path_that_is_there_twice_and_control_characters_are_said(zipped):
    files = {
        "ada\\a.ipynb": b"first",
        "ada/a.ipynb": b"second",
        "../\x1b[2J\n.ipynb": b"",
        "\x1b]0;x\x07.pdf": b"",
    }
    submissions, refused = zipped(files)
    assert told(submissions) == {"ada": ("", "", False, [b"second"])}
    assert refused == [
        "ada/a.ipynb: this file occurs twice; the last one counts",
        "../\\x1b[2J\\n.ipynb: a path that leads out of the folder",
        "\\x1b]0;x\\x07.pdf: left out, because the archive was read as "
        "a folder or a notebook for each student",
    ]


def test_links_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.ipynb").write_text("secret")
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "01.ipynb").symlink_to(tmp_path / "outside" / "secret.ipynb")
    (tmp_path / "in" / "eve").symlink_to(tmp_path / "outside")
    submissions, refused, _ = read_submissions(tmp_path / "in", UNIT)
    assert submissions == []
    assert refused == ["ada/01.ipynb: a link, not followed", "eve: a link, not followed"]


def test_a_file_larger_than_its_archive_says_is_not_read(zipped, monkeypatch, new_helper):
    (submission,), _ = zipped({"ada/01.ipynb": b"\0" * 100})
    monkeypatch.setattr(archives, "FILE_LIMIT", 50)
    with pytest.raises(ValueError, match="ada/01.ipynb: larger than 0 MB"):
        submission.load()


@pytest.mark.parametrize(
    "name, identity", [("../x", "x"), ("a/b", "a-b"), ("o'neil@uni.edu", "o-neil@uni.edu"), ("<b>", "b")]
)
def test_an_id_may_be_the_name_of_a_folder_and_a_name_holds_no_markup(name, identity):
    assert student_id(name) == identity
    assert full_name("=HYPERLINK(<b>O'Neil, Zoë</b>)") == "HYPERLINKbO'Neil, Zoëb"


@pytest.mark.parametrize(
    "make, wrong",
    [
        (lambda p: None, "no such folder or zip file"),
        (lambda p: p.write_bytes(b"no zip"), "neither a folder nor a zip"),
        (lambda p: p.mkdir(), "no submission of 01_small"),
    ],
)
def test_what_holds_no_submission_is_refused(tmp_path, make, wrong):
    make(tmp_path / "class")
    with pytest.raises(ValueError, match=wrong):
        read_submissions(tmp_path / "class", UNIT)


def test_names_without_letters_are_different_students():
    names = ("🙂", "🎉", "🙂 Li", "🎉 Li")
    assert len({student_id(name) for name in names}) == len({full_name(name) for name in names}) == 4
    assert student_id("Zoë van Dam") == "Zoë-van-Dam"


@pytest.mark.parametrize("name", ["ada/01_small.zip", "ada/01_small.ipynb", "ada/01_small/01_small.ipynb"])
def test_a_zip_is_opened_whatever_it_is_called(zipped, name):
    inner = io.BytesIO()
    write(inner, {"01_small.ipynb": b"the notebook", "picture.png": b"a picture"})
    (submission,), _ = zipped({name: inner.getvalue(), "bob/01_small.ipynb": b"{}"}, form="folders")[0][:1], 0
    files, notes = from_bytes(submission.load())
    assert list(files.values()) == [b"the notebook"]
    assert any(note.startswith("The zip ") for note in notes)


def test_an_office_file_is_no_zip_of_answers(zipped):
    inner = io.BytesIO()
    write(inner, {"word/document.xml": b"<text/>"})
    (submission, _), _ = zipped({"ada/01_small.docx": inner.getvalue(), "bob/01_small.ipynb": b"{}"})
    assert list(from_bytes(submission.load())[0]) == ["01_small.docx"]
