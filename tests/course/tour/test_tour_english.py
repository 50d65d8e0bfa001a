"""The report's examples in real English: what each model says stands there, escaped; without them, why."""

from minibert.course.tour import english
from minibert.english.published import EnglishMissing
from minibert.tasks.records import NamedEntity


class Said:
    """Answers of four models."""

    def fill_mask(self, text):
        sure = 0.5 + 0.1 * ("Paris" in text)
        return [[("france" if "Paris" in text else "<bread>", sure), ("milk", 0.25)]]

    def predict(self, text=None, question=None, context=None):
        if question:
            return "Thomas <Bell>" if "Who" in question else ""
        return [NamedEntity("Berlin", "LOC", 37, 43)] if text == english.NEWS else "positive"


def test_it_shows_what_the_models_say(monkeypatch, tmp_path):
    monkeypatch.setattr(english, "as_pretrained", lambda name: Said())
    monkeypatch.setattr(english, "as_finetuned", lambda name, device: Said())
    page = english.english_section(tmp_path)
    assert page.count("&lt;bread&gt; 50%, milk 25%.") == english.SHOWN - 1
    assert page.count("Paris is the capital of [MASK]. france 60%") == 1
    assert (tmp_path / "english.svg").read_text().startswith("<svg")
    assert "Who built the lighthouse? <b>Thomas &lt;Bell&gt;</b>" in page and "<b>(no answer)</b>" in page
    assert ">Berlin<sub> LOC</sub></mark> on Monday" in page
    assert page.count("<b>positive</b>") == len(english.REVIEWS)


def test_without_the_encoder_it_says_how_to_get_it(monkeypatch, tmp_path):
    def missing(name):
        raise EnglishMissing("no <network>: `minibert download english` gets it")

    monkeypatch.setattr(english, "as_pretrained", missing)
    assert english.english_section(tmp_path) == (
        "<p>no &lt;network&gt;: `minibert download english` gets it</p>"
    )
