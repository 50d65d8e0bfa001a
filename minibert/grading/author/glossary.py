"""Build the glossary of all lessons: each term, with the sentence that introduces it.

`lessons/terms.txt` has one term per line, and after a vertical bar its name in Hugging Face's API, if it has
one: `token type ids | token_type_ids`. `minibert build` writes `lessons/glossary.md`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..notebook import SUFFIX, from_source, is_in_class

TERMS = "terms.txt"
HEAD = """# Glossary

Technical terms in alphabetical order, each with the sentence that introduces it in a lesson.
The last column gives the term's name in Hugging Face's API, if it has one.
`minibert build` generates this page from the lessons.

| term | what it is | introduced in | in Hugging Face's API |
| --- | --- | --- | --- |
"""
HEADING = re.compile(r"^#+ +(.+)$", re.M)
CODE = re.compile(r"```.*?```|^\$\$.*?\$\$", re.S | re.M)
# learning goals, which name terms before they are introduced
PROMISES = re.compile(r"\*\*After this lesson you can\*\*.*?(?=\n\n(?!- )|\Z)", re.S)
UNCHECKED = re.compile(r"^\|.*$|(?<!\*)\*(?!\*)[^*]+\*(?!\*)", re.M)  # tables, and titles in italics
POINTER = re.compile(r"[^.]{0,60}\((lesson|section) \d")  # announces where the term will be introduced
BETWEEN = re.compile(r"(?<=[.!?:])\s+(?=[A-Z*`\[“\"])|\n\n+|\n(?=- |\d+\. |\|)")


@dataclass(frozen=True)
class Place:
    """A piece of a lesson's text, with the lesson's file and number, and the heading above it."""

    text: str
    file: str
    number: int
    section: str


@dataclass(frozen=True)
class Term:
    """A term, its name in Hugging Face's API (or ""), and the sentence and place where it is introduced."""

    name: str
    api: str
    place: Place | None
    sentence: str


def places(folder: Path) -> Iterator[Place]:
    """Yield the Markdown text of all lessons in order, without code, headings or learning goals."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        if is_in_class(path):  # only repeats terms from the lessons
            continue
        section = ""
        for cell in from_source(path.read_text("utf-8"), path.name).cells:
            if cell.cell_type != "markdown":
                continue
            for text in re.split(r"^(?=#+ )", PROMISES.sub("", CODE.sub("", cell.source)), flags=re.M):
                section = next(iter(HEADING.findall(text)), section)
                yield Place(
                    HEADING.sub("", text),
                    path.name.removesuffix(SUFFIX) + ".ipynb",
                    int(path.name[:2]),
                    section,
                )


def words_of(name: str) -> str:
    """Return a regular expression that finds a term in the singular or plural, even across a line break."""
    return r"\s+".join(map(re.escape, name.split())) + "(?:s|es)?"


def in_bold(name: str) -> re.Pattern:
    """Return a regular expression for a term in bold, regardless of case."""
    return re.compile(rf"\*\*{words_of(name)}\*\*", re.I)


def terms(folder: Path, cells: Sequence[Place]) -> list[Term]:
    """Return the terms in `terms.txt`, each with the first sentence that contains it in bold."""
    found = []
    for line in (folder / TERMS).read_text("utf-8").splitlines():
        name, _, api = (part.strip() for part in line.partition("|"))
        place = next((cell for cell in cells if in_bold(name).search(cell.text)), None)
        said = BETWEEN.split(place.text) if place else [""]
        sentence = next((one for one in said if in_bold(name).search(one)), "")
        found.append(Term(name, api, place, " ".join(sentence.removeprefix("- ").split())))
    return sorted(found, key=lambda term: term.name.lower())


def glossary(folder: Path) -> str:
    """Return the glossary page as Markdown, made from the lessons in `folder`."""
    lines = []
    for term in terms(folder, list(places(folder))):
        if term.place:
            where = f"[lesson {term.place.number}, {term.place.section}]({term.place.file})"
            sentence = term.sentence.replace("**", "").strip("| ").replace(" | ", ": ")
            lines.append(f"| **{term.name}** | {sentence} | {where} | {term.api and f'`{term.api}`'} |\n")
    return HEAD + "".join(lines)


def problems(folder: Path) -> list[str]:
    """Return a line for each term that no lesson introduces, or that is used before it is introduced.

    A term may appear earlier in a table, or before a reference such as "(lesson 3)".
    """
    cells, said = list(places(folder)), []
    for term in terms(folder, cells):
        if term.place is None:
            said.append(f"{term.name}: no lesson introduces it in bold")
            continue
        word = re.compile(rf"(?<![-\w]){words_of(term.name)}\b", re.I)
        for cell in cells:
            bold = in_bold(term.name).search(cell.text)
            before = UNCHECKED.sub("", cell.text[: bold.start()] if bold else cell.text)
            if any(not POINTER.match(before[use.end() :]) for use in word.finditer(before)):
                said.append(
                    f"{term.name}: used in lesson {cell.number}, {cell.section!r}, "
                    f"but introduced in lesson {term.place.number}, {term.place.section!r}"
                )
                break
            if bold:
                break
    return said
