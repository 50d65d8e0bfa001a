"""Guesses that are given before the answer is shown, as Python sees them, and their drawing in a browser."""

import html

import pytest

from minibert.course.widgets import guess_then_see
from minibert.course.widgets.guess_then_see import (
    GuessBars,
    GuessChoice,
    GuessCurve,
    GuessNumber,
    my_guesses,
    number,
)
from minibert.course.widgets.view import figure

ANSWERS = [10.0, 60.0]


@pytest.fixture(autouse=True)
def no_guesses_before(monkeypatch):
    monkeypatch.setattr(guess_then_see, "GIVEN", {})


@pytest.fixture
def asked():
    """What has been asked for an answer, in turn."""
    return []


@pytest.fixture
def count(asked):
    return GuessNumber(
        "How <many>?",
        lambda: asked.append("answer") or 12_000,
        within=1500,
        see=lambda: asked.append("see") or "<p>Look.</p>",
    )


def bars(kind=GuessBars, **more):
    return kind("How high?", ["a", "b"], lambda: ANSWERS, top=100, within=8, axis="right", unit="%", **more)


def test_nothing_is_computed_before_the_guess(count, asked):
    count.box.value = "  "
    assert asked == [] and count.said.value == "" and "12,000" not in count.asked.value
    assert "How &lt;many&gt;?" in count.asked.value


@pytest.mark.parametrize(
    "guess, answer",
    [
        (GuessNumber("How many?", lambda: 12, within=1), "It is <b>12</b>."),
        (GuessChoice("Which?", ["a", "<b>"], lambda: "<b>"), "The answer: <b>&lt;b&gt;</b>"),
        (bars(), "a: <b>10%</b>; b: <b>60%</b>"),
    ],
)
def test_show_me_shows_the_answer_and_counts_no_guess(guess, answer):
    guess.show_me.click()
    assert answer in guess.said.value and guess.show_me.layout.display == "none"
    assert guess_then_see.GIVEN == {}


def test_the_guess_stands_beside_the_answer_and_is_final(count, asked):
    count.box.value = "9,000"
    assert asked == ["answer", "see"]
    assert "✗ Not close.</b> You say <b>9,000</b>; it is <b>12,000</b>." in count.said.value
    assert "width:180px" in count.said.value and "width:240px" in count.said.value  # bars of 3 : 4
    assert count.said.value.endswith("<p>Look.</p>") and count.box.disabled


@pytest.mark.parametrize(
    "guess, close", [("10500", True), ("13,500", True), ("10499", False), ("13501", False)]
)
def test_how_far_off_still_counts_as_close(count, guess, close):
    count.box.value = guess
    assert ("✓ Close." in count.said.value) is close


@pytest.mark.parametrize(
    "text, value",
    [("12,000", 12000), ("12 000", 12000), ("35%", 35), (" .5 ", 0.5), ("1/8", 0.125), ("−3", -3)],
)
def test_numbers_are_read_as_people_write_them(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["many", "1/0", "", "3 or 4", "<b>", "1e"])
def test_what_is_no_number_is_told_and_may_be_mended(count, asked, text):
    with pytest.raises(ValueError, match="is not a number. Type one, such as"):
        number(text)
    if text:
        count.box.value = text
        assert html.escape(repr(text)) in count.said.value and not count.box.disabled and asked == []
        count.box.value = "12000"
        assert "✓" in count.said.value


def test_a_share_below_one_is_no_percentage_unless_it_says_so():
    asked = GuessNumber("Which share?", lambda: 80, within=5, form="{:.0f}%")
    asked.box.value = "0.8"
    assert "do you mean 80% or 0.8%?" in asked.said.value and not asked.box.disabled
    asked.box.value = "80"
    assert "✓ Close." in asked.said.value


def test_an_answer_that_fails_is_told_and_does_not_count():
    failing = GuessChoice("Which?", ["a", "b"], lambda: {}["gone"])
    failing.box.value = "a"
    assert "minibert-error" in failing.said.value and "KeyError: &#x27;gone&#x27;" in failing.said.value
    assert guess_then_see.GIVEN == {} and not failing.box.disabled


@pytest.mark.parametrize(
    "guess, said",
    [
        ("GPT", "✗ No.</b> The answer: <b>BERT</b>"),
        ("BERT", "✓ Right:</b> <b>BERT</b>"),
    ],
)
def test_a_choice_is_one_click(guess, said):
    asked = GuessChoice(
        "Which reads both sides?", ["GPT", "BERT"], lambda: "BERT", see=lambda: (figure()[0], "a picture")
    )
    asked.box.value = guess
    assert said in asked.said.value and 'aria-label="a picture"' in asked.said.value
    assert asked.box.disabled


@pytest.mark.parametrize("kind, more", [(GuessBars, {}), (GuessCurve, {"along": "rate"})])
@pytest.mark.parametrize("guess, off, close", [([18, 68], "8 points", True), ([10, 78], "9 points", False)])
def test_a_drawn_guess_is_compared_place_by_place(kind, more, guess, off, close):
    asked = bars(kind, **more)
    asked.canvas.values = guess
    asked.button.click()
    assert f"off by <b>{off}</b> on average" in asked.said.value and ("✓" in asked.said.value) is close
    assert f"a: you {guess[0]:.3g}%, the answer 10%" in html.unescape(asked.said.value)
    assert asked.button.disabled and asked.canvas.layout.display == "none"


@pytest.mark.parametrize("kind, more", [(GuessBars, {}), (GuessCurve, {"along": "rate"})])
def test_a_drawing_is_a_guess_once_something_has_moved(kind, more):
    asked = bars(kind, **more)
    assert asked.button.disabled and "Your first guess counts" in asked.how.value
    asked.canvas.values = [40, 50]
    assert not asked.button.disabled


@pytest.mark.parametrize(
    "answer, close, said",
    [([50, 54, 40], True, ""), ([50, 59, 40], False, ", and its highest bar is <b>a</b>, not <b>b</b>")],
)
def test_bars_are_close_only_if_the_right_one_is_the_highest_or_nearly(answer, close, said):
    asked = GuessBars("?", ["a", "b", "c"], lambda: answer, top=100, within=8, axis="right", unit="%")
    asked.canvas.values = [55, 52, 40]
    asked.button.click()
    assert ("✓" in asked.said.value) is close and f"</b> on average{said}." in asked.said.value


@pytest.mark.parametrize(
    "answer, close, said",
    [([50, 45], True, ""), ([55, 45], False, ", and the answer falls from left to right")],
)
def test_a_curve_is_close_only_if_it_goes_the_same_way(answer, close, said):
    asked = GuessCurve("?", ["1", "9"], lambda: answer, top=100, within=8, axis="right", along="x", unit="%")
    asked.canvas.values = [49, 51]
    asked.button.click()
    assert ("✓" in asked.said.value) is close and f"</b> on average{said}." in asked.said.value


def test_a_curve_s_places_stand_where_they_belong():
    asked = GuessCurve(
        "?", ["5%", "15%", "95%"], lambda: [1, 1, 1], top=1, within=1, axis="y", along="x", at=[5, 15, 95]
    )
    assert asked.canvas.places == pytest.approx([0, 1 / 9, 1])
    assert bars().canvas.places == [0, 1]


def test_where_nothing_is_close_a_number_is_right_or_not():
    for guess, said in (("8", "✓ Right."), ("7", "✗ No.")):
        asked = GuessNumber("How many?", lambda: 8, within=0)
        asked.box.value = guess
        assert said in asked.said.value


@pytest.mark.parametrize("kind, more", [(GuessBars, {}), (GuessCurve, {"along": "x"})])
def test_a_drawing_begins_at_the_bottom_and_not_at_what_may_be_the_answer(kind, more):
    assert kind("?", ["a", "b"], lambda: [1, 1], top=2, within=1, axis="y", **more).canvas.values == [0, 0]


def test_bars_of_percentages_are_shares_of_all():
    asked = GuessNumber("Which share?", lambda: 50, within=5, form="{:.0f}%")
    asked.box.value = "25%"
    assert "width:60px" in asked.said.value and "width:120px" in asked.said.value


def test_large_numbers_are_written_out():
    asked = GuessBars("?", ["a", "b"], lambda: [12_129, 0.5], top=20_000, within=1, axis="words")
    asked.canvas.values = [10_000, 10_000]
    asked.button.click()
    assert "a: you 10,000, the answer 12,129; b: you 10,000, the answer 0.5" in asked.said.value


@pytest.mark.parametrize("labels", [["one"], list(map(str, range(13)))])
def test_too_few_or_too_many_bars_are_refused(labels):
    with pytest.raises(ValueError, match=f"{len(labels)} labels, but only 2 to 12 can be drawn"):
        GuessBars("?", labels, list, top=1, within=1, axis="x")


def test_an_answer_of_another_length_is_told():
    asked = GuessBars("?", ["a", "b"], lambda: [1.0], top=1, within=1, axis="x")
    asked.button.click()
    assert "the answer has 1 numbers, but there are 2 labels" in asked.said.value


def test_the_summary_counts_first_guesses_and_grows_with_each(count):
    summary = my_guesses()
    assert "You have not guessed yet" in summary.value
    count.box.value = "12000"
    again = GuessNumber("How <many>?", lambda: 12_000, within=0)
    again.box.value = "1"
    bars().button.click()
    assert "1 of your 2 guesses were right or close" in summary.value
    assert summary.value.count("<li>") == 2 and "✗ </b> How high?" in summary.value


def test_a_guess_is_saved_with_the_notebook_once_the_next_cell_has_run(count, monkeypatch):
    shown, listening = [], []

    class Shell:
        events = type(
            "Events",
            (),
            {
                "register": staticmethod(lambda _, call: listening.append(call)),
                "unregister": staticmethod(lambda _, call: listening.remove(call)),
            },
        )

    class Handle:
        update = staticmethod(lambda view: shown.append(view._repr_html_()))

    def display(bundle, **_):
        shown.append(bundle["text/html"])
        return Handle()

    monkeypatch.setattr(guess_then_see, "get_ipython", lambda: Shell)
    monkeypatch.setattr(guess_then_see, "display", display)
    count._ipython_display_()
    count.box.value = "9000"
    assert len(shown) == 1 and "Run this cell" in shown[0] and "12,000" not in shown[0]
    listening[0]()
    assert "You say <b>9,000</b>; it is <b>12,000</b>" in shown[1] and listening == []


PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<title>canvas</title><style>body {{ margin: 0 }} {style}</style><main></main><script type="module">{module}
const state = {{ labels: ["a <i>b</i>", "c", "d", "e"], values: [50, 50, 50, 50], top: 100, unit: "%",
                 curve: {curve}, axes: ["rate", "right"], places: [0, 0.2, 0.6, 1] }};
window.state = state;
const heard = [];
const model = {{ get: name => state[name], on: (_, call) => heard.push(call), save_changes: () => 0,
                 set: (name, value) => {{ state[name] = value; heard.forEach(call => call()); }} }};
render({{ el: document.querySelector("main"), model }});
</script></html>"""


@pytest.fixture
def page(program, root, tmp_path):
    """page(curve, width): the drawing on a page of its own; an error there fails the test."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright on this machine")
    style = (root / "minibert" / "course" / "widgets" / "theme.css").read_text(encoding="utf-8")
    module = (root / "minibert" / "course" / "widgets" / "canvas.js").read_text(encoding="utf-8")
    wrong = []
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu"])

        def opened(curve, width=900):
            file = tmp_path / f"{curve}.html"
            file.write_text(
                PAGE.format(style=style, module=module, curve=str(curve).lower()), encoding="utf-8"
            )
            made = browser.new_page(viewport={"width": width, "height": 600})
            made.on("pageerror", lambda error: wrong.append(error.message))
            made.goto(file.as_uri())
            made.wait_for_selector(".mb-handle")
            return made

        yield opened
        browser.close()
    assert wrong == []


def values(page):
    return page.evaluate("state.values")


@pytest.mark.browser
@pytest.mark.parametrize("curve", [False, True])
def test_points_follow_mouse_and_keys(page, curve):
    shown = page(curve)
    for key, value in (("ArrowUp", 51), ("PageDown", 41), ("End", 100), ("ArrowUp", 100), ("Home", 0)):
        shown.press(".mb-handle >> nth=1", key)
        assert values(shown) == pytest.approx([50, value, 50, 50])
    assert shown.get_attribute(".mb-handle >> nth=1", "aria-valuetext") == "0%"
    boxes = [shown.locator(".mb-handle").nth(place).bounding_box() for place in range(4)]
    middle = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    shown.mouse.move(*middle[0])
    shown.mouse.down()
    shown.mouse.move(middle[3][0], middle[0][1] - 40)  # one quick stroke over all four
    shown.mouse.up()
    now = values(shown)
    assert now[0] == pytest.approx(50, abs=1) and now[1] == now[2] == now[3] > 55
    shown.mouse.move(middle[0][0], middle[0][1] - 90)  # the button is up
    assert values(shown) == now


@pytest.mark.browser
@pytest.mark.parametrize("curve, apart", [(True, [1, 2, 2]), (False, [1, 1, 1])])
def test_the_points_of_a_curve_are_drawn_to_scale(page, curve, apart):
    shown = page(curve)
    boxes = [shown.locator(".mb-handle").nth(place).bounding_box()["x"] for place in range(4)]
    steps = [b - a for a, b in zip(boxes, boxes[1:])]
    assert [step / steps[0] for step in steps] == pytest.approx(apart, rel=0.05)


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1600])
def test_the_drawing_fits_the_page_and_shows_texts_as_texts(page, width):
    shown = page(True, width)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert "a <i>b</i>" in shown.text_content(".mb-canvas") and shown.locator(".mb-canvas i").count() == 0
    assert shown.locator(".mb-canvas").bounding_box()["width"] > 0.9 * width - 32
