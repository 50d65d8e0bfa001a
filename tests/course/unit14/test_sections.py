"""The sections of the course, their passages, and the questions about them."""

import json

import numpy as np

from minibert.course.unit14.experiments.course_search import measures, questions, ranks, scores_of
from minibert.course.unit14.sections import PASSAGE, CourseSearch, Section, passages, sections


def notebook(folder, name, *cells):
    made = [{"cell_type": kind, "source": text.splitlines(True)} for kind, text in cells]
    (folder / name).write_text(json.dumps({"cells": made}), encoding="utf-8")


def test_sections_are_the_numbered_headings_with_their_text_alone(tmp_path):
    notebook(
        tmp_path, "02_name.ipynb",
        ("markdown", "# 2 · Title\n\nIntroduction."), ("code", "## 9 · no heading"),
        ("markdown", "## 1 · First *part*\n\nSome [text](https://a.org) with `code`."),
        ("markdown", "```python\n## 7 · x\n```"),
        ("code", "x = 1"), ("markdown", "More <b>text</b>."), ("markdown", "## In short\n\nA summary."),
        ("markdown", "## 2 · Second\n\nThe end.\n\n### Inside\n\nMore."),
        ("markdown", "## Going further\n\nNot here.\n\n### A · Third\n\nFurther."),
    )  # fmt: skip
    notebook(tmp_path, "02_in_class.ipynb", ("markdown", "## 1 · Other\n\nText."))
    found = sections(tmp_path)
    assert {one.lesson for one in found} == {"02_name"}
    assert [(one.title, one.text) for one in found] == [
        ("First *part*", "Some text with code . More text ."),
        ("Second", "The end. Inside More."),
        ("Third", "Further."),
    ]


def test_passages_contain_each_word_once_and_begin_with_the_title():
    words = [f"w{i}" for i in range(2 * PASSAGE + 5)]
    found = passages(Section("02_name", "Title", " ".join(words)))
    assert len(found) == 3 and all(one.startswith("Title. ") for one in found)
    assert " ".join(one.removeprefix("Title. ") for one in found).split() == words


def test_a_section_is_as_good_as_its_best_passage():
    long = " ".join(["filler"] * PASSAGE + ["needle"])
    search = CourseSearch(
        [Section("a", "A", "nothing here"), Section("b", "B", long), Section("c", "C", "also")]
    )
    assert search.ask("needle", 1)[0][0].title == "B"
    assert search.scores("needle")[[0, 2]].tolist() == [0, 0]


def test_every_question_has_one_to_three_sections_that_exist():
    asked, found = questions(), {(one.lesson, one.title) for one in sections()}
    assert len(asked) == 60 and all(question.endswith("?") for question in asked)
    assert not {name for right in asked.values() for name in right} - found
    assert all(1 <= len(right) <= 3 for right in asked.values())


def test_ranks_count_from_one_and_ties_as_wrong():
    found = [Section("x", title, "text") for title in "abcd"]
    asked = {"q": {("x", "b"), ("x", "d")}, "r": {("x", "a")}}
    scores = {"q": np.array([3.0, 2.0, 1.0, 0.0]), "r": np.array([1.0, 1.0, 1.0, 0.0])}
    assert ranks(scores.__getitem__, asked, found).tolist() == [2, 3]


def test_the_measures_are_those_of_the_ranks_with_an_interval_around_them():
    found = measures(np.array([1, 2, 4, 10] * 10), np.random.default_rng(0))
    assert found["hit@1"][0] == 25 and found["hit@3"][0] == 50
    assert found["MRR"][0] == round((1 + 1 / 2 + 1 / 4 + 1 / 10) / 4, 3)
    assert all(low < value < high for value, low, high in found.values())


def test_words_alone_find_a_section_far_more_often_than_chance():
    found, asked = sections(), questions()
    rank = ranks(scores_of("BM25", found, ()), asked, found)
    assert (rank <= 3).mean() > 0.3 > 10 * 3 / len(found)
