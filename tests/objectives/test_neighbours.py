"""An objective is read as the diff against the neighbour that its file names: these diffs stay short."""

import ast
import difflib
import re
from pathlib import Path

import pytest

import minibert.objectives

FILES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted(Path(minibert.objectives.__file__).parent.glob("*.py"))
}
NEIGHBOURS = [
    (name, other)
    for name, text in FILES.items()
    for other in dict.fromkeys(re.findall(r"`(\w+)`", ast.get_docstring(ast.parse(text))))
    if other in FILES
]
LIMIT = 40  # lines that a reader of the neighbour does not know yet
LONGER = {"rtd": "a second network, and a step of its own"}


def code(text):
    """The lines after the file's docstring, without empty ones."""
    return [line for line in text.splitlines()[ast.parse(text).body[0].end_lineno :] if line.strip()]


def changed(old, new):
    """How many lines `new` adds to `old`, and how many of `old` it does without."""
    blocks = [
        block
        for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if block[0] != "equal"
    ]
    return sum(j2 - j1 for *_, j1, j2 in blocks), sum(i2 - i1 for _, i1, i2, *_ in blocks)


def test_every_objective_but_the_first_two_names_its_neighbour():
    assert set(FILES) - {name for name, _ in NEIGHBOURS} == set("__init__ base sum static mlm nsp".split())
    assert {("bilm", "clm"), ("clm", "mlm"), ("rtd", "mlm")} <= {*NEIGHBOURS}  # ELMo, GPT, BERT, ELECTRA


@pytest.mark.parametrize("name, other", NEIGHBOURS)
def test_a_neighbour_is_a_short_diff_away(name, other):
    added, _ = changed(code(FILES[other]), code(FILES[name]))
    assert (added < LIMIT) == (name not in LONGER), f"{name}.py adds {added} lines to {other}.py"
