"""The explorer's picture in a browser, on numbers without a model: controls, keys, themes, widths."""

import contextlib
import functools
import os

import pytest

from minibert.course.widgets.explorer.modules import one_script

if "browser" not in os.environ.get("MINIBERT_REQUIRE", "").split(","):
    pytest.importorskip("playwright", reason="no playwright on this machine (pip install playwright)")
from playwright.sync_api import sync_playwright  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TEXT = "The children play by the river."
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>explorer</title><style>body {{ margin: 0 }} {style}</style><main></main>
<script>{fake}</script><script>{view}</script></html>"""
HOSTILE = [
    "<img src=x onerror=window.hit=1> plays",
    "<script>window.hit=1</script> here",
    '"><svg onload=window.hit=1>',
    "ילדים משחקים ליד הנהר",
    "👩‍👩‍👧‍👦 🎈 plays",
    "a\u0000b \u202eabc plays",
    "w" * 3000,
    "${window.hit=1} `x`",
]
WIDTHS = [360, 900, 1600]


@pytest.fixture(scope="module")
def browser():
    """browser(chromium): the browser, once; a skipped test starts none."""
    with contextlib.ExitStack() as stack:
        play = functools.cache(lambda: stack.enter_context(sync_playwright()))
        yield functools.cache(
            lambda chromium: play().chromium.launch(
                executable_path=chromium, args=["--disable-gpu", "--disable-background-networking"]
            )
        )


@pytest.fixture
def show(browser, program, tmp_path, root):
    """show(...): the explorer on a page of its own. What goes wrong on any page fails the test at its end."""
    style = (root / "minibert" / "course" / "widgets" / "theme.css").read_text(encoding="utf-8")
    fake = (root / "tests" / "course" / "explorer" / "fake_source.js").read_text(encoding="utf-8")
    file = tmp_path / "page.html"
    file.write_text(PAGE.format(style=style, fake=fake, view=one_script("view")), encoding="utf-8")
    wrong, contexts = [], []

    def opened(first=TEXT, second="", width=900, sizes="{}", more="", wait=True, **settings):
        contexts.append(
            browser(program).new_context(
                viewport={"width": width, "height": 800}, **{"reduced_motion": "reduce", **settings}
            )
        )
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(error.message))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                wrong.append(request.url)
                if request.url != file.as_uri() and not request.url.startswith("data:")
                else None
            ),
        )
        page.goto(file.as_uri())
        page.evaluate(
            """([first, second, sizes, more]) => {
            window.source = fakeSource(eval(`(${sizes})`));
            const element = document.querySelector("main"), others = eval(`({${more}})`);
            viewModule.render({element, source, first, second, ...others});
        }""",
            [first, second, sizes, more],
        )
        if wait:
            page.wait_for_selector(".mb-map")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def settled(page):
    page.wait_for_function("document.querySelector('.mb').getAttribute('aria-busy') === 'false'")


def use(page, selector):
    page.click(selector)
    settled(page)


def key(name):
    return f"[data-key='{name}']"


def text(page, selector):
    return page.inner_text(selector)


def chips(page):
    return page.eval_on_selector_all(".mb-chip bdi", "all => all.map(one => one.textContent)")


# ---- the overview


def test_the_first_picture_shows_the_whole_model_and_masks_the_last_word(show):
    page = show(second="It rains.")
    assert " ".join(chips(page)) == "[CLS] The children play by the river . [SEP] It [MASK] . [SEP]"
    assert page.locator(".mb-column").count() == 4  # the embeddings and three layers
    assert [text(page, f".mb-layer >> nth={i}") for i in range(3)] == ["Layer 1", "Layer 2", "Layer 3"]
    assert page.locator(".mb-prediction .mb-bars").first.locator("li").count() == 5
    assert "90%" in text(page, ".mb-nsp") and "[CLS]" in text(page, ".mb-cls")


def test_a_brief_picture_leaves_out_pairs_the_pooler_and_norms(show):
    page = show(more="brief: true")
    assert page.locator(".mb-nsp, .mb-cls").count() == page.locator(key("second")).count() == 0
    assert text(page, ".mb-lanes").split() == ["token", "position", "sum"]
    assert "orm" not in text(page, ".mb-caption") + text(page, ".mb-line")
    assert "thick curves lead to it" in text(page, ".mb-line")
    use(page, key("tour"))
    assert "of 13" in text(page, ".mb-tour-bar")  # a step less than with a head for pairs


def test_the_headings_of_twelve_layers_are_on_one_line(show):
    page = show(sizes="{layers: 12}", width=1000)
    heads = page.eval_on_selector_all(".mb-layer .mb-head", "all => all.map(one => one.innerText.trim())")
    assert heads == [str(number) for number in range(1, 13)]
    assert "Layer 12 of 12" in page.get_attribute(key("layer 11"), "aria-label")


def test_a_mask_in_the_text_is_kept_as_it_is(show):
    page = show("The [MASK] play.")
    asked = {"first": "The [MASK] play.", "second": None, "masked": [], "off": [], "model": 0}
    assert page.evaluate("source.asked") == [asked]
    use(page, key("token 2"))
    assert "is part of the text itself" in text(page, ".mb-line")


def test_each_percent_is_the_one_of_the_source(show):
    page = show()
    shown = page.eval_on_selector_all(
        ".mb-prediction .mb-bars >> li", "all => all.map(one => one.innerText.split(/\\s+/))"
    )
    wanted = page.evaluate("source.trace(source.asked.at(-1)).then(({header}) => header.top[0][3])")
    assert [word for word, _ in shown] == [word for word, _ in wanted]
    for (_, told), (_, share) in zip(shown, wanted):
        assert abs(float(told.rstrip("%")) - 100 * share) <= 0.5


# ---- every control, with the pointer


def test_a_click_masks_a_token_and_another_one_takes_the_mask_away(show):
    page = show()
    use(page, key("token 2"))
    assert chips(page)[2] == "[MASK]" and "children" in text(page, key("token 2"))
    assert page.get_attribute(key("token 2"), "aria-pressed") == "true"
    assert page.locator(".mb-places button").count() == 2 and "children" in text(page, ".mb-line")
    use(page, key("token 2"))
    assert chips(page)[2] == "children"


def test_cls_and_sep_are_never_masked(show):
    page = show()
    use(page, key("token 0"))
    assert chips(page)[0] == "[CLS]" and "never masked" in text(page, ".mb-line")


def test_without_a_choice_there_is_no_list_of_models(show):
    assert show().locator("select").count() == 0
    assert show(more="models: ['Ours']").locator("select").count() == 0


def choose(page, name):
    page.select_option(key("choice"), label=name)
    settled(page)


def test_another_model_shows_its_layers_and_keeps_the_masks_if_its_tokens_are_the_same(show):
    page = show(more="models: ['Ours', 'Large', 'Uncased']")
    use(page, key("token 2"))
    use(page, key("layer 2"))
    choose(page, "Large")
    assert page.locator(".mb-column").count() == 5 and page.locator(".mb-detail").count() == 0
    assert " ".join(chips(page)) == "[CLS] The [MASK] play by the [MASK] . [SEP]"
    assert text(page, ".mb-line").startswith("Large. Most probable: ")
    assert page.evaluate("document.activeElement.dataset.key") == "choice"
    choose(page, "Uncased")  # other tokens: the last word is masked, as in a new text
    assert " ".join(chips(page)) == "[CLS] the children play by the [MASK] . [SEP]"
    assert page.evaluate("source.asked.at(-1).model") == 2
    use(page, key("token 2"))  # a later question is for the chosen model, too
    assert page.evaluate("source.asked.at(-1).model") == 2


def test_what_is_switched_off_in_one_model_is_on_in_the_next(show):
    page = show(more="models: ['Ours', 'Large']")
    use(page, key("layer 2"))
    use(page, key("switch 2"))
    assert page.evaluate("source.asked.some(one => one.off.length > 0)")
    choose(page, "Large")
    assert page.evaluate("source.asked.at(-1).off.length") == 0
    assert page.locator(".mb-offline").count() == 0


def test_a_guided_tour_ends_if_the_model_changes(show):
    page = show(more="models: ['Ours', 'Large'], tour: 'start'")
    page.wait_for_selector(".mb-tour")
    choose(page, "Large")
    assert page.locator(".mb-tour").count() == 0 and page.locator(".mb-column").count() == 5


def test_one_of_several_masked_places_is_chosen(show):
    page = show()
    use(page, key("token 2"))
    before = text(page, ".mb-prediction .mb-bars")
    use(page, key("place 6"))
    assert text(page, ".mb-prediction .mb-bars") != before
    assert page.get_attribute(key("place 6"), "aria-pressed") == "true"


def test_typing_is_read_after_a_while_and_enter_at_once(show):
    page = show()
    page.fill(key("first"), "Dogs bark.")
    page.wait_for_function("document.querySelector('.mb-chips').innerText.includes('Dogs')")
    assert chips(page) == ["[CLS]", "Dogs", "[MASK]", ".", "[SEP]"]
    page.fill(key("second"), "Cats too.")
    page.press(key("second"), "Enter")
    page.wait_for_selector(".mb-side >> nth=1")
    assert page.evaluate("source.asked.at(-1).second") == "Cats too."


def test_a_layer_opens_then_a_head_and_back(show):
    page = show()
    use(page, key("layer 1"))
    assert text(page, ".mb-detail h3") == "Layer 2 of 3" and page.locator(".mb-card").count() == 2
    assert page.get_attribute(key("layer 1"), "aria-expanded") == "true"
    use(page, key("head 1 0"))
    assert text(page, ".mb-detail h3") == "Head 1 of 2"
    use(page, key("next"))
    assert text(page, ".mb-detail h3") == "Head 2 of 2" and page.is_disabled(key("next"))
    use(page, key("up"))
    assert text(page, ".mb-detail h3") == "Layer 2 of 3"
    use(page, key("previous"))
    assert text(page, ".mb-detail h3") == "Layer 1 of 3" and page.is_disabled(key("previous"))
    use(page, key("close"))
    assert page.locator(".mb-detail").count() == 0
    use(page, key("embeddings"))
    assert text(page, ".mb-detail h3") == "Embeddings" and "after LayerNorm" in text(page, ".mb-detail")
    use(page, key("model"))
    assert page.locator(".mb-detail").count() == 0


def test_sizes_of_vectors_are_those_of_the_source(show):
    page = show()
    use(page, key("layer 1"))
    wanted = page.evaluate("""source.trace(source.asked.at(-1)).then(({array, header}) => {
        const T = header.tokens.length, t = Number(document.querySelector(".mb-chip.mb-now").dataset.t);
        return Math.hypot(...array("hidden").subarray((T + t) * 8, (T + t + 1) * 8)); })""")
    assert f"norm {wanted:.2f}" in text(page, ".mb-vector")


@pytest.mark.parametrize(
    "place, part", [(["layer 1"], ["layer", 1]), (["layer 1", "head 1 0"], ["head", 1, 0])]
)
def test_a_part_is_switched_off_and_the_prediction_before_is_shown(show, place, part):
    page = show()
    before = text(page, ".mb-prediction .mb-bars")
    for name in place:
        use(page, key(name))
    switch = key(f"switch {' '.join(map(str, part[1:]))}") + " >> nth=0"
    use(page, switch)
    assert page.evaluate("source.asked.map(one => one.off)")[-2:] == [[part], []]
    assert page.get_attribute(switch, "aria-checked") == "false"
    assert "Before: " in text(page, ".mb-change") and "→ now: " in text(page, ".mb-change")
    assert page.locator(".mb-before").count() > 0 and text(page, ".mb-prediction .mb-bars") != before
    assert f"layer {part[1] + 1}" in text(page, ".mb-offline") and "off" in text(page, key("layer 1"))
    assert "is off: " in text(page, ".mb-detail > p")
    assert page.locator(".mb-detail .mb-strip").count() == (0 if part[0] == "layer" else 20)
    use(page, key("all on"))
    assert text(page, ".mb-prediction .mb-bars") == before and page.locator(".mb-before").count() == 0


def test_a_head_that_is_off_is_left_out_of_the_average(show):
    page = show()
    use(page, key("layer 1"))
    use(page, key("switch 1 0"))
    t, s, share = page.evaluate("""source.trace(source.asked.at(-2)).then(({array, header}) => {
        const T = header.tokens.length, t = Number(document.querySelector(".mb-chip.mb-now").dataset.t);
        const row = [...array("probs").subarray((T * 3 + t) * T, (T * 3 + t + 1) * T)];
        return [header.tokens[t], header.tokens[row.indexOf(Math.max(...row))], Math.max(...row)]; })""")
    page.hover(key("token 0"))
    page.mouse.move(0, 0)
    assert f", layer 2 “{s}” {100 * share:.0f}%," in text(page, ".mb-line"), t
    use(page, key("switch 1 1"))
    page.hover(key("token 0"))
    assert ", layer 2 off," in text(page, ".mb-line")


def test_a_head_of_a_layer_that_is_off_offers_to_switch_the_layer_on(show):
    page = show()
    use(page, key("layer 1"))
    use(page, key("head 1 0"))
    use(page, key("up"))
    use(page, key("switch 1") + " >> nth=0")
    page.evaluate("source.asked = []")
    use(page, key("next"))
    use(page, key("previous"))
    use(page, key("switch 1"))
    assert page.evaluate("source.asked.at(-1).off") == [] and page.locator(".mb-card").count() == 2


def test_the_slider_reads_each_layer(show):
    page = show()
    seen = set()
    for depth in range(4):
        page.fill(key("depth"), str(depth))
        seen.add(text(page, ".mb-prediction .mb-bars"))
        assert ("embeddings", "layer 1", "layer 2", "the last")[depth] in text(page, ".mb-level")
    assert len(seen) == 4


def test_a_cell_of_a_matrix_tells_its_numbers_and_a_click_chooses_its_row(show):
    page = show()
    use(page, key("layer 0"))
    use(page, key("head 0 1"))
    box = page.locator(".mb-matrix >> nth=1").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 4.5 / 9, box["y"] + box["height"] * 2.5 / 9)
    share = 100 * page.evaluate("""source.trace(source.asked.at(-1)).then(({array}) =>
        array("probs")[81 + 2 * 9 + 4])""")
    told = f"{share:.1f}%" if share < 9.95 else f"{share:.0f}%"
    assert "“children” attends to “by”" in text(page, ".mb-line")
    assert f"softmax turns into {told}" in text(page, ".mb-line")
    page.mouse.down()
    page.mouse.up()
    assert "What “children” attends to" in text(page, ".mb-row")


def test_the_pointer_lights_up_the_path_of_a_token(show):
    page = show()
    page.hover(key("token 2"))
    assert page.locator(".mb-labels .mb-now").inner_text() == "children"
    assert "Token 3, “children”" in text(page, ".mb-line")
    assert page.locator(".mb-lit-arcs path").count() >= 3  # in each layer
    page.mouse.move(0, 0)
    assert "Token 7" in text(page, ".mb-line")  # back to the chosen one


def test_the_numbers_of_a_cell_stand_beside_its_matrix_too(show):
    page = show()
    use(page, key("layer 0"))
    use(page, key("head 0 0"))
    assert "Point at a cell" in text(page, ".mb-cell")
    page.focus(key("matrix query"))
    press(page, "ArrowRight")
    assert "attends to" in text(page, ".mb-cell") and text(page, ".mb-cell") == text(page, ".mb-line")


def test_a_head_shows_the_key_and_the_value_of_each_token(show):
    page = show()
    use(page, key("layer 0"))
    use(page, key("head 0 0"))
    assert text(page, ".mb-table thead").split() == ["token", "key", "score", "weight", "value"]
    wanted = page.evaluate("""source.trace(source.asked.at(-1)).then(
        ({array}) => [array("key")[8], array("value")[8]])""")
    for column, number in zip((1, 4), wanted):
        strip = page.locator(f".mb-table tbody tr >> nth=2 >> td >> nth={column - 1} >> .mb-strip")
        strip.hover(position={"x": 2, "y": 5})
        sign = "−" if number < 0 else ""
        assert strip.locator("title").text_content() == f"number 1 of 4: {sign}{abs(number):.2f}"


def test_the_numbers_of_a_vector_are_read_by_keys(show):
    page = show()
    use(page, key("embeddings"))
    row = page.locator(".mb-vector >> nth=0")
    usual = row.locator(".mb-number").inner_text()
    page.keyboard.press("Tab")
    row.locator(".mb-strip").focus()
    numbers = page.evaluate("""source.trace(source.asked.at(-1)).then(({array}) => {
        const t = Number(document.querySelector(".mb-chip.mb-now").dataset.t);
        return [...array("token")].slice(8 * t, 8 * t + 8); })""")
    for pressed, place in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 7),
        ("ArrowRight", 7),
        ("Home", 0),
    ):
        page.keyboard.press(pressed)
        told = f"{numbers[place]:.2f}".replace("-", "−")
        assert row.locator(".mb-number").inner_text() == f"[{place + 1}] {told}"
        assert row.locator(".mb-strip").get_attribute("aria-valuetext") == f"number {place + 1} of 8: {told}"
        assert row.locator(".mb-cursor").get_attribute("x") == str(place)
    page.focus(key("first"))
    assert row.locator(".mb-number").inner_text() == usual


@pytest.mark.parametrize("words, height", [(5, 1), (60, 4.1)])
def test_the_frame_around_a_row_of_many_leaves_it_in_sight(show, words, height):
    page = show(first="go " * words)
    use(page, key("layer 0"))
    assert float(page.get_attribute(".mb-card .mb-outline >> nth=0", "height")) == pytest.approx(height)


def test_the_scale_of_the_bars_is_told(show):
    page = show()
    fill = ".mb-prediction .mb-fill >> nth=0"
    share = page.evaluate("source.trace(source.asked.at(-1)).then(({header}) => header.top[0][3][0][1])")
    full = float(text(page, ".mb-scale").removeprefix("full bar: ").rstrip("%")) / 100
    assert share <= full and page.locator(fill).get_attribute("style") == f"width: {100 * share / full:.2f}%"


def test_the_token_that_was_there_has_its_probability_at_each_layer(show):
    page = show()
    assert text(page, ".mb-was") == "“river”, the original token: 33%"
    page.fill(key("depth"), "0")
    assert text(page, ".mb-was") == "“river”, the original token: 3.0%"
    assert show("The [MASK] play.").locator(".mb-was").count() == 0


def test_an_earlier_layers_prediction_names_the_logit_lens(show):
    page = show()
    assert "logit lens" not in text(page, ".mb-level")
    page.fill(key("depth"), "1")
    assert "logit lens" in text(page, ".mb-level")
    assert "logit lens" in page.get_attribute(key("depth"), "aria-valuetext")


@pytest.mark.parametrize("second", ["", "It rains."])
def test_a_model_without_a_head_for_pairs_promises_nothing_about_them(show, second):
    page = show(
        second=second,
        wait=False,
        more="""source: {trace: async question => {
        const found = await source.trace(question);
        found.header.nsp = null;
        delete found.header.arrays.pooled;
        return found; }}""",
    )
    page.wait_for_selector(".mb-map")
    assert "no output head" in text(page, ".mb-nsp") and page.locator(".mb-cls").count() == 0
    assert "Type a sentence B" in text(show(), ".mb-nsp")
    use(page, key("tour"))
    while page.locator(".mb-tour").count():
        assert "whether it follows A" not in text(page, ".mb-tour-text")
        use(page, key("tour next"))


def test_until_the_first_answer_the_picture_says_that_it_is_coming(show):
    page = show(
        wait=False,
        more="""source: {
        trace: () => new Promise((_, reject) => { window.reject = reject; })}""",
    )
    assert "is loading" in text(page, ".mb-overview")
    page.wait_for_function("Boolean(window.reject)")
    page.evaluate("reject(new Error('no such model'))")
    page.wait_for_selector("[role=alert]:not([hidden])")
    assert "no such model" in text(page, "[role=alert]") and text(page, ".mb-overview") == ""


# ---- the keyboard alone


def focused(page):
    return page.evaluate("document.activeElement.dataset.key || document.activeElement.tagName")


def press(page, *keys):
    for one in keys:
        page.keyboard.press(one)
    settled(page)
    return focused(page)


def test_everything_is_reached_and_used_without_a_pointer(show):
    page = show()
    assert press(page, "Tab") == "first" and press(page, "Tab") == "second" and press(page, "Tab") == "tour"
    assert press(page, "Tab") == "token 6"  # one stop for all chips
    assert press(page, "ArrowLeft", "ArrowLeft") == "token 4"
    assert "“by”" in text(page, ".mb-line")
    assert press(page, "Enter") == "token 4" and chips(page)[4] == "[MASK]"
    assert press(page, "Home") == "token 0" and press(page, "End") == "token 8"
    assert press(page, "Tab") == "embeddings" and press(page, "Tab", "Tab") == "layer 1"
    assert press(page, "Enter") == "H3" and text(page, ".mb-detail h3") == "Layer 2 of 3"
    while not focused(page).startswith("head"):
        press(page, "Tab")
    assert press(page, "Enter") == "H3" and text(page, ".mb-detail h3") == "Head 1 of 2"
    while focused(page) != "matrix positive":
        press(page, "Tab")
    assert press(page, "ArrowRight", "ArrowDown") == "matrix positive"
    assert "attends to" in text(page, ".mb-line")
    row = text(page, ".mb-line").split(" attends")[0]
    assert press(page, "Enter") == "matrix positive" and row in text(page, ".mb-row h4")
    assert press(page, "Escape") == "head 1 0" and press(page, "Escape") == "layer 1"
    while focused(page) != "depth":
        press(page, "Tab")
    assert press(page, "ArrowLeft") == "depth" and "layer 2" in text(page, ".mb-level")


def test_a_switch_keeps_the_focus_and_its_effect_is_announced(show):
    page = show()
    use(page, key("layer 1"))
    page.focus(key("switch 1 1"))
    assert press(page, "Space") == "switch 1 1"
    assert "Off: layer 2 head 2. Before: " in page.text_content("[role=status]")


def test_each_control_has_a_name_and_a_visible_focus(show):
    page = show()
    use(page, key("token 2"))
    use(page, key("layer 1"))
    assert (
        page.evaluate("""[...document.querySelectorAll("button, input, [tabindex='0']")].filter(one =>
        !(one.ariaLabel || one.labels?.[0]?.innerText || one.innerText).trim()).length""")
        == 0
    )
    for name in ("first", "token 3", "layer 0", "switch 1 0", "depth"):
        page.focus(key(name))
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", name


# ---- the tour


def test_the_tour_is_walked_to_its_end_by_keys(show):
    page = show()
    page.focus(key("tour"))
    assert press(page, "Enter") == "tour next"
    seen = []
    while page.locator(".mb-tour").count():
        seen.append(text(page, ".mb-tour-text"))
        assert page.locator(".mb-lit").count() >= 1, seen[-1]
        assert page.evaluate("""() => { const box = document.querySelector(".mb-lit").getBoundingClientRect();
            return box.bottom > 0 && box.top < innerHeight && box.width > 0; }"""), seen[-1]
        assert f"{len(seen)} of " in text(page, ".mb-tour-bar")
        press(page, "ArrowRight")
    assert 11 <= len(seen) == len(set(seen)) <= 14 and all(line.count(".") <= 2 for line in seen)
    assert focused(page) == "tour" and page.locator(".mb-lit").count() == 0
    assert page.evaluate("source.asked.some(one => one.off.length)")
    assert page.locator(".mb-offline").count() == 0  # all is on again


def test_the_tour_goes_back_and_closes_at_any_step(show):
    page = show()
    use(page, key("tour"))
    first = text(page, ".mb-tour-text")
    assert page.is_disabled(key("tour back"))
    use(page, key("tour next"))
    press(page, "ArrowLeft")
    assert text(page, ".mb-tour-text") == first
    for _ in range(6):
        use(page, key("tour next"))
    assert page.locator(".mb-detail").count() == 1
    press(page, "Escape")
    assert page.locator(".mb-tour").count() == 0 and focused(page) == "tour"


def test_what_the_reader_had_switched_off_is_off_again_after_the_tour(show):
    page = show()
    use(page, key("layer 1"))
    use(page, key("switch 1"))
    for last in (0, 11):
        use(page, key("tour"))
        assert page.locator(".mb-offline").count() == 0
        for _ in range(last):
            use(page, key("tour next"))
        use(page, key("tour close"))
        assert page.evaluate("source.asked.at(-2).off") == [["layer", 1]]
        assert "layer 2" in text(page, ".mb-offline")


def test_a_tour_can_begin_at_once_or_be_left_out(show):
    page = show(more='tour: "start"')
    page.wait_for_selector(".mb-tour")
    assert show(more="tour: false").locator(key("tour")).count() == 0


# ---- looks

FAINT = """least => {
  const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const numbers = color => {
    const all = color.match(/[\\d.]+/g).map(Number);
    return all.length < 4 ? [...all, 1] : all;
  };
  const behind = one => {
    for (; one; one = one.parentElement) {
      const color = numbers(getComputedStyle(one).backgroundColor);
      if (color[3] === 1) return color;
    }
    return [255, 255, 255, 1];
  };
  return [...document.querySelectorAll(".mb *")].filter(one =>
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    && one.getClientRects().length && !one.disabled
  ).flatMap(one => {
    const both = [light(numbers(getComputedStyle(one).color)), light(behind(one))];
    const [low, high] = both.sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05) < least ? [`${one.className} ${one.textContent}`] : [];
  });
}"""


CUT = """[...document.querySelectorAll(".mb button, .mb h3, .mb h4, .mb p, .mb-number")].filter(one =>
    one.getClientRects().length && one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).display !== "inline" && !one.matches(".mb-column, .mb-unseen")
  ).map(one => one.className + " " + one.innerText)"""


def background(page):
    return page.evaluate("getComputedStyle(document.querySelector('.mb')).backgroundColor")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(show, theme):
    page = show(second="It rains.", color_scheme=theme)
    assert background(page) == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 20, 24)"}[theme]
    for name in ("token 2", "embeddings", "layer 1", "head 1 0", "switch 1 0", "tour"):
        use(page, key(name) + " >> nth=0")
        assert page.evaluate(FAINT, 4.5) == [], name
    assert page.evaluate(FAINT, 22)  # the measure finds something


def test_jupyterlabs_theme_counts_more_than_the_systems(show):
    page = show(color_scheme="light")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert background(page) == "rgb(17, 20, 24)"
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    assert background(page) == "rgb(255, 255, 255)"


@pytest.mark.takes_turns("width")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sizes", ["{}", "{layers: 12, heads: 12, hidden: 24}"], ids=["small", "base"])
def test_nothing_is_wider_than_the_page(show, width, sizes):
    page = show(TEXT * 3, second="It rains.", width=width, sizes=sizes)
    for name in ("embeddings", "layer 1", "head 1 0", "tour"):
        use(page, key(name))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CUT) == [], name


def test_the_overview_of_a_sentence_fits_on_one_screen(show):
    page = show(width=1600)
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


def test_who_wants_no_motion_gets_none(show):
    moves = "getComputedStyle(document.querySelector('.mb-detail')).animationName"
    page = show()
    use(page, key("layer 1"))
    assert page.evaluate(moves) == "none"
    page = show(reduced_motion="no-preference")
    use(page, key("layer 1"))
    assert page.evaluate(moves) == "mb-open"


def test_each_token_stands_at_its_row_however_tall_the_prediction_is(show):
    page = show("Dogs bark.", width=1600)
    use(page, key("token 1"))
    use(page, key("layer 0"))
    use(page, key("switch 0 1"))
    top, pictures, heights = page.evaluate("""() => {
        const box = one => one.getBoundingClientRect(), all = name => [...document.querySelectorAll(name)];
        return [box(all(".mb-labels > bdi")[0]).top, all(".mb-picture").map(one => box(one).top),
                all(".mb-picture, .mb-map").map(one => box(one).height)]; }""")
    assert heights[0] > heights[1] + 100, "a prediction that is not taller would not show it"
    assert len(pictures) == 4 and all(abs(picture - top) <= 1 for picture in pictures)


def test_a_panel_that_is_open_does_not_grow_again_when_its_numbers_change(show):
    page = show(reduced_motion="no-preference")
    use(page, key("layer 1"))
    assert page.locator(".mb-detail.mb-opening").count() == 1
    use(page, key("switch 1 0"))
    assert page.locator(".mb-detail:not(.mb-opening)").count() == 1
    use(page, key("head 1 1"))
    assert page.locator(".mb-detail.mb-opening").count() == 1


@pytest.mark.parametrize(
    "share, told",
    [
        (0, "0%"),
        (0.0004, "<0.1%"),
        (0.0942, "9.4%"),
        (0.347, "35%"),
        (0.9978, "99.8%"),
        (0.99999, ">99.9%"),
        (1, "100%"),
    ],
)
def test_only_what_is_all_is_told_as_100_percent(show, share, told):
    assert show().evaluate("domModule.percent", share) == told


# ---- what is typed, and what goes wrong


@pytest.mark.takes_turns("hostile")
@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_is_typed_is_shown_as_text(show, hostile):
    page = show(hostile, second=hostile, width=360)
    for name in ("embeddings", "layer 1", "head 1 0"):
        use(page, key(name))
    assert page.evaluate("window.hit") is None
    assert page.locator(".mb img, .mb script, .mb [onload]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_token_from_right_to_left_keeps_its_direction(show):
    page = show("ילדים play here.")
    chip = "document.querySelectorAll('.mb-chip bdi')[1]"
    assert page.evaluate(f"getComputedStyle({chip}).direction") == "rtl"


def test_a_long_text_is_cut_and_the_picture_says_by_how_much(show):
    page = show("word " * 5000)
    assert text(page, ".mb-cut") == (
        "The text is too long for this picture, so 4,938 tokens are left out and 64 are shown."
    )
    assert page.locator(".mb-chip").count() == 64
    use(page, key("layer 1"))
    use(page, key("head 1 0"))
    share = page.evaluate("""source.trace(source.asked.at(-1)).then(({array}) => {
        const t = Number(document.querySelector(".mb-chip.mb-now").dataset.t), start = 64 * (64 * 2 + t);
        return [...array("probs").subarray(start, start + 64)].sort((a, b) => a - b).slice(0, 48)
            .reduce((a, b) => a + b); })""")
    assert (
        text(page, ".mb-table caption") == f"The other 48 tokens have {100 * share:.0f}% together. "
        "The small numbers are positions in the text."
    )
    page.fill(key("first"), "Short.")
    page.wait_for_function("document.querySelectorAll('.mb-chip').length < 9")
    assert not page.is_visible(".mb-cut")


@pytest.mark.parametrize("empty", ["", "   ", "."])
def test_a_text_without_words_is_drawn(show, empty):
    page = show(empty)
    assert "Mask a token" in text(page, ".mb-prediction")
    use(page, key("layer 0"))
    use(page, key("head 0 0"))


def test_an_error_is_one_line_and_goes_away_with_the_next_answer(show):
    page = show()
    page.evaluate("source.fail = 'the <b>kernel</b> is gone'")
    use(page, key("token 2"))
    assert text(page, "[role=alert]") == "This cannot be shown: the <b>kernel</b> is gone"
    assert page.locator(".mb-map").count() == 1  # the last picture stays
    page.evaluate("source.fail = null")
    use(page, key("token 3"))
    assert not page.is_visible("[role=alert]")


def test_where_no_answer_comes_the_picture_says_why_until_it_does(show):
    page = show()
    page.evaluate("source.late = {after: 100, text: 'The kernel is busy.'}; source.delay = 700; undefined")
    page.click(key("token 2"))
    page.wait_for_selector(".mb-error:not([hidden])")
    assert text(page, ".mb-error") == "The kernel is busy."
    settled(page)
    assert page.is_hidden(".mb-error") and chips(page)[2] == "[MASK]"
    page.evaluate("source.delay = 0")
    use(page, key("token 2"))
    page.wait_for_timeout(200)
    assert page.is_hidden(".mb-error")


def test_an_answer_that_comes_late_is_not_drawn(show):
    page = show()
    page.evaluate("source.delay = 600")
    page.click(key("token 2"))
    page.wait_for_function("String(source.asked.at(-1).masked) === '2,6'")
    page.evaluate("source.delay = 0")
    page.click(key("token 3"))
    page.wait_for_timeout(900)
    assert [t for t, token in enumerate(chips(page)) if token == "[MASK]"] == [2, 3, 6]


@pytest.mark.parametrize("asked", ["", "4"], ids=["at its tokens", "at its masked word"])
def test_a_text_that_is_overtaken_by_the_next_one_leaves_nothing_behind(show, asked):
    page = show()
    page.evaluate("source.delay = 400")
    page.fill(key("first"), "Dogs bark all night.")
    page.press(key("first"), "Enter")
    page.wait_for_function(f"source.asked.at(-1).first[0] === 'D' && source.asked.at(-1).masked == '{asked}'")
    page.evaluate("source.delay = 0")
    page.fill(key("first"), "Cats sleep.")
    page.press(key("first"), "Enter")
    page.wait_for_timeout(700)
    assert chips(page) == ["[CLS]", "Cats", "[MASK]", ".", "[SEP]"]
    use(page, key("token 1"))
    assert page.evaluate("source.asked.at(-1).masked") == [1, 2]


def test_two_explorers_on_one_page_do_not_mix(show):
    page = show()
    page.evaluate("""() => { const more = document.createElement("main"); document.body.append(more);
        viewModule.render({element: more, source: fakeSource(), first: "Dogs bark."}); }""")
    page.wait_for_function("document.querySelectorAll('.mb-map').length === 2")
    page.click(".mb >> nth=1 >> " + key("layer 2"))
    assert page.locator(".mb >> nth=0 >> .mb-detail").count() == 0
    assert page.locator(".mb >> nth=1 >> .mb-detail").count() == 1
