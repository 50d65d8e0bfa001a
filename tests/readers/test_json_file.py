"""A JSON file gives its value, and a broken one is refused with line and column."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.readers.json_file import read_json
from minibert.readers.utf8_text import CorpusError

WHOLE = json.dumps(
    {"v": [1.5, {"k": "é"}], "data": [{"a": "x\ny", "b": [1, 2]}, "t", None], "w": True}, indent=1
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("json") / "long.json"


@settings(deadline=None, max_examples=100)
@given(cut=st.integers(1, 200), junk=st.sampled_from(["", "]", ",", '"', "}x", "\n :"]))
def test_a_broken_file_is_refused_at_the_line_and_column_of_the_library(path, cut, junk):
    text = WHOLE[:cut] + junk
    path.write_text(text, encoding="utf-8")
    try:
        expected = json.loads(text)
    except json.JSONDecodeError as error:
        with pytest.raises(CorpusError) as caught:
            read_json(path)
        assert str(caught.value).startswith(f"{path}:{error.lineno}: column {error.colno}: ")
        assert error.msg in str(caught.value)
    else:
        assert read_json(path) == expected


@pytest.mark.parametrize("length", range(1, 40))
def test_a_truncated_file_is_said_to_be_cut_off(path, length):
    path.write_text('{"é": [15, {"k": "x", "v": true}, null]}'[:length], encoding="utf-8")
    with pytest.raises(CorpusError, match=r"long\.json:\d+: column \d+: the JSON is cut off \("):
        read_json(path)


@pytest.mark.parametrize(
    "text, rule",
    [
        (" \n", "only blank lines"),
        ('{"data": [' + "[" * 100_000, "nested too deeply"),
        ('{"a": tru, "b": 1}', r":1: column 7: broken JSON \(Expecting val"),
        ("{} {}", r":1: column 4: broken JSON \(Extra data\)"),
        ("", "the file is empty"),
    ],
)
def test_a_file_without_one_json_value_is_named_with_the_rule(path, text, rule):
    path.write_text(text)
    with pytest.raises(CorpusError, match=rule):
        read_json(path)


def test_a_byte_that_is_no_utf8_is_named(path):
    path.write_bytes(b'{"data": [1,\n' + b" " * 300_000 + b'"\xff"]}')
    with pytest.raises(CorpusError, match=r"long\.json:2: not UTF-8: byte 0xff \(byte 300015 of the file\)"):
        read_json(path)
