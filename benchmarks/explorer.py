"""Measure the explorer's time for a new sentence, as a web page and in a notebook, and the size of both.

    python benchmarks/explorer.py          # writes explorer.json and explorer.md; one minute

On the web page, JavaScript computes BERT. In a notebook, the kernel computes two passes (unmasked, and with
the last word masked); the transfer of the results is not timed. The script needs Chromium, and the model
saved by `make tour` (otherwise it uses the quick one).
"""

import base64
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import places
from playwright.sync_api import sync_playwright

import minibert
from minibert.bench.clock import Spread
from minibert.bench.table import BenchmarkReport
from minibert.course.widgets.explorer.modules import one_script
from minibert.course.widgets.explorer.page import write_page
from minibert.course.widgets.explorer.trace import trace
from minibert.course.widgets.theme import CSS
from minibert.generated import World

ENGLISH = (
    "The children play by the river.",
    "She swam to the bank.",
    "He paid at the bank.",
    "My grandmother lives in a small house by the sea.",
    "The train was two hours late.",
    "The cat caught a mouse in the barn, and carried it into the kitchen.",
)
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>{style}</style><main></main><script>{script}
window.answers = {{}};
const bytes = text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
const source = {{trace: async ({{first, masked}}) => {{
  const {{header, data}} = answers[first + masked];
  return {{header, array: widgetModule.unpacked(header.arrays, bytes(data))}};
}}}};
window.begin = first => viewModule.render({{element: document.querySelector("main"), source, first}});
</script>"""
TYPE = """async text => {
  const root = document.querySelector(".mb"), box = document.querySelector("[data-key=first]");
  const start = performance.now();
  box.value = text;
  box.dispatchEvent(new Event("change"));
  await new Promise(done => setTimeout(done));
  while (root.getAttribute("aria-busy") === "true") await new Promise(done => setTimeout(done, 1));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def passes(model, text):
    """Return {question: (header, bytes)} for the two passes of a new sentence, and their seconds."""
    began = time.perf_counter()
    plain = trace(model.model, model.tokenizer, text, None)
    place = last_word(plain[0]["tokens"])
    masked = trace(model.model, model.tokenizer, text, None, [place])
    seconds = time.perf_counter() - began
    return {"": plain, str(place): masked}, seconds


def last_word(tokens):
    """Return the position of the last token that is a whole word, which the explorer masks at first."""
    return [
        t
        for t, (token, after) in enumerate(zip(tokens, [*tokens[1:], ""]))
        if token.isalnum() and not after.startswith("##")
    ][-1]


def typed(page, texts):
    """Return the milliseconds until a text is drawn, without the first text, which warms up."""
    page.wait_for_selector('.mb[aria-busy="false"]')
    times = [page.evaluate(TYPE, text) for text in texts]
    if page.is_visible(".mb-error"):
        raise RuntimeError(page.inner_text(".mb-error"))
    return Spread.of(np.array(times[1:]))


def in_the_page(report, browser, name, model, texts, folder):
    path = Path(folder) / f"{name}.html"
    size = write_page(model, path)
    page = browser.new_page(bypass_csp=True)  # otherwise the page's policy blocks the timing script
    page.goto(path.as_uri())
    report.add(
        "The page",
        name,
        "a new sentence, from Enter to the drawing",
        typed(page, texts * 2),
        "ms",
        f"{size / 1e6:.1f} MB",
    )


def in_a_notebook(report, browser, name, model, texts):
    found = {text: passes(model, text) for text in texts}
    answers = {
        text + question: {"header": header, "data": base64.b64encode(data).decode()}
        for text, (both, _) in found.items()
        for question, (header, data) in both.items()
    }
    sizes = [len(data) for both, _ in found.values() for _, data in both.values()]
    report.add(
        "A notebook",
        name,
        "two passes in the kernel",
        Spread.of(np.array([1000 * seconds for _, seconds in found.values()])),
        "ms",
        f"messages of at most {max(sizes) / 1e6:.2f} MB",
    )
    page = browser.new_page()
    page.set_content(PAGE.format(style=CSS, script=one_script("widget")))
    page.evaluate("given => Object.assign(window.answers, given)", answers)
    page.evaluate("text => begin(text)", texts[0])
    report.add("A notebook", name, "reading both messages and drawing", typed(page, texts[1:] * 2), "ms")


def main():
    report = BenchmarkReport(places.RESULTS, "explorer")
    lines = [document.sentences[0] for document in World(7).documents(len(ENGLISH), seed=1, split="dev")]
    ours, english = (
        ("the course's model", minibert.load(), lines),
        ("English", minibert.load("english"), ENGLISH),
    )
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        in_the_page(report, browser, *ours, folder)
        for model in (ours, english):
            in_a_notebook(report, browser, *model)


if __name__ == "__main__":
    main()
