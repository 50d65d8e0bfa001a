"""Files as other programs leave them are read as they are meant, from a disk and from a pipe."""

import os

import pytest

from minibert.readers.conll import read_conll
from minibert.readers.glue import iter_glue
from minibert.readers.plain_text import read_documents
from minibert.readers.squad import iter_squad


def tagged(path):
    return [list(zip(one.words, one.tags)) for one in read_conll(path)]


def sentiments(path):
    return [(one.first, one.label) for one in iter_glue("sst2", path)]


def texts(path):
    return [(one.first, one.label) for one in iter_glue("text", path)]


def answers(path):
    return [one.answers for one in iter_squad(path)]


def documents(path):
    return read_documents([path])


SQUAD = (
    b'{"data": [{"paragraphs": [{"context": "%s", "qas": '
    b'[{"id": "1", "question": "Who?", "answers": [{"text": "Ada", "answer_start": %d}]}]}]}]}'
)
CASES = {
    "no line end at the end": (
        tagged,
        "a.conll",
        b"Ada B-PER\n\nBo B-PER",
        [[("Ada", "B-PER")], [("Bo", "B-PER")]],
    ),
    "a blank line with a tab": (tagged, "a.conll", b"Ada\tO\n\t\nBo\tO\n", [[("Ada", "O")], [("Bo", "O")]]),
    "types with a hyphen": (
        tagged,
        "a.conll",
        b"EU I-GPE-ORG\nUS I-GPE_LOC\n",
        [[("EU", "B-GPE-ORG"), ("US", "B-GPE_LOC")]],
    ),
    "special tokens as words": (tagged, "a.conll", b"[SEP] O\n# O\n", [[("[SEP]", "O"), ("#", "O")]]),
    "what pandas takes for nothing": (
        texts,
        "a.csv",
        b"text,label\nNA,None\nnull,nan\n",
        [("NA", "None"), ("null", "nan")],
    ),
    "an index of pandas": (texts, "a.csv", b",text,label\n5,fine,good\n", [("fine", "good")]),
    "a separator for Excel": (texts, "a.csv", b"sep=;\r\ntext;label\r\na, b;x\r\n", [("a, b", "x")]),
    "a quoted separator for Excel": (texts, "a.csv", b'"sep=\t"\ntext\tlabel\na;\tx\n', [("a;", "x")]),
    "other separators of lines": (
        sentiments,
        "a.tsv",
        "sentence\tlabel\na\u2028b\x85c\x0bd\x0ce\x1cf\t1\n".encode(),
        [("a\u2028b\x85c\x0bd\x0ce\x1cf", "1")],
    ),
    "quotation marks in a table": (
        sentiments,
        "a.tsv",
        b'sentence\tlabel\n"fine\t1\nbad"\t0\n',
        [('"fine', "1"), ('bad"', "0")],
    ),
    "white space before a passage": (answers, "a.json", SQUAD % (rb" \n Ada", 3), [[("Ada", 3)]]),
    "line ends of Windows in a passage": (answers, "a.json", SQUAD % (rb"x\r\nAda", 3), [[("Ada", 3)]]),
    "an emoji before an answer": (answers, "a.json", SQUAD % (rb"\ud83d\ude00 Ada", 2), [[("Ada", 2)]]),
    "a byte order mark and CRLF": (
        documents,
        "a.txt",
        b"\xef\xbb\xbfAda left.\r\nBo came.\r\n",
        [["Ada left.", "Bo came."]],
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "pipe", [False, pytest.param(True, marks=pytest.mark.skipif(os.name != "posix", reason="needs pipes"))]
)
def test_a_file_of_another_program_is_read_as_it_is_meant(case, pipe, tmp_path):
    read, name, data, expected = CASES[case]
    path = tmp_path / name
    if pipe:
        out, into = os.pipe()
        os.write(into, data)
        os.close(into)
        path.symlink_to(f"/dev/fd/{out}")  # as in `--file <(zcat data.gz)`; a second reading finds nothing
    else:
        path.write_bytes(data)
    assert read(path) == expected
