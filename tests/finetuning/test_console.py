"""Typing to a model, colours where they are wanted, and a page that needs nothing else."""

import io
import xml.etree.ElementTree as ET

import pytest
from echo import Characters, capitals, echo

from minibert.finetuning.console import (
    FILLS,
    converse,
    entities_page,
    mark,
    page_of_file,
    page_of_text,
    supports_colour,
)
from minibert.tasks.tagging import Tagging


class Terminal(io.StringIO):
    def isatty(self):
        return True


def talk(tuned, text, **options):
    out = options.pop("out", io.StringIO())
    converse(tuned, iter(io.StringIO(text)), out, **options)
    return out.getvalue()


def test_a_passage_is_typed_once_then_questions_until_the_end():
    said = talk(echo(), "Eva sang in Rome.\nBo slept.\n\nRome\nslept\n")
    assert [line.split("  ")[0] for line in said.splitlines()] == ["Rome", "slept"] and said.count("%)") == 2


def test_a_blank_line_asks_for_another_passage():
    said = talk(echo(unanswerable=True), "Eva sang.\n\nEva\nBo\n\nBo slept.\n\nBo\n")
    assert [line.split("  ")[0] for line in said.splitlines()] == ["Eva", "(no answer)", "Bo"]


def test_a_reply_may_have_a_line_with_a_probability_for_each_answer():
    said = talk(echo(unanswerable=True), "Rome\n", context="Eva sang in Rome.", probabilities=True)
    assert len(said.splitlines()) == 5 and said.splitlines()[0].endswith("%  Rome")
    assert "%  (no answer)\n" in said


@pytest.mark.parametrize("text", ["", "\n\n", "Eva sang.", "Eva sang.\n\n"])
def test_the_end_of_the_input_is_quiet(text):
    assert talk(echo(), text) == "" == talk(capitals(), "")


def test_a_passage_may_be_given_beforehand_and_prompts_go_elsewhere():
    prompts = io.StringIO()
    assert talk(echo(), "Eva\n", context="Eva sang.", prompts=prompts).startswith("Eva  (")
    assert prompts.getvalue().startswith("question> question> ")


def test_a_line_that_cannot_be_read_does_not_end_the_talk():
    assert (
        talk(echo(), "Eva\udce9 x\nEva\n", context="Eva sang.")
        .splitlines()[0]
        .startswith("(the question contains half")
    )
    assert talk(capitals(), "\x00\nX is far\n") == "(the text is empty)\n[X LOC] is far\n"


def test_entities_are_coloured_only_where_a_terminal_shows_it(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    shown = talk(capitals(), "Mira left X\n", out=Terminal())
    assert "\x1b[30;102m[Mira PER]\x1b[0m left \x1b[30;106m[X LOC]\x1b[0m" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    assert talk(capitals(), "Mira left X\n", out=Terminal()) == "[Mira PER] left [X LOC]\n"


@pytest.mark.parametrize(
    "stream, environment, coloured",
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_without_no_color(stream, environment, coloured):
    assert supports_colour(stream, environment) == coloured


def page(path):
    """The parsed page, and its text."""
    text = path.read_text(encoding="utf-8")
    return ET.fromstring(text.replace("<!doctype html>", "").replace('<meta charset="utf-8">', "")), text


def test_a_page_escapes_what_it_shows_and_names_every_type(tmp_path):
    path = tmp_path / "page.html"
    assert page_of_text(capitals(), "Mira <script>\n\nX & bo", path) == 2
    tree, text = page(path)
    paragraphs = list(tree.iter("p"))
    assert ["".join(p.itertext()) for p in paragraphs] == ["Mira PER <script>", "X LOC & bo"]
    assert all(p.get("dir") == "auto" for p in paragraphs)
    assert "<script" not in text
    assert "http" not in text
    assert "src=" not in text
    assert ["".join(item.itertext()) for item in tree.iter("li")] == ["LOC", "PER"]
    legend = {"".join(item.itertext()): item.find("mark").get("class") for item in tree.iter("li")}
    marks = [(m.find("b").text, m.get("class")) for p in paragraphs for m in p.iter("mark")]
    assert marks == [("PER", legend["PER"]), ("LOC", legend["LOC"])]


def test_a_file_of_sentences_becomes_a_page(tmp_path):
    (tmp_path / "x.conll").write_text("M<i>&a O\nleft O\n\nX O\n")
    assert page_of_file(capitals(), tmp_path / "x.conll", tmp_path / "page.html") == 2
    tree, _ = page(tmp_path / "page.html")
    assert ["".join(p.itertext()) for p in tree.iter("p")] == ["M<i>&a PER left", "X LOC"]


def test_a_page_has_the_answers_of_the_file_as_a_whole(tmp_path):
    """With document_context a sentence is read among those of its document, however many there are."""
    tuned, seen = capitals(), []
    predict = tuned.task.predict
    tuned.task.predict = lambda model, examples: seen.append(len(examples)) or predict(model, examples)
    (tmp_path / "x.conll").write_text("Mo O\n\n" * 300)
    assert page_of_file(tuned, tmp_path / "x.conll", tmp_path / "page.html") == 300 and seen == [300]


def test_more_types_than_colours_still_have_their_names(tmp_path):
    task = Tagging(Characters(), 9, [f"B-T{i}" for i in range(len(FILLS) + 2)])
    assert entities_page(tmp_path / "p.html", task, [(task.example("ab"), task.tags[-1:])]) == 1
    assert f"<bdi>ab</bdi> <b>{task.types[-1]}</b>" in (tmp_path / "p.html").read_text()
    assert mark("a", "T<", len(FILLS)) == mark("a", "T<", 0) and "T&lt;" in mark("a", "T<", 0)


def test_a_text_without_words_leaves_no_page(tmp_path):
    with pytest.raises(ValueError, match="the text is empty"):
        page_of_text(capitals(), " \n", tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
