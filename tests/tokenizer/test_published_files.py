"""vocab.txt and tokenizer.json of published models: what libraries write, we read or refuse."""

import json

import pytest
from transformers import BertTokenizer

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import BPE, FastWordPiece, WordPiece

VOCAB = [*SPECIAL_TOKENS, "un", "##want", "##ed", "É", "e", "##é", ","]


@pytest.fixture
def folder(tmp_path):
    """What `transformers` writes for a cased BERT."""
    (tmp_path / "vocab.txt").write_text("\n".join(VOCAB) + "\n", encoding="utf-8")
    BertTokenizer.from_pretrained(tmp_path, do_lower_case=False).save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", [WordPiece, FastWordPiece])
def test_a_tokenizer_json_of_transformers_loads(folder, kind):
    loaded = kind.load(folder / "tokenizer.json")
    assert (loaded.vocab, loaded.lower_case, loaded.max_characters_per_word) == (VOCAB, False, 100)
    assert loaded.encode("unwanted, Éé") == WordPiece(VOCAB, lower_case=False).encode("unwanted, Éé")
    assert kind.load(folder / "tokenizer.json", lower_case=True).lower_case


def test_transformers_gives_the_same_ids(folder):
    theirs = BertTokenizer.from_pretrained(folder)
    for text in ("unwanted, É", "Éé e, unwant", "x"):
        assert (
            theirs.encode(text, add_special_tokens=False)
            == WordPiece.load(folder / "tokenizer.json").encode(text).ids
        )


def test_a_vocab_txt_alone_does_not_say_and_counts_as_uncased(folder):
    assert not WordPiece.load(folder / "vocab.txt").lower_case  # the other files do
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    assert WordPiece.load(folder / "vocab.txt").lower_case
    assert not WordPiece.load(folder / "vocab.txt", lower_case=False).lower_case


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda v: v["model"].update(type="BPE"), "the model has type='BPE'; only 'WordPiece' is supported"),
        (lambda v: v["model"].update(continuing_subword_prefix="_"), "prefix='_'; only '##'"),
        (lambda v: v["model"]["vocab"].update({",": 99}), "token ',' has id 99, but the next id must be 11"),
        (lambda v: v["model"]["vocab"].pop("[MASK]"), "token 'un' has id 5, but the next id must be 4"),
        (
            lambda v: v["normalizer"].update(strip_accents=True),
            "tokenizer.json: has strip_accents=True, but tokenizer_config.json has False; two files of one "
            "folder contradict each other",
        ),
        (lambda v: v["normalizer"].update(clean_text=False), "has clean_text=False; only True is supported"),
        (lambda v: v.update(normalizer=None), "normalizer=None is not supported; only 'BertNormalizer' is"),
        (
            lambda v: v.update(pre_tokenizer={"type": "Whitespace"}),
            "pre_tokenizer='Whitespace' is not supported; only",
        ),
        (lambda v: v.pop("model"), r"not a tokenizer.json \(KeyError\)"),
    ],
)
def test_a_file_that_splits_otherwise_is_refused(folder, change, message):
    path = folder / "tokenizer.json"
    with pytest.raises(ValueError, match="the model has type='WordPiece'; only 'BPE' is supported"):
        BPE.load(path)
    values = json.loads(path.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        WordPiece.load(path)


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "tokenizer.json: the file is empty"),
        (b"[1", "not a tokenizer.json"),
        (b"\xff", "tokenizer.json:1: byte 0xff is not UTF-8"),
        (None, "tokenizer.json: no such file"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, data, message):
    if data is not None:
        (tmp_path / "tokenizer.json").write_bytes(data)
    with pytest.raises(ValueError, match=message):
        WordPiece.load(tmp_path / "tokenizer.json")
