"""The map that opens each lesson."""

import re

import pytest

from minibert.course.widgets.here import PARTS, here
from minibert.grading.notebook import SUFFIX


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.file)
def test_the_lesson_is_marked_and_all_others_are_linked(part):
    drawn = here(part.lesson)._repr_html_()
    assert re.findall(r'aria-current="page".*?>(\d+)', drawn) == [str(part.lesson)]
    assert re.findall(r'href="(.+?)\.ipynb"', drawn) == [other.file for other in PARTS if other != part]


def test_the_map_has_every_lesson_and_each_opens_with_it(root):
    lessons = sorted(path.name.removesuffix(SUFFIX) for path in (root / "lessons").glob(f"*{SUFFIX}"))
    assert [part.file for part in PARTS] == [name for name in lessons if not name.endswith("in_class")]
    for part in PARTS:
        lesson = (root / "lessons" / f"{part.file}{SUFFIX}").read_text(encoding="utf-8")
        assert f"\nhere({part.lesson})\n" in lesson


@pytest.mark.parametrize("lesson", [0, 99])
def test_there_is_no_other_lesson(lesson):
    with pytest.raises(ValueError, match=f"the map has no lesson {lesson}; its lessons are 1, 2, "):
        here(lesson)
