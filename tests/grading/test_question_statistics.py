"""Statistics of exercises: against numbers worked out by hand or by SciPy, and blank where there are none."""

import nbformat
import numpy as np
import pytest
from scipy.stats import pearsonr

from minibert.grading.author.exercises import GradedExercise
from minibert.grading.notebook import from_source
from minibert.grading.report.class_summary import decisions, decisions_text, hardest, hints
from minibert.grading.report.question_statistics import (
    correlation,
    most_frequent_hint,
    question_lines,
    questions,
    time_lines,
    times,
    unwritten_line,
)
from minibert.grading.run.execute_notebook import execute
from minibert.grading.sandbox.limits import Policy

SOFTMAX_TESTS = ("softmax-visible", "softmax-hidden")
SOFTMAX = GradedExercise(1, "Softmax", "softmax", "softmax", SOFTMAX_TESTS, (2.0, 1.0))
HEADS = GradedExercise(2, "Heads", "heads", "split", ("heads-visible",), (2.0,))
WHY = GradedExercise(3, "Why?", "why", "", ("why",), (4.0,))
KNOWN = (SOFTMAX, HEADS, WHY)


def row(*points, status="graded"):
    return {"status": status, "cells": dict(zip((*SOFTMAX_TESTS, "heads-visible", "why"), points))}


def said(hints, seconds=None):
    cells = [
        {"name": name, "hint": hint, "points": 0, "manual": name == "why"} for name, hint in hints.items()
    ]
    return {"status": "graded", "cells": cells, "seconds": seconds or {}}


def test_difficulty_and_discrimination_are_those_of_the_definition():
    table = [row(2, 1, 2, 4), row(2, 0, 2, 3), row(0, 0, 0, 1), row(2, 1, 0, 0), row(0, 0, 2, 2)]
    one, two, why = questions("02_attention", KNOWN, table, {})
    assert (one.code, two.code, why.code) == ("02.1", "02.2", "02.3")
    assert one.mean_share == pytest.approx(8 / 15) and one.full_share == pytest.approx(2 / 5)
    softmax, heads, texts = np.array([[3, 2, 0, 3, 0], [2, 2, 0, 0, 2], [4, 3, 1, 0, 2]])
    for found, own in ((one, softmax), (two, heads), (why, texts)):
        others = softmax + heads + texts - own
        assert found.discrimination == pytest.approx(pearsonr(own, others).statistic)


def test_what_waits_or_is_missing_counts_neither_as_zero_nor_in_the_total():
    table = [
        row(2, 1, 2, None, status="waits"),
        row(0, 0, 0, 4),
        row(2, 0, 2, 2),
        row(0, 0, 2, 1),
        {"status": "missing", "cells": {}},
        {"status": "pending", "cells": {}},
        row(None, None, None, None, status="ungraded"),
    ]
    one, two, why = questions("02_attention", KNOWN, table, {})
    assert (one.students, two.students, why.students) == (4, 4, 3)
    assert why.mean_share == pytest.approx((4 + 2 + 1) / 12)
    assert one.discrimination == pytest.approx(pearsonr([3, 0, 2, 0], [2, 0, 2, 2]).statistic)
    assert why.discrimination == pytest.approx(pearsonr([4, 2, 1], [0, 4, 2]).statistic)


def test_a_text_has_no_difficulty_while_only_untouched_answers_have_their_points():
    table = [row(2, 1, 2, 0), row(0, 0, 0, None, status="waits"), row(2, 0, 2, None, status="waits")]
    one, _, why = questions("02_attention", KNOWN, table, {})
    assert (why.students, why.waiting, why.mean_share, why.full_share) == (0, 2, None, None)
    assert (one.students, one.waiting) == (3, 0)


@pytest.mark.parametrize(
    "pairs", [[], [(1, 2)], [(1, 2), (2, 3)], [(1, 1), (1, 2), (1, 3)], [(1, 5), (2, 5), (3, 5)]]
)
def test_a_correlation_that_is_not_defined_is_blank(pairs):
    assert correlation(pairs) is None


def test_a_class_of_nobody_has_blank_statistics():
    found = questions("02_attention", KNOWN, [], {})
    assert [line[4:8] for line in question_lines(found)[1:]] == [(0, "", "", "")] * 3


def test_a_hint_counts_once_for_a_student_and_ties_go_by_the_alphabet():
    results = {
        "ann": said({"softmax-visible": "Mind the axis.\nmore", "softmax-hidden": "Mind the axis."}),
        "bob": said({"softmax-visible": "It overflows.", "heads-visible": "Swap them."}),
    }
    assert most_frequent_hint(SOFTMAX, results) == ("It overflows.", 1)
    results["cyd"] = said({"softmax-hidden": "Mind the axis."})
    assert most_frequent_hint(SOFTMAX, results) == ("Mind the axis.", 2)
    assert most_frequent_hint(WHY, results) == ("", 0)


def test_missing_answers_are_counted_apart_from_hints_and_checks():
    nothing = "softmax: not written yet. Replace `raise NotImplementedError()` with your code."
    empty = {**dict.fromkeys(SOFTMAX_TESTS, nothing), "heads-visible": "not written yet", "why": ""}
    results = {name: said(empty) for name in ("ann", "bob", "cyd")}
    results["dan"] = said({**empty, "heads-visible": "Swap them.", "softmax-hidden": "Mind the axis."})
    results["eve"] = {**said(empty), "status": "needs a person"}
    found = questions("02_attention", KNOWN, [], results)
    assert [one.unwritten for one in found] == [4, 3, 4] and found[0].hint == "Mind the axis."
    assert unwritten_line(found, results) == (
        "Not written: 11 of 12 answers, and 3 of 4 notebooks have no answer at all; most often 02.1 softmax "
        "(4), 02.3 Why? (4), 02.2 split (3). Checks and hints are counted for the other answers."
    )
    assert hints(results).splitlines()[1:] == ["  1 x Mind the axis.", "  1 x Swap them."]
    assert unwritten_line(questions("02_attention", KNOWN, [], {}), {}) == ""


def test_of_an_answer_only_written_checks_are_among_the_hardest():
    results = {name: said({"heads-visible": "not written yet"}) for name in ("ann", "bob")}
    results["cyd"] = said({"heads-visible": "Swap them."})
    for result in results.values():
        result["cells"][0]["max_points"] = 2
    assert hardest(results) == "Hardest checks:\n  heads-visible: 1 of 1 fail"


def test_equal_decisions_about_files_are_one_line_with_the_students():
    renamed = "The file was called 02.ipynb; it was graded as 02_attention.ipynb."
    results = {f"s{n}": {**said({}), "decisions": [renamed]} for n in range(7)}
    assert decisions(results) == [("s0, s1, s2, s3, s4 and 2 more", renamed)]
    for n, result in enumerate(results.values()):
        result["decisions"] = [f"The zip {n}.zip was opened."] * 2 + [f"{n}"]
    lines = decisions_text(results).splitlines()
    assert lines[:2] == ["Decisions about files:", "  s0: The zip 0.zip was opened."]
    assert lines[-1] == "  and 2 more, in index.html" and len(lines) == 14
    assert decisions_text({"ann": said({})}) == ""


def test_times_are_summed_over_an_exercise_and_name_the_slowest():
    results = {
        "ann": said({}, {"softmax-visible": 1.0, "softmax-hidden": 0.5}),
        "bob": said({}, {"softmax-visible": 0.25, "heads-visible": 3}),
        "cyd": {"cells": []},
    }
    assert time_lines(times("02_attention", KNOWN, results))[1:] == [
        ["02.1", "Softmax", 2, "0.88", "1.50", "ann"],
        ["02.2", "Heads", 1, "3.00", "3.00", "bob"],
    ]


SOURCE = """# %% nb="solution slow"
import time
def slow(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

# %% nb="tests slow-visible 1"
slow(0.5)

# %% nb="tests slow-hidden 1"
slow(0)
"""


def test_the_processor_time_of_each_test_is_measured():
    notebook = from_source(SOURCE, "x.nb.py")
    seconds = dict(execute(nbformat.from_dict(notebook), Policy(sandbox="none")).seconds)
    assert set(seconds) == {"slow-visible", "slow-hidden"}
    assert 0.4 < seconds["slow-visible"] and seconds["slow-hidden"] < seconds["slow-visible"]
