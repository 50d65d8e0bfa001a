"""A cache of documents is right, found again, whole or made anew, and the same from many processes."""

import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from patience import STILL

from minibert.data import cache, encoded, portions
from minibert.data.cache import DocumentEncoder, cached_documents, content_of
from minibert.data.encoded import Documents
from minibert.generated import World
from minibert.readers.utf8_text import CorpusError
from minibert.tokenizer import WordPiece, count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece

TEXT = [list(document.sentences) for document in World(seed=0).documents(60, seed=1)]


@pytest.fixture(scope="module")
def tokenizer():
    return FastWordPiece(train_wordpiece(count_words(s for d in TEXT for s in d), 300))


@pytest.fixture(scope="module")
def expected(tokenizer):
    return [[tokenizer.encode(sentence).ids for sentence in document] for document in TEXT]


def made(root, tokenizer, text=TEXT, workers=1, content="text"):
    return cached_documents(root, content, lambda: iter(text), tokenizer, workers)


def files(documents):
    return {path.name: path.read_bytes() for path in documents.folder.iterdir()}


def test_documents_come_back_one_by_one_in_parts_and_as_views(tmp_path, tokenizer, expected):
    documents = made(tmp_path, tokenizer)
    assert list(documents) == expected == documents.read(0, 60) and documents.ids.dtype == np.uint16
    assert documents[7] == expected[7] and documents[-1] == expected[-1] and len(documents) == 60
    view = documents[10:-5]
    assert isinstance(view, Documents)
    assert list(view) == expected[10:-5]
    assert list(view[3:9][-2:]) == expected[17:19]
    assert view.read(2, 5) == expected[12:15] and not documents[5:2]
    assert view.tokens == sum(len(s) for d in expected[10:-5] for s in d)
    assert list(pickle.loads(pickle.dumps(view))) == list(view)
    view.release()
    assert view[0] == expected[10]
    for outside in (60, -61):
        with pytest.raises(IndexError):
            documents[outside]
    with pytest.raises(ValueError, match="a slice of documents must have a step of 1, not 2"):
        documents[::2]


def test_empty_sentences_and_documents_keep_their_places(tmp_path, tokenizer):
    text = [["a b", "", "\x00"], [], ["c"]]
    assert list(made(tmp_path, tokenizer, text)) == [[tokenizer.encode(s).ids for s in d] for d in text]


def test_a_large_vocabulary_has_wide_ids(tmp_path):
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{i}" for i in range(1 << 16))]
    documents = made(tmp_path, WordPiece(vocab), [["w65535 w3"]])
    assert documents.ids.dtype == np.uint32 and documents[0] == [[65540, 8]]


def test_the_second_time_it_is_found(tmp_path, tokenizer, capsys):
    first = made(tmp_path, tokenizer)
    assert (
        capsys.readouterr().out
        == f"Encoded: 60 documents, {first.tokens:,} tokens, saved in {first.folder}\n"
    )
    second = cached_documents(tmp_path, "text", lambda: 1 / 0, tokenizer)
    assert (
        capsys.readouterr().out
        == f"Loaded from the cache: 60 documents, {first.tokens:,} tokens in {first.folder}\n"
    )
    assert list(second) == list(first) and sorted(os.listdir(tmp_path)) == [first.folder.name]


def test_another_text_vocabulary_or_casing_is_another_cache(tmp_path, tokenizer):
    folders = {
        made(tmp_path, each, content=content).folder
        for each, content in [
            (tokenizer, "text"),
            (tokenizer, "other"),
            (FastWordPiece(tokenizer.vocab[:-1]), "text"),
            (FastWordPiece(tokenizer.vocab, lower_case=False), "text"),
            (FastWordPiece(tokenizer.vocab, True, 9), "text"),
            (FastWordPiece(tokenizer.vocab, strip_accents=False), "text"),
            (FastWordPiece(tokenizer.vocab, tokenize_chinese_chars=False), "text"),
        ]
    }
    assert len(folders) == 7


def test_files_are_known_by_their_bytes_and_order(tmp_path):
    for name, data in (("a", b"one"), ("b", b"two"), ("copy of a", b"one"), ("ab", b"onetwo")):
        (tmp_path / name).write_bytes(data)

    def content(*names):
        return content_of([tmp_path / name for name in names])

    assert content("a", "b") == content("copy of a", "b")
    different = ("a", "b", "ab", "b a", "a a")  # names of files; "ab" is one
    assert len({content(*names.split()) for names in (*different, "a b")}) == 6
    with pytest.raises(CorpusError, match=r"missing: no such file$"):
        content("missing")


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_a_text_from_a_pipe_is_refused(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(CorpusError, match=r"pipe: a pipe or a device, but the text is read more than once"):
        cache.text_of_files([pipe])


def test_the_files_do_not_depend_on_the_number_of_processes(tmp_path, tokenizer, monkeypatch, expected):
    monkeypatch.setattr(portions, "PORTION", 2000)
    monkeypatch.setattr(portions, "FEW", 4)
    assert len(list(portions.portions(TEXT))) > 6
    one, two, whole = made(tmp_path / "1", tokenizer), made(tmp_path / "2", tokenizer, workers=2), None
    monkeypatch.undo()
    whole = made(tmp_path / "whole", tokenizer)
    assert files(one) == files(two) == files(whole) and list(two) == expected
    with pytest.raises(ValueError, match="workers=0 must be at least 1"):
        made(tmp_path / "0", tokenizer, workers=0)


def test_results_of_processes_come_in_order_and_the_stream_is_not_read_far_ahead(monkeypatch):
    monkeypatch.setattr(portions, "FEW", 4)
    taken = []

    def items():
        for i in range(40):
            taken.append(i)
            yield i

    results = portions.in_order(abs, items(), 2)
    assert [next(results) for _ in range(5)] == list(range(5)) and len(taken) < 15
    assert list(results) == list(range(5, 40))


def test_what_a_process_raises_is_raised_here(monkeypatch):
    monkeypatch.setattr(portions, "FEW", 4)
    with pytest.raises(TypeError, match="bad operand"):
        list(portions.in_order(abs, [1, 2, 3, 4, "five", 6], 2))


def test_words_that_are_looked_up_once_have_the_ids_they_have_in_a_sentence(tokenizer):
    rng = np.random.default_rng(0)
    pieces = "The cat. ΟΔΟΣ Σ ΑΣ. é \u0301e \u00ad 漢字a [MASK] a\u2028b \t x\u00a0y ... İ ".split(" ")
    text = [[" ".join(rng.choice(pieces, rng.integers(1, 9))) for _ in range(6)] for _ in range(50)]
    for each in (tokenizer, FastWordPiece(tokenizer.vocab, lower_case=False)):
        ids, tokens, sentences = DocumentEncoder(each)(text)
        assert ids.tolist() == [i for d in text for s in d for i in each.encode(s).ids]
        assert tokens.tolist() == [len(each.encode(s).ids) for d in text for s in d]
        assert sentences.tolist() == [6] * 50


def test_words_at_hand_are_limited_and_forgetting_them_changes_nothing(tokenizer, monkeypatch):
    monkeypatch.setattr(cache, "MOST_WORDS", 20)
    encoder = DocumentEncoder(tokenizer)
    for document in TEXT:
        words = {word for sentence in document for word in sentence.split(" ")}
        assert encoder([document])[0].tolist() == [i for s in document for i in tokenizer.encode(s).ids]
        assert len(encoder.known) <= 20 + len(words)


def truncate(path):
    path.write_bytes(path.read_bytes()[:-7])


@pytest.mark.parametrize(
    "name, damage, message",
    [
        (
            "ids.npy",
            truncate,
            r"ids\.npy: truncated, or copied from another folder; the text is encoded again",
        ),
        ("ids.npy", Path.unlink, r"ids\.npy: truncated"),
        ("ids.npy", lambda path: path.write_bytes(b"foreign"), r"ids\.npy: truncated"),
        ("ids.npy", lambda path: path.write_bytes(path.read_bytes() + b"xx"), r"ids\.npy: truncated"),
        ("sentences.npy", truncate, r"sentences\.npy: truncated"),
        ("documents.npy", lambda path: np.save(path, np.arange(5)), r"documents\.npy: truncated"),
        (
            "about.json",
            truncate,
            r"not a folder of encoded documents, or incomplete; the text is encoded again",
        ),
        ("about.json", Path.unlink, r"not a folder of encoded documents"),
        ("about.json", lambda path: path.write_text("[]"), r"not a folder of encoded documents"),
        (
            "about.json",
            lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | {"key": "x"})),
            "made from another text",
        ),
        (
            "about.json",
            lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 0})),
            "made from another text",
        ),
    ],
)
def test_a_damaged_or_foreign_cache_is_named_and_made_anew(
    tmp_path, tokenizer, expected, capsys, name, damage, message
):
    first = made(tmp_path, tokenizer)
    before = files(first)
    damage(first.folder / name)
    with pytest.raises(ValueError, match=message.removesuffix("; the text is encoded again")):
        Documents(first.folder, json.loads(before["about.json"])["key"])
    capsys.readouterr()
    again = made(tmp_path, tokenizer)
    out = capsys.readouterr().out
    assert message.replace("\\", "").split(":")[0] in out
    assert "the text is encoded again" in out.splitlines()[0]
    assert "Encoded: " in out
    assert files(again) == before and list(again) == expected and os.listdir(tmp_path) == [first.folder.name]


def test_a_file_in_place_of_the_cache_is_replaced(tmp_path, tokenizer, expected):
    folder = made(tmp_path, tokenizer).folder
    folder.rename(tmp_path / "elsewhere")
    folder.write_text("a file")
    assert list(made(tmp_path, tokenizer)) == expected and folder.is_dir()


def test_an_error_in_the_text_leaves_nothing(tmp_path, tokenizer):
    def text():
        yield TEXT[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_documents(tmp_path, "text", text, tokenizer)
    with pytest.raises(ValueError, match="the text has no tokens"):
        made(tmp_path, tokenizer, [[""], []])
    assert os.listdir(tmp_path) == []


def test_what_a_killed_process_left_goes_but_not_what_another_writes_now(tmp_path, tokenizer):
    folder = made(tmp_path, tokenizer).folder
    left, growing = (tmp_path / f"{folder.name}.{name}.partial" for name in ("left", "growing"))
    for partial in (left, growing):
        partial.mkdir()
        (partial / "ids.npy").write_bytes(b"some")
        os.utime(partial, (0, 0))
    os.utime(left / "ids.npy", (0, 0))
    (folder / "about.json").unlink()
    made(tmp_path, tokenizer)
    assert sorted(os.listdir(tmp_path)) == sorted([folder.name, growing.name])


def test_of_two_that_build_at_once_one_cache_stays_and_both_read_it(tmp_path, tokenizer, expected):
    barrier, found = threading.Barrier(2, timeout=STILL), []

    def text():
        yield from TEXT
        barrier.wait()  # both have all their text before one is done

    def build():
        found.append(cached_documents(tmp_path, "text", text, tokenizer))

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [list(documents) for documents in found] == [expected] * 2
    assert os.listdir(tmp_path) == [found[0].folder.name] == [found[1].folder.name]


PEAK = """
import re, sys
from pathlib import Path
from minibert.data import portions
from minibert.readers import plain_text as corpus_text
from minibert.data.cache import cached_documents
from minibert.readers.plain_text import stream_documents
from minibert.tokenizer.fast import FastWordPiece
root, text, vocab = sys.argv[1:]
portions.PORTION = corpus_text.SAMPLE = 1 << 17                 # so that both texts are of many portions
documents = cached_documents(root, "text", lambda: stream_documents(text), FastWordPiece.load(vocab))
for start in range(0, len(documents), 500):
    documents.read(start, min(start + 500, len(documents)))
    documents.release()
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.skipif(
    not Path("/proc/self/status").is_file(), reason="the system does not tell a process its peak of memory"
)
def test_a_text_ten_times_as_large_takes_the_same_memory(tmp_path, tokenizer):
    tokenizer.save(tmp_path / "vocab.txt")
    part = "\n".join("\n".join(document) + "\n" for document in TEXT) + "\n"

    def peak(copies):
        """Megabytes of a process that encodes a text and reads it once, and of the text."""
        path = tmp_path / f"{copies}.txt"
        path.write_text(part * copies)
        result = subprocess.run(
            [sys.executable, "-c", PEAK, tmp_path / str(copies), path, tmp_path / "vocab.txt"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        return int(result.stdout.splitlines()[-1]) / 1024, path.stat().st_size / 2**20

    (small, little), (large, much) = peak(60), peak(600)
    assert much == 10 * little > 11 and large - small < 0.6 * much  # the text alone in memory: 0.9 * much


def test_no_part_of_the_cache_is_larger_than_its_format_says(tmp_path, tokenizer):
    documents = made(tmp_path, tokenizer)
    assert set(files(documents)) == {*(f"{name}.npy" for name in encoded.ARRAYS), "about.json"}
    assert np.load(documents.folder / "ids.npy").nbytes == 2 * documents.tokens


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here that is always full")
@pytest.mark.parametrize("name", ["ids.npy", "sentences.npy", "documents.npy", "about.json"])
def test_a_full_disk_is_named_with_the_file(name, tmp_path):
    (tmp_path / name).symlink_to("/dev/full")
    ones = np.ones(9, np.int64)
    with pytest.raises(OSError, match=f"No space left on device: '.*{name}'"):
        encoded.write(tmp_path, "key", 99, [(ones, ones, np.array([9]))])
