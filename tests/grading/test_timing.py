"""Measured times go into the headers; a notebook that fails, takes too long or has no time there is named."""

import pytest
from nbformat.v4 import new_output

from minibert.cli.main import main
from minibert.grading.author import timing
from minibert.grading.author.timing import time_notebooks

UNIT = "01_small"
SOURCES = (f"lessons/{UNIT}.nb.py", f"solutions/{UNIT}/{UNIT}.nb.py")


@pytest.fixture
def headed(course):
    """The course with a time in each header, one of them broken over two lines."""
    headers = (
        "It runs in 3\n# minutes on two cores; you need longer.",
        "It runs in 7 seconds on two\n# cores.",
    )
    for source, said in zip(SOURCES, headers):
        path = course / source
        path.write_text(path.read_text().replace("# %% [markdown]", f"# %% [markdown]\n# {said}\n#", 1))
    return course


@pytest.fixture
def clock(monkeypatch):
    """clock(seconds...) makes each notebook in turn take that long."""

    def take(*seconds):
        ticks = iter([tick for each in seconds for tick in (0.0, each)])
        monkeypatch.setattr(timing.time, "monotonic", lambda: next(ticks))

    return take


def passes(notebook, folder):
    pass


def fails(notebook, folder):
    notebook.cells[-1].cell_type = "code"
    notebook.cells[-1].outputs = [new_output("error", ename="ValueError", evalue="no", traceback=[])]


def test_the_time_is_written_where_the_header_says_it(headed, clock):
    clock(41, 8.2)
    assert time_notebooks(headed, execute=passes) == []
    lesson, solution = ((headed / source).read_text() for source in SOURCES)
    assert "It runs in 45 seconds on two cores; you need longer." in lesson
    assert "It runs in 9 seconds on two\n# cores." in solution


@pytest.mark.parametrize(
    "lesson, solution, problem",
    [
        (269, 0, ""),
        (271, 0, f"{SOURCES[0]}: takes 271 seconds; the limit is 180"),
        (0, 89, ""),
        (0, 91, f"{SOURCES[1]}: takes 91 seconds; the limit is 60"),
    ],
)
def test_half_more_than_allowed_is_too_long(headed, clock, lesson, solution, problem):
    clock(lesson, solution)
    assert time_notebooks(headed, execute=passes) == [problem] * bool(problem)
    assert ("runs in 3\n# minutes" in (headed / SOURCES[0]).read_text()) == (lesson == 271)


def test_all_lessons_together_have_a_limit(headed, clock, monkeypatch):
    monkeypatch.setattr(timing, "TOGETHER", 100)
    clock(151, 0)
    assert time_notebooks(headed, execute=passes) == ["lessons: together they take 3 minutes; the limit is 2"]


def test_a_cell_that_fails_and_a_header_without_its_time_are_named(course):
    assert all("ValueError: no" in problem for problem in time_notebooks(course, execute=fails))
    assert [problem.partition(": ")[2] for problem in time_notebooks(course, execute=passes)] == [
        "must say `runs in ... on two cores` once, but says it 0 times"
    ] * 2


def test_checking_and_timing_exclude_each_other(capsys):
    assert main(["build", "--check", "--time"]) == 2
    assert "give only one of them" in capsys.readouterr().err
