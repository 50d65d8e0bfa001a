"""The readable WordPiece: pieces, offsets, and what it refuses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.data.batch import SPECIAL_TOKENS, Specials
from minibert.tokenizer import BasicTokenizer, WordPiece

VOCAB = [*SPECIAL_TOKENS, *"un ##want ##ed ##wanted run ##n ##ing , a b ##a ##b aa".split()]


def test_the_longest_piece_wins():
    encoding = WordPiece(VOCAB).encode("Unwanted, running")
    assert encoding.pieces == ["un", "##wanted", ",", "run", "##n", "##ing"]
    assert encoding.ids == [VOCAB.index(piece) for piece in encoding.pieces]
    assert encoding.offsets == [(0, 2), (2, 8), (8, 9), (10, 13), (13, 14), (14, 17)]
    assert encoding.words == [0, 0, 1, 2, 2, 2]


def test_a_word_with_a_part_that_fits_nothing_is_unknown_as_a_whole():
    encoding = WordPiece(VOCAB).encode("run unx")
    assert (encoding.pieces, encoding.offsets) == (["run", "[UNK]"], [(0, 3), (4, 7)])


def test_greedy_search_does_not_go_back():
    assert WordPiece([*SPECIAL_TOKENS, "a", "ab", "##bc"]).encode("abc").pieces == [
        "[UNK]"
    ]  # a ##bc would fit


def test_a_word_at_the_limit_is_read_and_a_longer_one_is_unknown():
    tokenizer = WordPiece(VOCAB, max_characters_per_word=4)
    assert tokenizer.encode("abab").pieces == ["a", "##b", "##a", "##b"]
    assert tokenizer.encode("ababa").pieces == ["[UNK]"]


def test_a_special_token_in_a_text_is_text():
    # [, sep and ], none of which is in the vocabulary
    assert WordPiece(VOCAB).encode("[SEP]").ids == [1, 1, 1]


def test_words_that_are_split_already_keep_their_count():
    encoding = WordPiece(VOCAB).encode_words(["a,b", "\x00", "Running"])
    assert encoding.pieces == ["a", ",", "b", "run", "##n", "##ing"]
    assert encoding.words == [0, 0, 0, 2, 2, 2]
    assert encoding.offsets == [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (4, 7)]


def test_nothing_has_no_pieces():
    tokenizer = WordPiece(VOCAB)
    assert tokenizer.encode("") == tokenizer.encode_words([]) == tokenizer.encode_batch([" "])[0]
    assert tokenizer.encode("").ids == []


@settings(deadline=None)
@given(st.text("abAÁ,.x \x00\u0301", max_size=30))
def test_decoding_gives_the_words_back_where_none_is_unknown(text):
    encoding = WordPiece(VOCAB).encode(text)
    words = [word.text for word in BasicTokenizer().split(text)]
    if "[UNK]" not in encoding.pieces:
        assert WordPiece(VOCAB).decode(encoding.ids) == " ".join(words)


@settings(deadline=None)
@given(st.text("abAÁ,.x \x00\u0301", max_size=30))
def test_the_slices_of_known_pieces_make_the_word(text):
    tokenizer = WordPiece(VOCAB)
    encoding, words = tokenizer.encode(text), tokenizer.basic.split(text)
    for piece, (start, end), index in zip(encoding.pieces, encoding.offsets, encoding.words):
        slice_ = "".join(word.text for word in tokenizer.basic.split(text[start:end]))
        assert slice_ == (words[index].text if piece == "[UNK]" else piece.removeprefix("##"))


def test_decoding_shows_special_tokens_but_no_padding():
    assert WordPiece(VOCAB).decode([2, 9, 10, 3, 0, 0]) == "[CLS] runn [SEP]"


@pytest.mark.parametrize("wrong", [-1, len(VOCAB)])
def test_an_id_outside_the_vocabulary_is_named(wrong):
    with pytest.raises(
        ValueError, match=f"id {wrong} is not in the vocabulary, whose 18 tokens have ids 0 to 17"
    ):
        WordPiece(VOCAB).decode([2, wrong])


def test_special_tokens_may_stand_anywhere():
    assert WordPiece(VOCAB[::-1]).specials == Specials(17, 16, 15, 14, 13)


@pytest.mark.parametrize(
    "vocab, message",
    [
        (["a", "b"], r"lacks \[PAD\], \[UNK\], \[CLS\], \[SEP\], \[MASK\]"),
        ([*SPECIAL_TOKENS[:4], "a"], r"5 entries lacks \[MASK\]"),
        ([*VOCAB, "run"], "'run' twice: as token 9 and as token 18"),
        ([*VOCAB[:6], "", "b"], r"token 6 of the vocabulary \(line 7 of its file\) is empty"),
    ],
)
def test_an_unfit_vocabulary_is_refused(vocab, message):
    with pytest.raises(ValueError, match=message):
        WordPiece(vocab)


def test_a_saved_vocabulary_comes_back(tmp_path):
    vocab = [*VOCAB, "\x85", "\u2028", "é", " "]  # line ends to Python, but not to this file
    WordPiece(vocab).save(tmp_path / "vocab.txt")
    loaded = WordPiece.load(tmp_path / "vocab.txt", lower_case=False)
    assert loaded.vocab == vocab and len(loaded) == len(vocab) and not loaded.lower_case
    assert [path.name for path in tmp_path.iterdir()] == ["vocab.txt"]


@pytest.mark.parametrize(
    "change",
    [lambda data: data.replace(b"\n", b"\r\n"), lambda data: data[:-1], lambda data: b"\xef\xbb\xbf" + data],
)
def test_windows_line_ends_a_byte_order_mark_and_a_missing_last_line_end_do_no_harm(tmp_path, change):
    path = tmp_path / "vocab.txt"
    path.write_bytes(change("".join(piece + "\n" for piece in VOCAB).encode()))
    assert WordPiece.load(path).vocab == VOCAB


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", r"vocab.txt: the file is empty"),
        (b"[PAD]\n[UNK]\n\xe9t\xe9\n", r"vocab.txt:3: byte 0xe9 is not UTF-8"),
        (b"[PAD]\n[UNK]\n", r"vocab.txt: the vocabulary of 2 entries lacks \[CLS\]"),
        (b"[PAD]\n[PAD]\n", r"vocab.txt: the vocabulary contains '\[PAD\]' twice"),
        (b"[PAD]\n\n[UNK]\n", r"vocab.txt: token 1 of the vocabulary \(line 2 of its file\) is empty"),
    ],
)
def test_an_unfit_vocabulary_file_is_named(tmp_path, data, message):
    (tmp_path / "vocab.txt").write_bytes(data)
    with pytest.raises(ValueError, match=message):
        WordPiece.load(tmp_path / "vocab.txt")
