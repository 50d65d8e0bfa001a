"""Text files are written where the user's path leads: through links, into pipes, with the old permissions."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from minibert.readers.writing import check_file, write_text, writing

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has other links, pipes and permissions")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@POSIX
@pytest.mark.parametrize("target", ["real.tsv", "folder/real.tsv"])
@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path, target, exists):
    (tmp_path / "folder").mkdir()
    if exists:
        (tmp_path / target).write_text("old")
    link = tmp_path / "link.tsv"
    link.symlink_to(target)
    write_text(check_file(link), "new")
    assert link.is_symlink() and (tmp_path / target).read_text() == "new"
    assert names(tmp_path) == sorted({"folder", "link.tsv", target.split("/")[0]})


@POSIX
def test_a_pipe_gets_the_text_and_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_text()), daemon=True)
    reader.start()
    write_text(check_file(tmp_path / "pipe"), "answers")
    reader.join(20)
    assert got == ["answers"] and stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


@POSIX
def test_standard_output_can_be_named_as_a_file():
    code = (
        "from minibert.readers.writing import *; import os; write_text(check_file('/dev/stdout'), 'answers')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("answers", "") and Path("/dev/stdout").is_symlink()


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_new_version_keeps_the_permissions(tmp_path, mode):
    path = tmp_path / "grades.csv"
    path.write_text("old")
    path.chmod(mode)
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_text() == "new"


def test_of_two_processes_that_write_one_file_the_last_wins(tmp_path, monkeypatch):
    path, first = tmp_path / "answers.tsv", os.getpid()
    with writing(path) as one:
        one.write("of one process\n")
        one.flush()
        monkeypatch.setattr(os, "getpid", lambda: first + 1)
        write_text(path, "other\n")
        one.write("to the end\n")
    assert path.read_text() == "of one process\nto the end\n" and names(tmp_path) == ["answers.tsv"]


def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    path = tmp_path / "kept.tsv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda place, mode: False)  # root may write anything
    with pytest.raises(ValueError, match=r"kept\.tsv cannot be written to \(it is write-protected\)$"):
        check_file(path)
    (tmp_path / "astray").symlink_to("nowhere/x")
    with pytest.raises(ValueError, match=r"astray: there is no folder .*nowhere$"):
        check_file(tmp_path / "astray")
