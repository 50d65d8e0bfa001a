"""Submissions as learning systems export them: who, when, late or not, and what is refused."""
import stat
import zipfile
from datetime import datetime

import pytest

from minibert.grading.intake import archives
from minibert.grading.intake.submissions import from_bytes, full_name, read_submissions, student_id, to_bytes

UNIT = "01_small"


@pytest.fixture
def zipped(tmp_path):
    """zipped({name: bytes}) writes a zip and reads its submissions."""
    def make(files, assignment=UNIT):
        with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return read_submissions(tmp_path / "class.zip", assignment)
    return make


def told(submissions):
    return {s.student: (s.full_name, s.lms_id, s.late, list(from_bytes(s.load())[0].values()))
            for s in submissions}


def test_files_and_sentences_survive_packing():
    files = {"a.ipynb": b"\n{}\n", "b": b""}
    assert from_bytes(to_bytes(files, ["One."])) == (files, ("One.",))


def test_moodle_says_name_and_number(zipped):
    submissions, refused = zipped({
        "Zoë van Dam_123_assignsubmission_file_/01_small.ipynb": b"z",
        "Zoë van Dam_123_assignsubmission_onlinetext_/onlinetext.html": b"<p>see file</p>",
        "Ada Lovelace_7_assignsubmission_file_/mine.ipynb": b"a",
        "Ada Lovelace_9_assignsubmission_file_/mine.ipynb": b"b",
        "Bob_8_assignsubmission_onlinetext_/onlinetext.html": b"<p>def</p>",
        "Flat Form_11_assignsubmission_file_01_small.ipynb": b"f",
        "__MACOSX/._01_small.ipynb": b"litter"})
    assert refused == [] and told(submissions) == {
        "Ada-Lovelace-7": ("Ada Lovelace", "7", False, [b"a"]),
        "Ada-Lovelace-9": ("Ada Lovelace", "9", False, [b"b"]),
        "Bob": ("Bob", "8", False, [b"<p>def</p>"]), "Flat-Form": ("Flat Form", "11", False, [b"f"]),
        "Zoë-van-Dam": ("Zoë van Dam", "123", False, [b"z"])}
    assert submissions[-1].notes == ("Only the notebook is graded; not used: onlinetext.html.",)


def test_canvas_says_who_is_late_and_which_is_the_newest(zipped):
    submissions, _ = zipped({
        "lovelaceada_LATE_12345_678912_01_small-1.ipynb": b"new",
        "lovelaceada_12345_678910_01_small.ipynb": b"old",
        "vandamzoe_12346_678911_01_small.ipynb": b"z", "vandamzoe_12346_678913_helper.py": b"x = 1"})
    assert told(submissions) == {"lovelaceada": ("lovelaceada", "12345", True, [b"new"]),
                                 "vandamzoe": ("vandamzoe", "12346", False, [b"z"])}
    assert submissions[0].notes == ("The exercise was handed in more than once; the newest counts.",)
    assert submissions[1].notes == ("Only the notebook is graded; not used: helper.py.",)


def test_blackboard_says_the_time_and_the_last_attempt_counts(zipped):
    submission, = zipped({"Quiz_ada_attempt_2026-01-30-15-30-10_a.ipynb": b"old",
                          "Quiz_ada_attempt_2026-02-01-08-00-00_b.ipynb": b"new"})[0]
    assert submission.student == "ada" and submission.timestamp == datetime(2026, 2, 1, 8)
    assert from_bytes(submission.load()) == ({"b.ipynb": b"new"},
                                         ("The exercise was handed in more than once; the newest counts.",))


def test_a_folder_of_nbgrader_has_other_assignments_and_times(tmp_path):
    for student in ("ada", "bob"):
        for unit in (UNIT, "02_other"):
            (tmp_path / student / unit).mkdir(parents=True)
            (tmp_path / student / unit / f"{unit}.ipynb").write_text(student)
    (tmp_path / "ada" / UNIT / "timestamp.txt").write_text("2026-02-01 09:00:00.000000 UTC")
    (tmp_path / "bob" / UNIT / "timestamp.txt").write_text("soon")
    submissions, _ = read_submissions(tmp_path, UNIT)
    assert told(submissions) == {"ada": ("", "", False, [b"ada"]), "bob": ("", "", False, [b"bob"])}
    assert [s.timestamp for s in submissions] == [datetime(2026, 2, 1, 9), None]


def test_a_plain_folder_and_a_zip_with_a_folder_around_it(zipped, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.ipynb").write_text("a")
    assert told(read_submissions(tmp_path / "in", UNIT)[0]) == {"ada": ("", "", False, [b"a"])}
    submissions, _ = zipped({"class/ada/a.ipynb": b"a", "class/bob/01_small.ipynb": b"b",
                             "class/bob/other.ipynb": b"c"})
    assert told(submissions) == {"ada": ("", "", False, [b"a"]), "bob": ("", "", False, [b"b", b"c"])}


def test_what_could_do_harm_is_refused_by_name(zipped, monkeypatch):
    monkeypatch.setattr(archives, "FILE_LIMIT", 2**20)
    link = zipfile.ZipInfo("eve/link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    submissions, refused = zipped({"../../evil.ipynb": b"x", "/etc/passwd": b"x", "C:/x.ipynb": b"x",
                                   link: b"/etc/passwd",
                                   "bomb/01.ipynb": b"\0" * 2**21, "ada/01.ipynb": b"fine"})
    assert told(submissions) == {"ada": ("", "", False, [b"fine"])}
    assert refused == ["../../evil.ipynb: a path that leaves the folder", "/etc/passwd: an absolute path",
                       "C:/x.ipynb: an absolute path", "eve/link.ipynb: a link, not followed",
                       "bomb/01.ipynb: larger than 1 MB"]


def test_links_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.ipynb").write_text("secret")
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "01.ipynb").symlink_to(tmp_path / "outside" / "secret.ipynb")
    (tmp_path / "in" / "eve").symlink_to(tmp_path / "outside")
    submissions, refused = read_submissions(tmp_path / "in", UNIT)
    assert submissions == [] and refused == ["ada/01.ipynb: a link, not followed",
                                             "eve: a link, not followed"]


def test_a_file_larger_than_its_archive_says_is_not_read(zipped, monkeypatch):
    (submission,), _ = zipped({"ada/01.ipynb": b"\0" * 100})
    monkeypatch.setattr(archives, "FILE_LIMIT", 50)
    with pytest.raises(ValueError, match="ada/01.ipynb: larger than 0 MB"):
        submission.load()


@pytest.mark.parametrize("name, identity", [
    ("Zoë van Dam", "Zoë-van-Dam"), ("../x", "x"), ("a/b", "a-b"), ("o'neil@uni.edu", "o-neil@uni.edu"),
    ("<b>", "b"),
    ("", "unnamed")])
def test_an_id_may_be_the_name_of_a_folder(name, identity):
    assert student_id(name) == identity


def test_a_name_holds_no_markup_and_no_formula():
    assert full_name("=HYPERLINK(<b>O'Neil, Zoë</b>)") == "HYPERLINKbO'Neil, Zoëb"


@pytest.mark.parametrize("make, wrong", [
    (lambda p: None, "there is no such folder or zip"),
    (lambda p: p.write_bytes(b"no zip"), "neither a folder nor a zip"),
    (lambda p: p.mkdir(), "no submission of 01_small")])
def test_what_holds_no_submission_is_refused(tmp_path, make, wrong):
    make(tmp_path / "class")
    with pytest.raises(ValueError, match=wrong):
        read_submissions(tmp_path / "class", UNIT)


def test_an_archive_with_too_many_files_is_refused(zipped, monkeypatch):
    monkeypatch.setattr(archives, "ENTRIES", 1)
    with pytest.raises(ValueError, match="2 files; a class has at most 1"):
        zipped({"a/1.ipynb": b"", "b/1.ipynb": b""})
