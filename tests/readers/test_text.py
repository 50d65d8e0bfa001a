"""Plain text as documents: three layouts, sentences, files larger than memory, and files that are refused."""

import tracemalloc

import pytest

from minibert.generated import World, write_documents
from minibert.readers import plain_text as corpus_text
from minibert.readers.plain_text import SHORTEST, read_documents, stream_documents
from minibert.readers.sentences import split_sentences
from minibert.readers.utf8_text import CorpusError, read_text, stream_text

WRAPPED = (
    "The cat sat down on a mat that somebody had\nleft there. It slept. Nobody knew for how\nlong it "
    "had been "
    "there.\n\n"
)


def written(tmp_path, text, name="corpus.txt"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_lines_with_one_sentence_are_kept_and_a_blank_line_ends_a_document(tmp_path):
    text = '"Why?" Alice asked.\nNobody  knew.\nDr. Who did. So it is.\n\n \n\nA second one.\nIt is short.\n'
    assert read_documents([written(tmp_path, text)]) == [
        ['"Why?" Alice asked.', "Nobody knew.", "Dr. Who did. So it is."],
        ["A second one.", "It is short."],
    ]


def test_the_generated_language_comes_back_sentence_by_sentence(tmp_path):
    documents = list(World(seed=0).documents(200, seed=1))
    write_documents(documents, tmp_path / "world.txt")
    assert read_documents([tmp_path / "world.txt"]) == [list(document.sentences) for document in documents]


def test_sentences_without_full_stops_are_still_one_a_line(tmp_path):
    assert read_documents([written(tmp_path, "a cat\nsat down\n\nit slept\nfor long\n")]) == [
        ["a cat", "sat down"],
        ["it slept", "for long"],
    ]


def test_paragraphs_of_several_lines_are_split_and_a_blank_line_ends_a_document(tmp_path):
    text = "One. Two. Three.\nFour! Five?\n\nSix. Seven.\nEight. Nine.\n"
    assert read_documents([written(tmp_path, text)]) == [
        ["One.", "Two.", "Three.", "Four!", "Five?"],
        ["Six.", "Seven.", "Eight.", "Nine."],
    ]


def test_hard_wrapped_lines_are_joined_and_short_paragraphs_gathered(tmp_path):
    documents = read_documents([written(tmp_path, WRAPPED * 7)])
    assert documents[0][:3] == [
        "The cat sat down on a mat that somebody had left there.",
        "It slept.",
        "Nobody knew for how long it had been there.",
    ]
    # 21 sentences; the last three are too few alone
    assert [len(document) for document in documents] == [9, 12]
    assert all(len(document) >= SHORTEST for document in documents)


def test_one_paragraph_a_block_is_gathered_too(tmp_path):
    documents = read_documents([written(tmp_path, "He came. He saw. He left.\n\n" * 5)])
    assert [len(document) for document in documents] == [15]


def test_a_text_shorter_than_a_document_is_one_document(tmp_path):
    assert read_documents([written(tmp_path, "Just this. And that.")]) == [["Just this.", "And that."]]


def test_each_file_has_its_own_layout_and_a_single_path_will_do(tmp_path):
    lines, prose = written(tmp_path, "One.\nTwo.\n", "a.txt"), written(tmp_path, WRAPPED * 3, "b.txt")
    assert read_documents([lines, prose]) == read_documents(str(lines)) + read_documents(prose)


@pytest.mark.parametrize("mark", ["\r\n", "\r"])
def test_foreign_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path, mark):
    text = "\ufeff" + "One.\nTwo.\n\nThree.\nFour.\n".replace("\n", mark)
    assert read_documents([written(tmp_path, text)]) == [["One.", "Two."], ["Three.", "Four."]]


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("He said: “Go!” Then he went. 3 came.", ["He said: “Go!”", "Then he went.", "3 came."]),
        (
            "Mr. and Mrs. A. B. Smith paid 3.50 to St. Mary",
            ["Mr. and Mrs. A. B. Smith paid 3.50 to St. Mary"],
        ),
        ("Fruit, e.g. Apples. Yes", ["Fruit, e.g. Apples.", "Yes"]),
        ("“Why?” she asked. (It was late.) End", ["“Why?” she asked.", "(It was late.)", "End"]),
        ("wait ... and see", ["wait ... and see"]),
        ("a lobster . The claws . ", ["a lobster .", "The claws . "]),
        ("Он вошёл. Никого. Т. Шаг. Łódź? İnci", ["Он вошёл.", "Никого.", "Т. Шаг.", "Łódź?", "İnci"]),
        ("Lo dijo. ¿Cuándo? ¡Hoy! «Ya.» Sí.", ["Lo dijo.", "¿Cuándo?", "¡Hoy!", "«Ya.»", "Sí."]),
        ("« Où ? » dit-il. « Là. » Bon.", ["« Où ? » dit-il.", "« Là. »", "Bon."]),
        ("„Wo?“ fragte er. »Da.« »Nein.«", ["„Wo?“ fragte er.", "»Da.«", "»Nein.«"]),
        ("— Где? — спросил он. — Там.", ["— Где? — спросил он.", "— Там."]),
        (
            "他说：“好。”然后走了。“去哪？”我问。１．５米。",
            ["他说：“好。”", "然后走了。", "“去哪？”我问。", "１．５米。"],
        ),
        ("「何？」と聞いた。「本。」そう答えた！？", ["「何？」と聞いた。", "「本。」", "そう答えた！？"]),
        ("『行く。』", ["『行く。』"]),
        ("घर।बाहर॥ १ ॥ फिर। 3.5 किलो॥ २ ॥", ["घर।", "बाहर॥ १ ॥", "फिर।", "3.5 किलो॥ २ ॥"]),
        ("Τι; Ναι· όχι. One; Two", ["Τι;", "Ναι· όχι.", "One; Two"]),
        ("გზა. სახლი. Ბოლო.", ["გზა.", "სახლი.", "Ბოლო."]),
        ("ไปไหนมา พ.ศ. ๒๕๐๐ ไปตลาด! กลับแล้ว", ["ไปไหนมา พ.ศ. ๒๕๐๐ ไปตลาด!", "กลับแล้ว"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_new_one_begins(text, sentences):
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", r"corpus\.txt: the file is empty$"),
        (b"\n \n\t\n", r"corpus\.txt: the file has only blank lines$"),
        (b"One.\nTwo.\ncaf\xe9.\n", r"corpus\.txt:3: not UTF-8: byte 0xe9 \(byte 14 of the file\)$"),
        (
            b"\xff\xfeO\x00n\x00",
            r"corpus\.txt:1: not UTF-8: byte 0xff \(byte 1 of the file\); it is UTF-16; save it as UTF-8$",
        ),
        (
            b"\x1f\x8b\x08",
            r"corpus\.txt:1: not UTF-8: byte 0x8b \(byte 2 of the file\); it is gzip; unpack it first",
        ),
        (b"PK\x03\x04\xff", r"not UTF-8: byte 0xff .*; it is a zip archive or an Excel file"),
        (b"\xef\xbb\xbfOne.\n\xe9", r"corpus\.txt:2: not UTF-8: byte 0xe9 \(byte 9 of the file\)$"),
    ],
)
def test_a_file_that_is_no_text_is_named(tmp_path, data, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_documents([written(tmp_path, data)])
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.txt: no such file$"):
        read_documents([tmp_path / "nowhere.txt"])
    with pytest.raises(CorpusError, match="this is a folder, but a file is needed$"):
        read_documents([tmp_path])


@pytest.mark.parametrize(
    "name, documents", [("lm/google_bert_sample_text.txt", 3), ("lm/state_union.txt", 40)]
)
def test_real_documents_are_counted_right(shared, name, documents):
    assert len(read_documents([shared / "data" / name])) == documents


@pytest.mark.parametrize("name, words", [("alice", 26449), ("grimm", 101109), ("wizard_of_oz", 39585)])
def test_no_word_of_a_real_book_is_lost(shared, name, words):
    documents = read_documents([shared / f"data/lm/books/{name}.txt"])
    assert sum(len(sentence.split()) for document in documents for sentence in document) == words
    assert min(len(document) for document in documents) >= SHORTEST


ENDS = "\ufeffOne \u20ac.\r\nTwo\r\rThree.\n\nCaf\xe9"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_a_text_read_in_parts_is_the_text(tmp_path, size):
    path = written(tmp_path, ENDS)
    assert "".join(stream_text(path, size)) == read_text(path) == "One €.\nTwo\n\nThree.\n\nCafé"


@pytest.mark.parametrize("size", [1, 2, 7, 100])
@pytest.mark.parametrize(
    "data, message",
    [
        (b"One.\r\nTwo.\ncaf\xe9.\n", r":3: not UTF-8: byte 0xe9 \(byte 15 of the file\)$"),
        (b"\xef\xbb\xbfOne.\n\xe2\x82", r":2: not UTF-8: byte 0xe2 \(byte 9 of the file\)$"),
        (b"\xef\xbb\xbf", r": the file is empty$"),
        (b" \n\n  \t", r": the file has only blank lines$"),
    ],
)
def test_what_is_wrong_with_a_file_has_the_same_place_in_parts_of_any_size(tmp_path, data, message, size):
    with pytest.raises(CorpusError, match=message):
        list(stream_text(written(tmp_path, data), size))


@pytest.mark.parametrize(
    "text",
    [
        "One.\nTwo.\n\nThree.\nFour.\n" * 9,
        WRAPPED * 14,
        "He came. He saw.\n\n" * 30,
        "One. Two.\nThree! Four?\n\nFive. Six.\nSeven. Eight.\n\n" * 9,
    ],
)
def test_documents_come_one_at_a_time_before_the_file_is_read(tmp_path, monkeypatch, text):
    path = written(tmp_path, text)
    whole, read = read_documents(path), []
    monkeypatch.setattr(corpus_text, "SAMPLE", len(text) // 2)

    def counting(path):
        for part in stream_text(path, 16):
            read.append(part)
            yield part

    monkeypatch.setattr(corpus_text, "stream_text", counting)
    stream = stream_documents(path)
    first = next(stream)
    assert sum(map(len, read)) < 0.8 * len(text)
    assert [first, *stream] == whole


def test_the_layout_is_told_by_the_first_characters_that_are_not_blank(tmp_path, monkeypatch):
    path = written(tmp_path, "\n" * 3_000_000 + "One. Two.\n" * 40 + "\n" + "Three.\n" * 100)
    monkeypatch.setattr(corpus_text, "SAMPLE", 200)
    monkeypatch.setattr(corpus_text, "stream_text", lambda path: stream_text(path, 64))
    assert [len(document) for document in read_documents(path)] == [80, 100]


def test_a_file_without_a_blank_line_is_cut_into_documents(tmp_path, monkeypatch):
    monkeypatch.setattr("minibert.readers.layouts.LONGEST", 30)
    path = written(tmp_path, "".join(f"Line {i}.\n" for i in range(70)))
    assert [len(document) for document in read_documents(path)] == [30, 30, 10]


def test_a_file_ten_times_as_large_takes_the_same_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_text, "SAMPLE", 1 << 16)
    monkeypatch.setattr(corpus_text, "stream_text", lambda path: stream_text(path, 1 << 14))

    def peak(copies):
        path = written(tmp_path, "One sentence here.\nAnd another one.\n\n" * copies)
        tracemalloc.start()
        try:
            assert sum(1 for _ in stream_documents(path)) == copies
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(40_000) < 1.2 * peak(4_000)


@pytest.mark.parametrize("text", ["A word.\nTwo\0 words.\n", "A word.\n\0T\0w\0o\0"])
def test_a_nul_is_refused_with_its_line(tmp_path, text):
    with pytest.raises(CorpusError, match=r":2: a NUL character \(byte 0x00\), as in UTF-16"):
        read_documents([written(tmp_path, text)])


@pytest.mark.parametrize(
    "text",
    [
        "“你们打算住多久？”邻居问道。",
        "“여기서 오래 사실 건가요?” 하고 물었다.",
        "“आप यहाँ कब तक रहेंगे?” पड़ोसी ने पूछा।",
    ],
)
def test_a_quoted_question_belongs_to_the_one_who_asks(text):
    assert split_sentences(text) == [text]
    plain = text.replace("“", "").replace("”", "")
    assert len(split_sentences(plain)) == 2
