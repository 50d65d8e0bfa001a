"""Any bytes in any file give examples, or a ValueError that names the file."""

import contextlib
import json
import logging
from dataclasses import asdict, is_dataclass

import pytest
from fuzzing import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from minibert.readers import READERS
from minibert.readers.conllu import read_trees
from minibert.readers.plain_text import read_documents
from minibert.readers.utf8_text import CorpusError

CONLL = "-DOCSTART- O\n\n# id 7\nMira B-PER\nHarlow I-PER\nsang O\n\nBo B-PER\n"
CONLLU = "# newdoc\n1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsang\tsing\tVERB\tVBD\t_\t0\troot\t_\t_\n"
ANSWER = {"text": "Rome", "answer_start": 12}
QUESTION = {"id": "q1", "question": "Where?", "answers": [ANSWER], "is_impossible": False}
SQUAD = {"data": [{"title": "Eva", "paragraphs": [{"context": "Eva sang in Rome.", "qas": [QUESTION]}]}]}
RACE = {"article": "Eva sang.", "questions": ["She _ ."], "options": [["sang", "ate"]], "answers": ["A"]}
HALF, HUGE = "\ud83d", "@huge"  # HUGE is replaced by a number with more digits than Python reads
ROWS = [
    {"text": "a 🙂", "label": "x", "idx": 1},
    {"text": "b", "label": 2},
    {"text": "c", "label": True, "id": None},
]
FILES = [  # a task, the name of a file, and its content
    ("qa", "a.json", json.dumps(SQUAD)),
    ("race", "a.json", json.dumps(RACE)),
    ("ner", "a.conll", CONLL),
    ("chunk", "a.conll", "Mira NNP B-NP O\nsang VBD B-VP O\n"),
    ("pos", "a.conllu", CONLLU),
    ("pos", "a.txt", "Mira NOUN\nsang VERB\n"),
    ("text", "a.jsonl", "\n".join(map(json.dumps, ROWS))),
    ("text", "a.csv", 'id,text,text_pair,label\n1,"a, ""b""\nc",d,x\n2,e,f,y\n'),
    ("mnli", "a.tsv", "index\tsentence1\tsentence2\tgold_label\n0\ta\tb\tneutral\n1\ta\tc\t-\n"),
    ("stsb", "a.tsv", "sentence1\tsentence2\tscore\na\tb\t1.5\n"),
    ("cola", "a.tsv", "gj04\t1\t\tBo slept.\ngj04\t0\t*\tBo slepts.\n"),
    ("qqp", "a.tsv", "id\tquestion1\tquestion2\tis_duplicate\n1\ta\tb\t1\n"),
    ("sst2", "a.neg", "dull\nbad\n"),
    ("sst5", "a.txt", "(3 (2 good) (2 film))\n(1 (2 bad) (2 -LRB-))\n"),
    ("swag", "a.csv", "sent1,sent2,ending0,ending1,label\nEva sang.,She,ate.,slept.,1\n"),
    ("codah", "a.tsv", "o\tEva sang.\tShe ate.\tb\tc\td\t2\n"),
    ("plain text", "a.txt", "It rained. We slept.\n\nMr. Bo ate.\n"),
    ("trees", "a.conllu", CONLLU),
]
ALL = {**READERS, "plain text": lambda path, labelled: read_documents(path)}
ALL["trees"] = lambda path, labelled: read_trees(path)
# pieces that files of other programs, and damaged files, contain
PIECES = [
    b"\x00",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xe9",
    b"\xed\xa0\xbd",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b" ",
]
PIECES += [b'"', b"'", b",", b";", b"#", b"# ", b"-", b"\\ud83d", b"\\u0000", b"9" * 5000, b"1e999", b"NaN"]
PIECES += [b"null", b"true", b"{}", b"[]", b"[" * 3000, b"-1", b"0.5", "\u2028".encode(), "\u00a0".encode()]
PIECES += [
    "\u200b".encode(),
    "٣".encode(),
    "²".encode(),
    b"\x1a",
    b"\x85",
    b"I-PER",
    b"B-",
    b"(",
    b")",
    b"\x0c",
]


def changed_bytes(content, changes):
    """Apply (kind, place, other place, piece) to the bytes of a file, one after another."""
    for kind, place, other, piece in changes:
        at, end = sorted((place % (len(content) + 1), other % (len(content) + 1)))
        lines = content.split(b"\n")
        one, two = place % len(lines), other % len(lines)
        if kind == "insert":
            content = content[:at] + piece + content[at:]
        elif kind == "replace":
            content = content[:at] + piece + content[end:]
        elif kind == "truncate":
            content = content[:end]
        elif kind == "repeat":
            content = content[:end] + content[at:]
        elif kind == "encode":
            content = content.decode("utf-8", "replace").encode(
                ["utf-16", "latin-1", "utf-32"][other % 3], "replace"
            )
        else:
            lines[one], lines[two] = lines[two], lines[one] if kind == "swap" else piece
            content = b"\n".join(lines)
    return content


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["insert", "replace", "truncate", "repeat", "encode", "swap", "line"]),
        st.integers(0, 999),
        st.integers(0, 999),
        st.sampled_from(PIECES) | st.binary(max_size=9),
    ),
    min_size=1,
    max_size=4,
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["x" + HALF, HUGE]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def places(value, above=()):
    """Yield the path of each value inside a JSON value."""
    yield above
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*above, key))


def with_value(value, path, new):
    """Return a copy of a JSON value with another one at a path."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_value(value[path[0]], path[1:], new)
    return copy


def check(tmp_path, task, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    if path.suffix == ".neg":
        path.with_suffix(".pos").write_bytes(b"good\n")
    for labelled in (True, False):
        # the error names the file; the other file of a pair is not fuzzed
        with contextlib.suppress(CorpusError):
            try:
                for example in ALL[task](path, labelled):
                    parts = asdict(example) if is_dataclass(example) else example
                    json.dumps(parts, ensure_ascii=False).encode()  # half of a surrogate pair would fail
            except CorpusError as error:
                assert str(error).startswith(str(path)) and len(str(error)) < 1000
                raise


@pytest.mark.slow
@pytest.mark.parametrize("task, name, content", FILES, ids=lambda value: value if len(value) < 12 else "")
@fuzzed(90)
@given(changes=CHANGES)
def test_a_damaged_file_gives_examples_or_an_error_that_names_it(
    tmp_path, caplog, task, name, content, changes
):
    caplog.set_level(logging.ERROR)
    check(tmp_path, task, name, changed_bytes(content.encode(), changes))


@pytest.mark.slow
@pytest.mark.parametrize("task, name", sorted({(task, name) for task, name, _ in FILES}))
@fuzzed(25)
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_examples_or_an_error_that_names_the_file(tmp_path, task, name, content):
    check(tmp_path, task, name, content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task, name, values", [("qa", "a.json", [SQUAD]), ("race", "a.json", [RACE]), ("text", "a.jsonl", ROWS)]
)
@fuzzed(150)
@given(data=st.data())
def test_any_value_in_json_gives_examples_or_an_error_that_names_the_file(
    tmp_path, caplog, task, name, values, data
):
    caplog.set_level(logging.ERROR)
    path = data.draw(st.sampled_from([*places(values)][1:]))
    changed = with_value(values, path, data.draw(VALUES))
    text = "\n".join(json.dumps(value) for value in changed).replace(f'"{HUGE}"', "9" * 5000)
    check(tmp_path, task, name, text.encode())
