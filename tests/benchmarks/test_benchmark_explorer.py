"""The explorer's benchmark asks the kernel what the browser would ask."""

import pytest
from little_bert import TOKENIZER, model_with

from minibert.bench.table import BenchmarkReport
from minibert.model.checkpoints.pretrained import Pretrained

pytest.importorskip("playwright", reason="no playwright on this machine (pip install playwright)")


@pytest.mark.parametrize(
    "tokens, place",
    [(["[CLS]", "she", "swam", ".", "[SEP]"], 2), (["[CLS]", "a", "glass", "##blower", ".", "[SEP]"], 1)],
)
def test_the_last_whole_word_is_masked(script, tokens, place):
    assert script("explorer").last_word(tokens) == place


@pytest.mark.slow
@pytest.mark.browser
def test_the_browser_finds_both_passes_of_each_sentence(script, program, tmp_path):
    from playwright.sync_api import sync_playwright

    module, report = script("explorer"), BenchmarkReport(tmp_path, "explorer")
    lines = ["Mira sings.", "A song of the sea.", "Mira sings in Ashby."]
    model = Pretrained(model_with("tokens", "pair"), TOKENIZER, name="little")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu"])
        module.in_the_page(report, browser, "little", model, lines, tmp_path)
        module.in_a_notebook(report, browser, "little", model, lines)
    assert [row.value.median > 0 for row in report.rows] == [True] * 3
