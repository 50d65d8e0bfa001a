"""Figures that lessons and pages quote were measured, and on text that the English model did not train on."""

import json
import re

from conftest import ROOT

from minibert.course import tables
from minibert.course.models.english import english
from minibert.course.unit01.views.english import NINE
from minibert.course.widgets.guess import percent
from minibert.english.everyday import everyday


def test_what_the_page_of_results_and_the_lesson_say_of_a_gpu_was_measured():
    rows = json.loads((ROOT / "benchmarks/results/gpu.json").read_text())["rows"]
    speed = {row["model"]: row["value"]["median"] for row in rows if row["what"] == "minibert, compiled"}
    ratio = {row["model"]: row["note"].split()[-4] for row in rows if row["what"] == "Hugging Face, compiled"}
    share = [row["value"]["median"] for row in rows if row["what"].startswith("minibert, compiled: share")]
    short, long = speed
    said = " ".join((ROOT / "docs" / "results.md").read_text().split())
    speeds = (
        f"{speed[short] / 1e3:.0f},000 tokens a second in sequences of 128 tokens",
        f"{speed[long] / 1e3:.0f},000 in",
    )
    assert all(figure in said for figure in speeds) and f"{share[0]:.0f} and {share[1]:.0f}%" in said
    assert f"{ratio[short]} and {ratio[long]} times" in said
    lesson = (ROOT / "lessons/05_pretraining.nb.py").read_text()
    hours = 256 * (9e5 * 128 / speed[short] + 1e5 * 512 / speed[long]) / 3600
    assert all(figure in lesson for figure in speeds) and f"card {hours:.0f} hours" in lesson


def fives(text):
    """Every five words in a row; a gap is None."""
    words = [None if word == "[mask]" else word for word in re.findall(r"\[mask\]|[a-z']+", text.lower())]
    return [tuple(words[start : start + 5]) for start in range(len(words) - 4)]


def test_no_line_to_train_on_has_five_words_in_a_row_of_a_sentence_to_test_with(script):
    english = script("english")
    asked = {five for text, _ in [*everyday(), *english.fresh()] for five in fives(text)}
    assert len(english.fresh()) == 60
    near = ["Yesterday I went to the farm to get some eggs.", "I wrote her a long story."]
    lines = [*script("english_text").everyday_lines(), *near]
    shared = [
        line
        for line in lines
        for five in fives(line)
        if asked & {five, *((*five[:gap], None, *five[gap + 1 :]) for gap in range(5))}
    ]
    assert set(shared) == set(near)  # one of the forty, one of the sixty


def test_the_page_is_what_is_kept_of_the_runs(script):
    table = script("english_table")
    assert table.page(table.kept_results()) == table.OUT.read_text(encoding="utf-8")


def test_lesson_1_says_how_much_was_masked_in_training(script):
    lesson = (ROOT / "lessons/01_self_supervision.nb.py").read_text()
    assert f"The English model's last training masked {script('english').RATE:.0%}," in lesson


def test_what_lesson_1_says_of_the_english_models_answers_is_what_it_answers(english_encoder):
    lesson = " ".join((ROOT / "lessons/01_self_supervision.nb.py").read_text().replace("\n# ", " ").split())

    def filled(text):
        return english().fill_mask(text)[0]

    brushed = dict(filled("She brushed her [MASK] and went to bed."))
    assert f"*hair* {percent(brushed['hair'])} and *teeth* {percent(brushed['teeth'])}" in lesson
    (word, share), *_ = filled("He plays the [MASK] in a rock band.")
    assert f"*{word}* comes first ({percent(share)})" in lesson
    (word, share), *_ = filled("A bird cannot [MASK].")
    assert f"A bird *cannot {word}*, says the model ({percent(share)})" in lesson
    misses = [(text, word) for text, right in NINE if (word := filled(text)[0][0]) != right]
    repeated = [word for text, word in misses if word in text.lower().split()]
    count = "no one two three four five six seven eight nine".split()
    assert f"{count[len(repeated)].title()} of the {count[len(misses)]} misses repeat a word" in lesson


def test_what_lesson_5_says_of_a_small_bert_on_a_gpu_was_measured(script):
    runs = json.loads((ROOT / "benchmarks/results/english.json").read_text())["runs"]
    scratch, ships = runs["scratch"]["card"], runs["mlm"]["card"]
    lesson = " ".join((ROOT / "lessons/05_pretraining.nb.py").read_text().replace("\n# ", " ").split())
    assert "H100" in scratch["device"]
    said = (
        f"After {scratch['tokens'] / 1e6:.0f} million tokens of books, Wikipedia and web pages, which "
        f"took {60 * scratch['hours']:.0f} minutes, it predicted {scratch['as BERT counts']['books']}%"
    )
    read = script("english_table").spent(ships, "tokens")
    known = f"read another {read / 1e6:.0f} million tokens: {ships['as BERT counts']['books']}%"
    assert said in lesson and known in lesson


def test_what_lesson_11_says_of_the_layers_that_students_start_with_was_measured():
    table = tables.stored("small_berts")
    lesson = " ".join((ROOT / "lessons/11_small_berts.nb.py").read_text().replace("\n# ", " ").split())
    dev, recipe = table["dev by layers kept"], table["recipe"]
    assert table["layers kept"] == max(dev, key=dev.get) == "every"
    assert (
        f"every second layer won ({dev['every']:.0f}% of {recipe['dev']} reviews that the teacher knew; the "
        f"bottom half {dev['bottom']:.0f}%, the top half {dev['top']:.0f}%)"
    ) in lesson
    assert f"{recipe['train']:,} reviews twice" in lesson and recipe["epochs"] == 2
    assert f"or *all* {4000 - recipe['dev']:,}; all models are scored on 600 others" in lesson
