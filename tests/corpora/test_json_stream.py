"""A long JSON file is read piece by piece, with the answers and the errors of the standard library."""
import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.corpora.errors import CorpusError
from minibert.corpora.readers import json_stream
from minibert.corpora.readers.json_stream import elements

VALUES = st.recursive(st.none() | st.booleans() | st.integers(
    ) | st.floats(allow_nan=False) | st.text(max_size=9),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner,
                                                                                  max_size=3),
                      max_leaves=8)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("json") / "long.json"


def small_steps(monkeypatch, chunk):
    """Let the reader go on in steps of `chunk` characters, so that every value is cut somewhere."""
    monkeypatch.setattr(json_stream, "CHUNK", chunk)


@pytest.mark.parametrize("chunk", [1, 2, 7])
@settings(deadline=None, max_examples=100)
@given(before=VALUES, data=st.lists(VALUES, max_size=4), after=VALUES, indent=st.sampled_from([None, 1]),
       ascii_=st.booleans())
def test_the_elements_are_those_of_the_whole_file(path, chunk, before, data, after, indent, ascii_):
    text = json.dumps({"before": before, "data": data, "after": after}, indent=indent, ensure_ascii=ascii_)
    path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        small_steps(patch, chunk)
        assert list(elements(path, "data")) == data


@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
@settings(deadline=None, max_examples=100)
@given(cut=st.integers(1, 200), junk=st.sampled_from(["", "]", ",", '"', "}x", "\n :"]))
def test_a_broken_file_is_refused_at_the_line_and_column_of_the_library(path, chunk, cut, junk):
    whole = json.dumps({"v": [1.5, {"k": "é"}], "data": [{"a": "x\ny", "b": [1, 2]}, "t", None], "w": True},
                       indent=1)
    text = whole[:cut] + junk
    path.write_text(text, encoding="utf-8")
    try:
        expected = json.loads(text)["data"]
    except json.JSONDecodeError as error:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(CorpusError) as caught:
            small_steps(patch, chunk)
            list(elements(path, "data"))
        assert str(caught.value).startswith(
            f"{path}:{error.lineno}: column {error.colno}: ") and error.msg in str(caught.value)
    else:
        assert list(elements(path, "data")) == expected


@pytest.mark.parametrize("text, rule", [("{}", "data is missing"),
                                        ('{"data": {}}', "data is dict, not a list"),
                                        ("[1]", "the file is list, not an object"),
                                        (" \n", "nothing but blank lines"),
                                        ('{"data": [' + "[" * 100_000, "nested too deeply"),
                                        ("", "the file is empty")])
def test_a_file_of_another_shape_is_named(path, text, rule):
    path.write_text(text)
    with pytest.raises(CorpusError, match=rule):
        list(elements(path, "data"))


def test_a_byte_that_is_no_utf8_is_named_when_it_is_reached(path):
    path.write_bytes(b'{"data": [1,\n' + b" " * 300_000 + b'"\xff"]}')
    found = elements(path, "data")
    assert next(found) == 1
    with pytest.raises(CorpusError, match=r"long\.json:2: not UTF-8: byte 0xff \(byte 300015 of the file\)"):
        next(found)


def test_memory_does_not_grow_with_the_file(path):
    element = json.dumps({"text": "x" * 20_000})
    path.write_text('{"data": [' + ",\n".join([element] * 500) + "]}")
    tracemalloc.start()
    count = sum(1 for _ in elements(path, "data"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 500 and path.stat().st_size > 10_000_000 and peak < 2_000_000
