"""Opinions in the forms of their first publications, beside GLUE's table: trees, and a file for each side.

Socher et al. (2013, aclanthology.org/D13-1170) for the trees of SST-5; Pang and Lee (2005, arXiv cs/0506075)
for `.pos` and `.neg`, one sentence a line.
"""
import re
from pathlib import Path

from .columns import lines, whole
from .glue import TextExample, iter_glue
from .utf8_text import CorpusError

SIDES = {".neg": "0", ".pos": "1"}                      # the labels of GLUE's SST-2
LEAF = re.compile(r"\([0-4] ([^()\s]+)\)")              # a word of a tree, with its own label
SIGNS = (("-LRB-", "("), ("-RRB-", ")"), (r"\/", "/"))  # as written in a tree, and as meant


def iter_sst2(path, labelled=True):
    """The examples of GLUE's SST-2, one by one; for a path that ends in .pos or .neg, those of both such
    files, the negative ones first.

    Raises CorpusError as `iter_glue`.
    """
    path = Path(path)
    if path.suffix not in SIDES:
        yield from iter_glue("sst2", path, labelled)
        return
    found = ((text.strip(), label, line) for side, label in SIDES.items()
             for line, text in lines(path.with_suffix(side)))
    for place, (text, label, line) in enumerate(found):
        yield TextExample(text, None, label if labelled else None, str(place), line)


read_sst2 = whole(iter_sst2)


def iter_sst5(path, labelled=True):
    """The examples of SST-5, one by one: a whole tree a line, or a label from 0 to 4 and a sentence with a
    tab between.

    Of a tree its root is taken. Raises CorpusError for a line that is no tree among trees, and as
    `iter_glue`.
    """
    _, first = next(lines(path))
    if not first.lstrip().startswith("("):
        yield from iter_glue("sst5", path, labelled)
        return
    for place, (line, text) in enumerate(lines(path)):
        text = text.strip()
        words = LEAF.findall(text)
        if not words or not re.fullmatch(r"\([0-4] .*\)", text) or text.count("(") != text.count(")"):
            raise CorpusError.at(path, "no tree: (LABEL ...) with labels from 0 to 4 and as many ) as (",
                                 line)
        sentence = " ".join(words)
        for written, meant in SIGNS:
            sentence = sentence.replace(written, meant)
        yield TextExample(sentence, None, text[1] if labelled else None, str(place), line)


read_sst5 = whole(iter_sst5)
