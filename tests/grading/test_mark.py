"""Text answers are marked: equal ones together, by a rubric, in the gradebook at once, by nobody else."""

import http.client
import json
import shutil
import threading
from pathlib import Path

import no_kernel
import pytest
from patience import HANG

from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.class_run.mark import BODY_LIMIT, Marking, serve
from minibert.grading.report.gradebook import open_course, open_gradebook
from minibert.grading.report.text_answers import key_of, points_of, rubric_of
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
ANSWERS = {
    "ann": "Both  are the SAME sum.",
    "bob": "both are the same\nsum. ",
    "cyd": "By $\\frac{a}{b}$ <b>x</b>",
    "dan": "*Your answer here.*",
}
RUBRIC = [
    {"points": 3, "comment": "The same sum."},
    {"points": 2.5, "comment": "A reason."},
    {"points": -1, "comment": ""},
]


@pytest.fixture(scope="module")
def graded(built_course, empty_gradebook, submit, tmp_path_factory):
    """A graded course with four answers, one of them untouched, and a PDF; not to be changed."""
    course = Path(shutil.copytree(built_course, tmp_path_factory.mktemp("graded") / "repository"))
    shutil.copy(empty_gradebook, course)
    for student, why in ANSWERS.items():
        submit(course, student, why=why)
    submit(course, "eve", b"%PDF")
    with pytest.MonkeyPatch.context() as patched:
        no_kernel.in_one_process(patched)
        grade_class(course, UNIT, Policy(sandbox="none"), executor=no_kernel.quick)
    return course


@pytest.fixture
def course(graded, tmp_path):
    """A copy of the graded course that a test may change."""
    return Path(shutil.copytree(graded, tmp_path / "repository"))


@pytest.fixture
def marking(course):
    return Marking(course, "01")


def marks(course):
    with open_gradebook(open_course(course)) as book:
        return {
            student: (
                book.find_grade("why", UNIT, UNIT, student).manual_score,
                book.find_comment("why", UNIT, UNIT, student).manual_comment,
            )
            for student in ANSWERS
        }


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("A b", " a\n\tB ", True),
        ("Straße", "STRASSE", True),
        ("a\u2060b", "ab", True),
        ("", " \n", True),
        ("Same.", "same", True),
        ("ab", "a b", False),
        ("a", "a?", False),
        ("x_1", "x_2", False),
    ],
)
def test_answers_are_equal_but_for_white_space_case_and_a_full_stop(one, other, equal):
    assert (key_of(one) == key_of(other)) == equal


def test_equal_answers_are_together_and_untouched_ones_left_out(marking):
    shown = marking.question("why")
    assert [answer["students"] for answer in shown["answers"]] == [["ann", "bob"], ["cyd"]]
    assert "<mfrac>" in shown["answers"][1]["html"] and "<b>" not in shown["answers"][1]["html"]
    assert shown["max_points"] == 4 and shown["rubric"] == []


def test_a_mark_is_in_the_gradebook_at_once_for_all_who_gave_the_answer(course, marking):
    marking.set_rubric("why", RUBRIC)
    marking.set_mark("why", key_of(ANSWERS["ann"]), {"lines": [1], "comment": "Nearly."})
    assert list(marks(course).values()) == [(2.5, "A reason.\nNearly.")] * 2 + [(None, None)] * 2
    assert Marking(course, UNIT).question("why")["answers"][0]["points"] == 2.5  # after a restart, too
    marking.finish(course)
    page = (course / "feedback" / "ann" / UNIT / f"{UNIT}.html").read_text()
    assert "8.5 of 10 points" in page and "A reason." in page
    assert ",8.5," in (course / "grades" / UNIT / "grades.csv").read_text("utf-8-sig")


def test_what_could_not_be_read_holds_no_answer_and_stays_so_when_all_others_are_marked(course, marking):
    marking.set_rubric("why", RUBRIC)
    for answer in marking.question("why")["answers"]:
        marking.set_mark("why", answer["key"], {"lines": [0], "comment": ""})
    with open_gradebook(open_course(course)) as book:
        book.find_grade("why", UNIT, UNIT, "eve").manual_score = 1  # in formgrader, say
        book.db.commit()
    marking.finish(course)
    said = (course / "grades" / UNIT / "summary.txt").read_text()
    assert "5 submissions: 4 graded, 1 needs a person;" in said and "to be marked" not in said
    assert (
        "Final points, out of 10:" in said and "9.0 to  10.0     3" in said and "mean 8.2, median 9" in said
    )
    rows = (course / "grades" / UNIT / "grades.csv").read_text("utf-8-sig").splitlines()
    assert [row.split(",")[5] for row in rows[1:]] == ["graded"] * 4 + ["ungraded"]
    questions = (course / "grades" / UNIT / "questions.csv").read_text("utf-8-sig").splitlines()
    assert questions[3].startswith("01.3,why,,4,4,")


def test_the_model_answer_is_shown_here_and_to_no_student(course, marking):
    assert "Because x + x is 2 * x." in marking.question("why")["model"]
    marking.finish(course)
    pages = list((course / "feedback").rglob("*.html"))
    assert len(pages) == 5 and not [page for page in pages if "Because x + x" in page.read_text()]


def test_a_rubric_begins_from_the_mark_scheme():
    model = (
        "By the spread, 3 points: no.\n\n**Mark scheme.** 1 point: it grows like sqrt(K) (or: K), and\n"
        'the division undoes it. 0.5\npoints: it saturates. "Too large" alone: half a point.'
    )
    assert rubric_of(model, 2) == [
        {"points": 1, "comment": "it grows like sqrt(K) (or: K), and the division undoes it."},
        {"points": 0.5, "comment": "it saturates."},
    ]
    assert rubric_of("No scheme. 1 point: no.", 2) == []


def test_a_changed_rubric_changes_the_points_of_all_marked_answers(course, marking):
    marking.set_rubric("why", RUBRIC)
    for student in ("ann", "cyd"):
        marking.set_mark("why", key_of(ANSWERS[student]), {"lines": [1, 2], "comment": ""})
    assert [found[0] for found in marks(course).values()] == [1.5, 1.5, 1.5, None]
    marking.set_rubric("why", [RUBRIC[0], {"points": 4, "comment": "Good."}, RUBRIC[2]])
    assert list(marks(course).values())[:3] == [(3, "Good.")] * 3
    with pytest.raises(ValueError, match="line 3 of the rubric is in use"):
        marking.set_rubric("why", RUBRIC[:2])


def test_a_mark_taken_back_waits_again(course, marking):
    marking.set_rubric("why", RUBRIC)
    for lines in ([0], []):
        marking.set_mark("why", key_of(ANSWERS["cyd"]), {"lines": lines, "comment": ""})
    with open_gradebook(open_course(course)) as book:
        grade = book.find_grade("why", UNIT, UNIT, "cyd")
        assert grade.manual_score is None and grade.needs_manual_grade


def test_a_zero_is_a_mark_and_not_an_open_answer(course, marking):
    marking.set_rubric("why", RUBRIC)
    marking.set_mark("why", key_of(ANSWERS["cyd"]), {"lines": [], "zero": True, "comment": "Off the point."})
    with open_gradebook(open_course(course)) as book:
        grade = book.find_grade("why", UNIT, UNIT, "cyd")
        assert grade.manual_score == 0 and not grade.needs_manual_grade
    with pytest.raises(ValueError, match="lines of the rubric or a zero"):
        marking.set_mark("why", key_of(ANSWERS["cyd"]), {"lines": [0], "zero": True, "comment": ""})


@pytest.mark.parametrize(("lines", "points"), [([0], 3), ([0, 1], 4), ([2], 0), ([1, 2], 1.5), ([], None)])
def test_points_lie_between_none_and_all(lines, points):
    assert points_of({"lines": lines}, RUBRIC, 4) == points


@pytest.mark.parametrize(
    "lines",
    [
        *[None, "x", [{}], [3], [{"points": 1, "comment": 3}], [{"points": 1, "comment": "x" * 2001}]],
        *[[{"points": points}] for points in (5, "1", float("nan"), True)],
        [{"points": 1}] * 10,
    ],
)
def test_a_rubric_that_is_none_is_refused_and_nothing_changes(marking, lines):
    marking.set_rubric("why", RUBRIC)
    with pytest.raises(ValueError, match="the points of a line|at most"):
        marking.set_rubric("why", lines)
    assert marking.question("why")["rubric"] == RUBRIC


@pytest.mark.parametrize(
    "mark",
    [{}, {"lines": 0}, {"lines": [0], "comment": None}, *[{"lines": [line]} for line in (3, -1, True, "0")]],
)
def test_a_mark_that_is_none_is_refused(course, marking, mark):
    marking.set_rubric("why", RUBRIC)
    with pytest.raises(ValueError, match="the rubric has lines 0 to 2|a comment must be a text"):
        marking.set_mark("why", key_of(ANSWERS["cyd"]), mark)
    assert marks(course)["cyd"] == (None, None)


def test_what_is_not_there_is_refused_by_name(course, marking):
    with pytest.raises(ValueError, match="'square' is not a question; choose one of why"):
        marking.question("square")
    with pytest.raises(ValueError, match="there is no answer 'x'"):
        marking.set_mark("why", "x", {"lines": []})
    (course / "grades" / UNIT / "marks.json").write_text("{")
    with pytest.raises(ValueError, match="marks.json: cannot be read"):
        Marking(course, UNIT)


@pytest.fixture
def served(marking):
    """(server, address) of the marking page."""
    server, address = serve(marking)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server, address
    server.shutdown()
    server.server_close()


@pytest.fixture
def ask(served):
    """ask(method, path, body, **headers) -> (status, headers, text); {token} in the path is the right one."""
    server, address = served
    token = address.split("/")[3]

    def send(method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=HANG)
        headers = {"Content-Type": "application/json", **headers}
        connection.request(method, path.format(token=token), body, headers)
        reply = connection.getresponse()
        found = reply.status, reply.headers, reply.read().decode()
        connection.close()
        return found

    return send


def test_the_page_and_a_mark_over_http(course, ask):
    status, headers, page = ask("GET", "/{token}/")
    nonce = headers["Content-Security-Policy"].split("nonce-")[1].split("'")[0]
    assert status == 200 and f'<script nonce="{nonce}">' in page and headers["X-Frame-Options"] == "DENY"
    assert ask("POST", "/{token}/question/why", json.dumps({"rubric": RUBRIC}))[0] == 200
    mark = json.dumps({"key": key_of(ANSWERS["cyd"]), "lines": [0], "comment": ""})
    status, _, found = ask("POST", "/{token}/question/why", mark)
    assert status == 200 and json.loads(found)["answers"][1]["points"] == 3
    assert marks(course)["cyd"] == (3, "The same sum.")


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 403),
        ("GET", "/wrong/", {}, 403),
        ("GET", "/{token}x/question/why", {}, 403),
        ("POST", "/x/question/why", {}, 403),
        ("GET", "/{token}/", {"Host": "evil.example"}, 403),
        ("GET", "/{token}/", {"Host": "127.0.0.1:1"}, 403),
        ("GET", "/{token}/../question/%C3%A9", {}, 400),
        ("POST", "/{token}/question/why", {"Content-Type": "text/plain"}, 400),
        ("POST", "/{token}/question/why", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
        ("GET", "/{token}/question/square", {}, 400),
    ],
)
def test_only_the_page_itself_is_answered(course, ask, method, path, headers, status):
    body = json.dumps({"rubric": RUBRIC}) if method == "POST" else None
    found = ask(method, path, body, **headers)
    assert found[0] == status and "ann" not in found[2]
    assert not (course / "grades" / UNIT / "marks.json").exists()


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", "x" * (BODY_LIMIT + 1), '{"rubric": [{"points": NaN}]}']
)
def test_a_request_that_is_none_changes_nothing(ask, body):
    assert ask("POST", "/{token}/question/why", body)[0] == 400
    assert json.loads(ask("GET", "/{token}/question/why")[2])["rubric"] == []


@pytest.mark.browser
def test_keys_mark_an_answer_in_a_browser(course, marking, served, program):
    sync_api = pytest.importorskip("playwright.sync_api")
    marking.set_rubric("why", RUBRIC)
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])
        page = browser.new_page(viewport={"width": 360, "height": 800})
        page.goto(served[1])
        page.wait_for_selector("#rubric button")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        page.keyboard.press("2")
        page.wait_for_selector("#answer.done")
        page.keyboard.press("u")
        page.wait_for_selector("#answer mfrac")
        page.keyboard.press("1")
        page.keyboard.press("3")
        page.wait_for_selector("#points:has-text('2 of 4 points')")
        page.keyboard.press("0")
        page.wait_for_selector("#points:has-text('0 of 4 points')")
        assert page.locator("#rubric [aria-pressed=true]").all_text_contents() == ["0"]
        browser.close()
    assert [found[0] for found in marks(course).values()] == [2.5, 2.5, 0, None]
