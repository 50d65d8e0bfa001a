"""The display of progress while a class is graded, in a log and in a terminal."""

import sys

import pytest

from minibert.grading.class_run.progress import LINES, Progress


def show(known, new, total):
    with Progress(total) as progress:
        for status in known:
            progress.add(status)
        progress.start()
        for status, count in new:
            progress.add(status, count)


def test_a_log_gets_a_line_for_each_result_without_carriage_returns(capsys):
    show(["graded"], [("graded", 1), ("needs a person", 1), ("graded", 2)], 5)
    said = capsys.readouterr().err
    assert said.splitlines() == [
        "1 of 5 graded",
        "2 of 5 graded",
        "2 of 5 graded, 1 needs a person",
        "4 of 5 graded, 1 needs a person",
    ]
    assert "\r" not in said


@pytest.mark.parametrize("total", [LINES + 1, 1000])
def test_a_large_class_gets_no_more_lines_than_a_page(capsys, total):
    show([], [("graded", 1)] * total, total)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= LINES + 1
    assert (lines[0], lines[-1]) == (f"0 of {total} graded", f"{total} of {total} graded")


def test_a_terminal_gets_a_bar_and_no_lines(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show(["graded"], [("graded", 1), ("ungraded", 1)], 3)
    said = capsys.readouterr().err
    assert "3/3" in said and "need a person=1" in said and "of 3 graded" not in said
