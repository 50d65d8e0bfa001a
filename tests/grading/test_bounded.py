"""Files from students are read within limits: whatever one of them does, the grader and the others go on."""

import io
import json
import os
import signal
import time
import zipfile

import nbformat
import pytest
from no_kernel import feedback, quick

from minibert.grading import bounded
from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.bounded import MB, LimitError, Limits, within
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.intake.submissions import read_submissions
from minibert.grading.notebook import fill, text
from minibert.grading.report import answer_html, feedback_page
from minibert.grading.run.kernel_outputs import OutputBudget, Outputs
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
POLICY = Policy(sandbox="none")


def endless():
    while True:
        pass


def endless_sleep():
    while True:
        time.sleep(9)


def large(size):
    return bytes(size)


def deep(level=0):
    return deep(level + 1)


def wrong():
    raise KeyError("x")


def crash():
    os.kill(os.getpid(), signal.SIGUSR1)


@pytest.mark.parametrize(
    "function, args, said",
    [
        (endless, (), "it takes more than 1 s"),
        (endless_sleep, (), "it takes more than 1 s"),
        (large, (4000 * MB,), "it needs more than 3000 MB of memory"),
        (large, (9 * MB,), "it makes more than 8 MB"),
        (deep, (), "it is nested too deeply"),
        (wrong, (), "KeyError: 'x'"),
        (crash, (), r"it crashed \(-10\)"),
    ],
)
def test_a_call_that_breaks_a_limit_fails_alone(function, args, said, monkeypatch, new_helper):
    monkeypatch.setattr(bounded, "CLOCK", 2)
    with pytest.raises(LimitError, match=said):
        within(Limits(1, 3000 * MB, 8 * MB), function, *args)
    assert bounded.bounded(len, b"abc") == 3


def test_a_helper_that_ended_is_replaced(new_helper):
    reader = bounded.bounded(os.getpid)
    helper = bounded.bounded(os.getppid)
    os.kill(helper, signal.SIGKILL)
    os.waitpid(helper, 0)
    os.kill(reader, signal.SIGKILL)
    with pytest.raises(LimitError, match="the process that reads it ended"):
        bounded.bounded(os.getpid)
    assert bounded.bounded(os.getpid) != reader


@pytest.fixture(scope="module")
def bundle(built_course):
    return bytes(make_bundle(built_course, UNIT))


@pytest.fixture
def graded(bundle, exercise, right):
    """graded(answers) -> the result of a notebook with right answers, but for these."""

    def grade(data=None, **answers):
        data = data or text(fill(exercise, {**right, **answers})).encode()
        with quick(POLICY) as execute:
            return json.loads(grade_submission(bundle, to_bytes({f"{UNIT}.ipynb": data}), POLICY, execute))

    return grade


@pytest.mark.parametrize(
    "source",
    [
        "x = " + " + ".join(["'a'"] * 900),
        "x = " + "+".join(["1"] * 2_500),
        "x = " + "+".join(["f'{a}b'"] * 900),
    ],
)
def test_long_sums_are_read_like_any_code(graded, source):
    assert graded(square=f"def square(x):\n    return x * x\n{source}")["status"] == "graded"


def test_a_file_that_exceeds_a_limit_needs_a_person_and_is_not_read_again(graded, monkeypatch):
    monkeypatch.setattr(bounded.Limits.__new__, "__defaults__", (15, 600 * MB, 512 * MB))
    result = graded(b'{"cells": [' + b"[]," * 6_000_000 + b"[]]}")
    assert (result["status"], result["again"]) == ("needs a person", False)
    assert "it needs more than 600 MB of memory" in result["reason"] and "of memory" in feedback(result)


def test_json_nested_in_a_message_of_a_kernel_is_dropped():
    nested = []
    for _ in range(900):
        nested = [nested]
    outputs = Outputs(OutputBudget(1000, 10))
    data = {"application/json": nested, "text/plain": "x", "text/html": nested}
    outputs.add({"msg_type": "display_data", "content": {"data": data}})
    assert outputs.list == [nbformat.v4.new_output("display_data", data={"text/plain": "x"})]


def test_text_that_is_slow_to_render_is_shown_as_written_and_rendered_once(
    graded, monkeypatch, new_helper, tmp_path
):
    monkeypatch.setattr(feedback_page, "LIMITS", Limits(seconds=1))
    monkeypatch.setattr(answer_html, "LIMITS", Limits(seconds=1))
    monkeypatch.setattr(answer_html, "html_of_markdown", slow_html)
    monkeypatch.setattr(feedback_page, "html_of_markdown", slow_html)
    assert answer_html.bounded_html("a <b>") == "<pre>a &lt;b&gt;</pre>"
    result = graded(why="It *is* so.")
    shown = feedback(result)
    assert "<pre>It *is* so.</pre>" in shown and "6 of 10 points" in shown
    notebook = nbformat.reads(result["notebook"], as_version=4)
    inputs = (notebook, {cell["name"]: cell for cell in result["cells"]}, UNIT, {}, 0.0)
    path = tmp_path / "page.html"
    path.write_text(feedback_page.kept_page(path, *inputs))
    began = time.monotonic()
    assert feedback_page.kept_page(path, *inputs) == path.read_text() and time.monotonic() - began < 0.9
    monkeypatch.setattr(feedback_page, "page", lambda *inputs: "another page")
    assert feedback_page.kept_page(path, *inputs[:-1], 1.0).startswith("another page")


def slow_html(text):
    endless()


def damaged(method):
    """A zip of three students whose second file is damaged, or has an unknown compression method."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("ada", "bob", "eve"):
            archive.writestr(f"{name}/{UNIT}.ipynb", json.dumps({"cells": [name] * 1000}))
    data = bytearray(made.getvalue())
    begin = data.index(b"bob/")
    if method == "data":
        data[begin + 40 : begin + 44] = b"\xff\xff\xff\xff"
    else:
        for signature, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            start = [at for at in range(len(data)) if data.startswith(signature, at)][1]
            data[start + place] = 99
    return bytes(data)


@pytest.mark.parametrize("method", ["data", "unknown"])
def test_a_damaged_file_in_a_zip_is_that_students_alone(tmp_path, method):
    path = tmp_path / "class.zip"
    path.write_bytes(damaged(method))
    ada, bob, eve = read_submissions(path, UNIT).submissions
    assert ada.load() and eve.load()
    with pytest.raises(LimitError, match="bob"):
        bob.load()


@pytest.mark.parametrize("inner", [b"\x00" * 30, b"PK\x05\x06" + b"\xff" * 18, damaged("unknown")])
def test_a_damaged_zip_from_a_student_stops_no_other(tmp_path, inner):
    for name, data in (("ada", b"{}"), ("eve", b"{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{UNIT}.ipynb").write_bytes(data)
    version = bytearray(inner)
    start = version.find(b"PK\x01\x02")
    if start >= 0:
        version[start + 6] = 250  # "version needed to extract", which zipfile refuses for the whole archive
    (tmp_path / "eve" / "more.zip").write_bytes(bytes(version))
    assert [one.student for one in read_submissions(tmp_path, UNIT).submissions] == ["ada", "eve"]
