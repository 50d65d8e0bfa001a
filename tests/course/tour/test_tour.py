"""The whole tour at a tiny size: every stage runs, the report stands alone, an interrupted tour goes on."""

import json
import re

import pytest
from conftest import ROOT

from minibert.course.models import class_model
from minibert.course.tour import TourConfig, run, tour

pytestmark = pytest.mark.slow  # most of it is the tour itself

TINY = TourConfig(
    documents=60,
    vocab_size=400,
    preset="class",
    max_length=128,
    steps=6,
    batch_size=4,
    questions=12,
    sentences=12,
    qa_steps=3,
    ner_steps=3,
    test_documents=12,
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    patch = pytest.MonkeyPatch()
    patch.setattr(class_model.platformdirs, "user_cache_dir", lambda name: str(folder))
    yield folder
    patch.undo()


@pytest.fixture(scope="module")
def toured(tmp_path_factory, cache):
    out = tmp_path_factory.mktemp("tour")
    return out, tour(out, TINY, ROOT, "cpu")


def test_the_table_compares_every_figure_with_what_it_has_to_beat(toured):
    out, figures = toured
    table = json.loads((out / "tour.json").read_text())["table"]
    assert {
        "Masked words, accuracy %",
        "Next sentence, accuracy %",
        "QA exact match",
        "QA F1",
        "NER entity F1",
    } <= {row["what"] for row in table}
    assert figures["pretraining"]["reading"]["model"] < figures["pretraining"]["reading"]["best"] > 60
    assert all(0 <= row["ours"] <= 100 and row["beside"] >= 0 and row["note"] for row in table)


def test_the_right_submission_gets_all_points_and_each_wrong_one_a_hint(toured):
    right, *wrong, blank = toured[1]["grading"]["submissions"]
    assert right["points"] == right["max_points"] > 0 and not right["hints"]
    assert blank["points"] == 0
    for submission in wrong:
        assert 0 < submission["points"] < submission["max_points"] and submission["hints"]
    assert "Divide them by the square root" in wrong[0]["hints"][0]


def test_the_report_needs_no_other_file_and_no_network(toured):
    text = (toured[0] / "report.html").read_text()
    assert "<h2>In real English</h2>" in text
    assert (
        not re.search(r'(src|href)\s*=\s*"(?!#)(?!data:)', text.replace("xlink:href", ""))
        and "<script" not in text
    )
    assert text.count("<svg") >= 4 and text.count('<svg role="img" aria-label="') == text.count("<svg ")


def test_the_model_is_left_in_the_cache_for_the_lessons(toured, cache):
    assert (cache / "class_model" / "model.safetensors").is_file()
    model, tokenizer = class_model.class_model()
    (guesses,) = class_model.fill_masks(model, tokenizer, "She was born in [MASK] .", top=3)
    assert len(guesses) == 3 and 0 < sum(p for _, p in guesses) <= 1


def test_an_interrupted_tour_goes_on_at_the_first_stage_that_is_not_done(toured, monkeypatch, capsys):
    out, first = toured
    (out / "tour.json").unlink()
    (out / "stages" / "grading.json").unlink()
    for name in ("language", "vocabulary", "pretraining", "task"):
        monkeypatch.setattr(run, name, None)
    monkeypatch.setattr(run, "grade_samples", lambda root: first["grading"]["submissions"])
    again = tour(out, TINY, ROOT, "cpu")
    assert again["pretraining"] == first["pretraining"]
    assert "[3/6] pretraining: already done" in capsys.readouterr().out


def test_a_finished_tour_begins_anew(toured, monkeypatch):
    class Began(Exception):
        pass

    def began(*args, **kwargs):
        raise Began

    monkeypatch.setattr(run, "language", began)
    with pytest.raises(Began):
        tour(toured[0], TINY, ROOT, "cpu")
