"""The drawing that opens each lesson."""

import re

import pytest

from minibert.course.widgets.here import ROWS, here
from minibert.grading.notebook import SUFFIX

LESSONS = [*range(1, 11), 12, 13]
PARTS = [part for _, parts, _ in ROWS for part in parts]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_parts_of_the_lesson_are_lit_and_all_others_lead_to_theirs(lesson):
    drawn = here(lesson)._repr_html_()
    lit = [part.name for part in PARTS if part.lesson == lesson]
    assert re.findall("<b>(.+?)</b>", drawn) == lit and drawn.count("you are here") == len(lit) > 0
    others = [part.file for part in PARTS if part.lesson != lesson]
    assert re.findall(r'href="(.+?)\.ipynb"', drawn) == others == re.findall(r"\d\d_\w+", drawn)


def test_each_part_leads_to_a_lesson_that_opens_with_the_drawing(root):
    for part in PARTS:
        lesson = (root / "lessons" / f"{part.file}{SUFFIX}").read_text(encoding="utf-8")
        assert part.file.startswith(f"{part.lesson:02d}_") and f"\nhere({part.lesson})\n" in lesson
    assert {part.lesson for part in PARTS} == set(LESSONS)


@pytest.mark.parametrize("lesson", [0, 11, 14])
def test_there_is_no_drawing_of_another_lesson(lesson):
    with pytest.raises(
        ValueError, match=f"the drawing has no lesson {lesson}; its lessons are 1, 2, .*, 10, 12, 13"
    ):
        here(lesson)
