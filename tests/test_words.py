"""The field's words: those that this course once used instead do not come back, in names or in prose."""

import io
import keyword
import re
import tokenize

import pytest
from conftest import ROOT

RETIRED = {  # what is no longer said: the field's word
    r"trunks?": "encoder",
    r"small letters": "lowercase",
    r"hidden (words?|tokens?|pieces?)": "masked tokens",
    r"hid(e|es|ing) (words?|tokens?|pieces?)": "to mask tokens",
    r"row labels?": "sequence-level label",
    r"from random weights": "from scratch",
    r"way to the best": "share of the best reachable accuracy",
    r"opinions?": "sentiment",
    r"parts? of speech": "part-of-speech tag",
    r"short cuts?": "shortcut",
    r"sights?|tally": "visibility; accuracy",
    r"slopes?": "gradient",
    r"dear(er|est)?": "expensive",
    r"(words?|pieces?|token) vectors? of": "embeddings of",
    r"(joins?|joined|joining) (of )?(two |a )?(pieces?|pairs?)": "merge",
    r"the loss falls": "the loss decreases",
    r"as there(?! (is|are))|of which there is|that is none|where there is none": "a full sentence",
}
# Sentences of the generated language are a story's, not a textbook's: there a hill may have slopes.
EXEMPT = ("minibert/generated/sentences/", "minibert/course/texts/passages/")
SOURCES = [
    *(ROOT / "minibert").rglob("*.py"),
    *(ROOT / "benchmarks").glob("*.py"),
    *(ROOT / "scripts").glob("*.py"),
]
PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "Makefile"]
FILES = sorted(
    path for path in [*SOURCES, *PROSE] if not path.relative_to(ROOT).as_posix().startswith(EXEMPT)
)


def words_of(path):
    """(line number, text) of all that a reader reads: names with their parts apart, strings, comments; a page
    of prose whole.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield 1, re.sub(r"\s+", " ", text)
        return
    for part in path.relative_to(ROOT).with_suffix("").parts:
        yield 0, part.replace("_", " ")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            yield token.start[0], re.sub(r"(?<=[a-z])(?=[A-Z])", " ", token.string.replace("_", " "))
        elif (
            token.type in (tokenize.STRING, tokenize.COMMENT)
            or "FSTRING_MIDDLE" in tokenize.tok_name[token.type]
        ):
            yield token.start[0], re.sub(r"\s+(# )?", " ", token.string)


def found(path):
    """["line: phrase (say: the field's word)"] of a file."""
    return [
        f"{line}: {match[0]!r} (say: {instead})"
        for line, text in words_of(path)
        for pattern, instead in RETIRED.items()
        for match in re.finditer(rf"\b({pattern})\b", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_retired_words_do_not_return(path):
    assert not found(path)


def test_a_retired_word_is_found_in_names_strings_and_comments(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page = tmp_path / "my_trunk.py"
    page.write_text('TrunkSize = 1  # small letters\nname = f"a row label"\n', encoding="utf-8")
    assert [line.split(":")[0] for line in found(page)] == ["0", "1", "1", "2"]
