"""Readers for sentiment data in formats other than GLUE's table: trees, and one file per label.

Socher et al. (2013, aclanthology.org/D13-1170) for the trees of SST-5; Pang and Lee (2005, arXiv cs/0506075)
for `.pos` and `.neg`, with one sentence per line.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from .glue import TextExample, iter_glue
from .tabular import nonblank_lines
from .utf8_text import CorpusError

SIDES = {".neg": "0", ".pos": "1"}  # labels as in GLUE's SST-2
LEAF = re.compile(r"\([0-4] ([^()\s]+)\)")  # a word of a tree, with its own label
SIGNS = (("-LRB-", "("), ("-RRB-", ")"), (r"\/", "/"))  # the form in a tree, and the character


def iter_sst2(
    path: str | Path,
    labelled: bool = True,
    columns: Mapping[str, str] | None = None,
    stored: Mapping[str, str] | None = None,
) -> Iterator[TextExample]:
    """Yield the examples of SST-2, from GLUE's table or from a pair of .neg and .pos files.

    If the path ends in .pos or .neg, both files are read, the negative one first. columns, stored: see
    `iter_glue`. Raises CorpusError like `iter_glue`.
    """
    path = Path(path)
    if path.suffix not in SIDES:
        yield from iter_glue("sst2", path, labelled, columns, stored)
        return
    other = path.with_suffix(".neg" if path.suffix == ".pos" else ".pos")
    if path.exists() and not other.exists():
        raise CorpusError.at(other, f"no such file; SST-2 needs it besides {path.name}")
    found = (
        (text.strip(), label, line)
        for side, label in SIDES.items()
        for line, text in nonblank_lines(path.with_suffix(side))
    )
    for place, (text, label, line) in enumerate(found):
        yield TextExample(text, None, label if labelled else None, str(place), line)


def iter_sst5(
    path: str | Path,
    labelled: bool = True,
    columns: Mapping[str, str] | None = None,
    stored: Mapping[str, str] | None = None,
) -> Iterator[TextExample]:
    """Yield the examples of SST-5 from lines with a tree, or with a label from 0 to 4, a tab and a sentence.

    The label of a tree is the label of its root. columns, stored: see `iter_glue`. Raises CorpusError like
    `iter_glue`, and if a line among trees is not a tree.
    """
    _, first = next(nonblank_lines(path))
    if not first.lstrip().startswith("("):
        yield from iter_glue("sst5", path, labelled, columns, stored)
        return
    for place, (line, text) in enumerate(nonblank_lines(path)):
        text = text.strip()
        words = LEAF.findall(text)
        if not words or not re.fullmatch(r"\([0-4] .*\)", text) or text.count("(") != text.count(")"):
            raise CorpusError.at(
                path,
                "not a tree of the form (LABEL ...), with labels from 0 to 4 and matching parentheses",
                line,
            )
        sentence = " ".join(words)
        for written, meant in SIGNS:
            sentence = sentence.replace(written, meant)
        yield TextExample(sentence, None, text[1] if labelled else None, str(place), line)
