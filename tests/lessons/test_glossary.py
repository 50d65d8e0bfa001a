"""The glossary: each term is introduced in bold, in a sentence, before any lesson uses it."""

import pytest
from conftest import ROOT

from minibert.grading.author.glossary import TERMS, glossary, problems

LESSON = """# %% [markdown]
# # 1 · A title
#
# **After this lesson you can** say what a token is.
#
# Text is cut into pieces.
{used}
# ## Pieces
#
# Each of them is a **token**: a word, or a part of one. Another sentence.
"""


@pytest.fixture
def lessons(tmp_path):
    def write(used="#", terms="token | input_ids\n", later=""):
        (tmp_path / "01_a.nb.py").write_text(LESSON.format(used=used), "utf-8")
        (tmp_path / "02_b.nb.py").write_text(f"# %% [markdown]\n# # 2 · Later\n#\n# {later}\n", "utf-8")
        (tmp_path / TERMS).write_text(terms, "utf-8")
        return tmp_path

    return write


def test_a_term_stands_with_its_sentence_its_place_and_the_name_of_the_library(lessons):
    assert glossary(lessons()).splitlines()[-1] == (
        "| **token** | Each of them is a token: a word, or a part of one. | "
        "[lesson 1, Pieces](01_a.ipynb) | `input_ids` |"
    )


@pytest.mark.parametrize(
    "change, said",
    [
        ({}, []),
        (
            {"used": "# Tokens come next."},
            ["token: used in lesson 1, '1 · A title', but introduced in lesson 1, 'Pieces'"],
        ),
        ({"terms": "token\nmask\n"}, ["mask: no lesson introduces it in bold"]),
        ({"terms": "pair\n", "later": "A **pair** is two."}, []),
        (
            {"terms": "piece\n", "later": "A **piece** is one."},
            ["piece: used in lesson 1, '1 · A title', but introduced in lesson 2, '2 · Later'"],
        ),
        ({"terms": "kept\n", "used": "# `kept` is code."}, ["kept: no lesson introduces it in bold"]),
    ],
)
def test_what_is_wrong_with_a_term_is_said(lessons, change, said):
    assert problems(lessons(**change)) == said


def test_a_notebook_for_a_class_stands_outside_the_order(lessons):
    folder = lessons()
    for name, text in (("00_in_class", "Tokens are words."), ("01_in_class", "A **token** is a word.")):
        (folder / f"{name}.nb.py").write_text(f"# %% [markdown]\n# # Title\n#\n# {text}\n", "utf-8")
    assert not problems(folder) and "(01_a.ipynb)" in glossary(folder)


def test_every_term_is_introduced_before_it_is_used():
    assert not problems(ROOT / "lessons")


def test_the_glossary_has_the_words_of_the_field():
    page = glossary(ROOT / "lessons")
    assert page.count("\n| **") == len((ROOT / "lessons" / TERMS).read_text("utf-8").splitlines()) > 60
