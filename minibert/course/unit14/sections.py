"""The sections of all lessons, and search among them: a question in, the sections that answer it out.

Everything works offline; the vectors are those of the English model, which is trained on sentences.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from minibert.finetuning.search import BM25, VectorIndex, best
from minibert.places import ROOT

HEADING = re.compile(r"^(?:##? .+|### [A-Z] · .+)$", re.MULTILINE)
# sections that explain something, unlike summaries and quizzes
NUMBERED = re.compile(r"## \d+ · (.+)|### [A-Z] · (.+)")
CODE = re.compile(r"```.*?```", re.DOTALL)
MARKUP = re.compile(r"<[^>]+>|\]\([^)]*\)|[*`\[\]$#|]")  # tags, the addresses of links, signs
PASSAGE = 120  # words of a passage, about half of what the English model was trained to read


class Section(NamedTuple):
    """A section of a lesson: the lesson's name, such as "02_attention", the heading, and the text."""

    lesson: str
    title: str
    text: str


def sections(folder: Path = ROOT / "lessons") -> list[Section]:
    """Return the numbered and lettered sections of all lessons in a folder, without their code."""
    return [
        Section(path.stem, title, " ".join(text.split()))
        for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))
        if not path.stem.endswith("in_class")
        for title, text in parts(path)
    ]


def parts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (heading, text) of each numbered or lettered part of a notebook, from its Markdown cells."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = CODE.sub("", text)
    headings = [*HEADING.finditer(text)]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends):
        if found := NUMBERED.match(heading[0]):
            yield found[1] or found[2], MARKUP.sub(" ", text[heading.end() : end])


def passages(section: Section, size: int = PASSAGE) -> list[str]:
    """Divide a section into passages of at most `size` words, each after the section's title."""
    words = section.text.split()
    return [f"{section.title}. {' '.join(words[i : i + size])}" for i in range(0, len(words), size)]


class CourseSearch:
    """An index of sections by their passages; a section has the score of its best passage.

    index: makes an index from a list of texts, such as `BM25`.
    """

    def __init__(self, found: Sequence[Section], index: Callable[[list[str]], BM25 | VectorIndex] = BM25):
        texts = [passages(section) for section in found]
        self.sections, self.starts = list(found), np.cumsum([0, *map(len, texts[:-1])])
        self.index = index([text for some in texts for text in some])

    def scores(self, question: str) -> np.ndarray:
        """Return the score of each section for a question, (N,)."""
        return np.maximum.reduceat(self.index.scores(question), self.starts)

    def ask(self, question: str, k: int = 3) -> list[tuple[Section, float]]:
        """Return the k best sections for a question, with their scores."""
        return [(self.sections[i], score) for i, score in best(self.scores(question), k)]
