"""The library gives the answers of the readable tokenizer."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import FastWordPiece, WordPiece

LETTERS = "abcdefilnorstué"
VOCAB = [*SPECIAL_TOKENS, *LETTERS, *("##" + c for c in LETTERS), *"the ##ion [ ] ς ##ς ##σ ο".split()]
VOCAB += [
    "北",
    "北京",
    "##京",
    "##\u0307",
    "##\u0301",
    "\u1112",
    "##\u1161",
    "##\u11ab",
]  # Hangul: one syllable is three letters
RARE = st.sampled_from(
    [*"Σοİ北京한\u0301\u200b\ufffd\u2028\u3000\ue000ﬁ…’😀", "[MASK]", "[SEP]", "the ", "station"]
)
TEXT = st.lists(st.characters(max_codepoint=0x24F) | RARE, max_size=30).map("".join)


RULES = st.fixed_dictionaries(
    {
        "lower_case": st.booleans(),
        "strip_accents": st.sampled_from([None, True, False]),
        "tokenize_chinese_chars": st.booleans(),
    }
)


@settings(deadline=None)
@given(TEXT, RULES)
def test_any_text_gives_the_same_encoding(text, rules):
    readable, fast = WordPiece(VOCAB, **rules), FastWordPiece(VOCAB, **rules)
    assert fast.encode(text) == readable.encode(text)


@settings(deadline=None)
@given(st.lists(TEXT, max_size=5), RULES)
def test_any_words_and_batches_give_the_same_encodings(texts, rules):
    readable, fast = WordPiece(VOCAB, **rules), FastWordPiece(VOCAB, **rules)
    assert fast.encode_words(texts) == readable.encode_words(texts)
    assert fast.encode_batch(texts) == readable.encode_batch(texts)


@pytest.mark.parametrize("length", [100, 101, 200, 201])
def test_the_limit_of_a_word_is_the_same(length):
    text = "a" * length
    assert FastWordPiece(VOCAB).encode(text) == WordPiece(VOCAB).encode(text)


def test_a_final_sigma_is_the_same_beside_every_neighbour():
    for text in ("ΟΣ", "ΟΣ.", "ΟΣΟ", "Σ", "ΟΣ.Ο", "İΟΣ", "ΟΣ\u0301 Ο", "ος", "A\x1fΣ", "AΣ\x00A", "Σ北Σ"):
        assert FastWordPiece(VOCAB).encode(text) == WordPiece(VOCAB).encode(text)


def test_the_rest_is_inherited(tmp_path):
    fast = FastWordPiece(VOCAB)
    fast.save(tmp_path / "vocab.txt")
    loaded = FastWordPiece.load(tmp_path / "vocab.txt", lower_case=False)
    assert type(loaded) is FastWordPiece and loaded.vocab == VOCAB and not loaded.lower_case
    assert fast.decode(fast.encode("The station").ids) == "the station"
    with pytest.raises(ValueError, match="lacks"):
        FastWordPiece(["a"])


def test_it_travels_to_another_process():
    fast = pickle.loads(pickle.dumps(FastWordPiece(VOCAB, lower_case=False)))
    assert fast.encode("The station") == WordPiece(VOCAB, lower_case=False).encode("The station")


def test_a_name_that_the_package_lacks_is_an_attribute_error():
    import minibert.tokenizer

    with pytest.raises(AttributeError, match="no attribute 'SlowWordPiece'"):
        minibert.tokenizer.SlowWordPiece  # noqa: B018


def golden(shared, name):
    """The lines of a file of expected pieces."""
    path = shared / "golden" / "tokenization" / f"{name}.jsonl"
    return map(json.loads, path.read_text(encoding="utf-8").split("\n")[:-1])


@pytest.mark.parametrize("form", ["uncased", "cased"])
def test_it_equals_google_and_the_readable_one_on_every_line(shared, form):
    vocab = shared / "data/vocab/bert-base-uncased-vocab.txt"
    fast, readable = (kind.load(vocab, lower_case=form == "uncased") for kind in (FastWordPiece, WordPiece))
    lines = list(golden(shared, "google_wordpiece"))
    assert len(lines) == 489
    for line in lines:
        encoding = fast.encode(line["text"])
        assert [word.text for word in readable.basic.split(line["text"])] == line[form]["basic"]
        assert (encoding.pieces, encoding.ids) == (line[form]["pieces"], line[form]["ids"])
        assert encoding == readable.encode(line["text"])


def test_it_equals_the_readable_one_on_a_real_book(shared):
    vocab = shared / "data/vocab/bert-base-uncased-vocab.txt"
    text = (shared / "data/lm/books/alice.txt").read_text(encoding="utf-8")
    assert FastWordPiece.load(vocab).encode(text) == WordPiece.load(vocab).encode(text)


def test_the_library_left_as_it_is_differs_on_the_listed_lines_only(shared):
    from transformers import BertTokenizer

    listed = list(golden(shared, "differences_google_vs_hf_tokenizers"))
    pieces = WordPiece.load(shared / "data/vocab/bert-base-uncased-vocab.txt").vocab
    for lower_case in (True, False):
        theirs = BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, do_lower_case=lower_case)
        ours, form, differing = FastWordPiece(pieces, lower_case), "uncased" if lower_case else "cased", []
        for line in golden(shared, "google_wordpiece"):
            assert ours.encode(line["text"]).pieces == line[form]["pieces"]
            if theirs.tokenize(line["text"]) != line[form]["pieces"]:
                differing.append(line["text"])
        # the list cuts texts off at 200 characters
        expected = [line["text"] for line in listed if line["lower"] == lower_case]
        assert [text[:200] for text in differing] == expected and len(expected) == 3
