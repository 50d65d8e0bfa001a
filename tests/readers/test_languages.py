"""Texts in many scripts and layouts: the sentences of `languages.txt` come back, whatever the layout."""

import textwrap
from pathlib import Path

import pytest

from minibert.readers.layouts import FEW, MEANINGS
from minibert.readers.plain_text import describe_layouts, read_documents

# {language: three paragraphs of four sentences each}, divided by hand
TEXTS = {
    language: [paragraph.splitlines() for paragraph in body.strip().split("\n\n")]
    for language, body in (
        part.split("\n", 1)
        for part in Path(__file__).with_name("languages.txt").read_text("utf-8")[2:].split("\n# ")
    )
}
UNSPACED = ("Chinese", "Japanese")
UNCASED = (*UNSPACED, "Korean", "Hindi", "Arabic", "Urdu", "Hebrew", "Georgian", "Amharic")  # no hyphenation


def lines(paragraph, language):
    """Wrap a paragraph at a margin."""
    if language in UNSPACED:
        return textwrap.wrap("".join(paragraph), 22, drop_whitespace=False)
    return textwrap.wrap(" ".join(paragraph), 44, break_on_hyphens=False)


def one(paragraph, language):
    return ("" if language in UNSPACED else " ").join(paragraph)


def hyphenated(paragraph):
    """Wrap a paragraph, and divide each word that does not fit into its line."""
    found = [""]
    for word in " ".join(paragraph).split():
        room = 36 - len(found[-1])
        if room < len(word) and room > 3 and word[:5].isalpha():
            found[-1] += f" {word[:2]}-"
            found.append(word[2:])
        elif room < len(word):
            found.append(word)
        else:
            found[-1] = f"{found[-1]} {word}".strip()
    return found


def layouts(text, language):
    """Return {name: (recognised layout, content of a file, documents)}."""
    flat = [sentence for paragraph in text for sentence in paragraph]
    ones = [one(paragraph, language) for paragraph in text]
    blocks = [lines(paragraph, language) for paragraph in text]
    cues = [line for block in blocks for line in block]
    times = "{}\n00:00:{:02},000 --> 00:00:{:02},500\n<i>{}</i>\n"
    found = {
        "hyphenated": ("wrapped", "\n\n".join("\n".join(hyphenated(part)) for part in text), [flat]),
        "a sentence per line": ("sentences", "\n\n".join(map("\n".join, text)), text),
        "sentences without marks": ("sentences", *bare(text)),
        "a paragraph per line": ("paragraphs", "\n\n".join(["\n".join(ones)] * 2), [flat] * 2),
        "a document per line": ("documents", "\n".join(ones), text),
        "a paragraph per block": ("prose", "\n\n".join(ones), [flat]),
        "one line": ("prose", one(flat, language), [flat]),
        "wrapped": ("wrapped", "\n\n".join(map("\n".join, blocks)), [flat]),
        "wrapped, Windows": ("wrapped", "\r\n\r\n".join(map("\r\n".join, blocks)), [flat]),
        "wrapped in pages": ("wrapped", "\n\n".join(map("\n\f\n".join, blocks)), [flat]),
        "wrapped and indented": ("wrapped", "\n".join("  " + "\n".join(block) for block in blocks), [flat]),
        "subtitles": (
            "subtitles",
            "\n".join(times.format(n, n, n, cue) for n, cue in enumerate(cues)),
            [flat],
        ),
    }
    return {name: case for name, case in found.items() if name != "hyphenated" or language not in UNCASED}


def bare(text):
    """Return a text and documents whose sentences have no mark, except the first of each document."""
    found = [
        [first, *(sentence.rstrip(".!?…。！？।؟۔։።፧;”»“ ") for sentence in rest)] for first, *rest in text
    ]
    return "\n\n".join(map("\n".join, found)), found


CASES = [
    (language, name, *case)
    for language, text in TEXTS.items()
    for name, case in layouts(text, language).items()
]


@pytest.mark.parametrize(
    "language, name, layout, content, documents", CASES, ids=lambda value: str(value)[:20]
)
def test_the_sentences_of_a_text_come_back_in_every_layout(
    tmp_path, language, name, layout, content, documents
):
    path = tmp_path / "text.txt"
    path.write_bytes(content.encode())
    lines = sum(bool(line.strip()) for line in content.splitlines())
    doubt = "too few lines to be sure; " if 1 < lines < FEW else ""
    assert (
        next(describe_layouts(path)) == f"{path}: read as {layout}: {MEANINGS[layout]} ({doubt}see --layout)"
    )
    assert read_documents(path) == documents
