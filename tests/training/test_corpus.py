"""A text gets its vocabulary and ids once, whatever the number of processes, and the next run finds them."""

import os
from collections import Counter

import pytest

from minibert.data import portions
from minibert.data.cache import text_of_files
from minibert.generated import World
from minibert.generated.corpus import text_of_world
from minibert.tokenizer import count_words, train_wordpiece
from minibert.training import corpus as corpus_module
from minibert.training import threads
from minibert.training.corpus import corpus, count, hold_out
from minibert.training.pretraining import encode_documents

TEXT = [list(document.sentences) for document in World(seed=0).documents(40, seed=1)]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join("\n".join(document) for document in TEXT), encoding="utf-8")
    return text_of_files([path])


def test_the_vocabulary_and_the_ids_are_those_of_the_whole_text_in_memory(tmp_path, text):
    tokenizer, documents = corpus(text, tmp_path / "cache", vocab_size=200)
    assert tokenizer.vocab == train_wordpiece(count_words(s for d in TEXT for s in d), 200)
    assert list(documents) == encode_documents(TEXT, tokenizer)


def test_the_second_run_finds_both_and_does_not_read_the_text(tmp_path, text, capsys):
    first, documents = corpus(text, tmp_path / "cache", vocab_size=200)
    capsys.readouterr()
    second, again = corpus(text._replace(documents=lambda: 1 / 0), tmp_path / "cache", vocab_size=200)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Loaded from the cache: a vocabulary of 200 tokens in ")
    assert lines[1].startswith("Loaded from the cache: 40 documents")
    assert first.vocab == second.vocab
    assert list(documents) == list(again)
    assert len(os.listdir(tmp_path / "cache")) == 2


def test_another_size_or_a_given_vocabulary_is_another_cache(tmp_path, text, capsys):
    tokenizer, documents = corpus(text, tmp_path / "cache", vocab_size=200)
    smaller, fewer = corpus(text, tmp_path / "cache", vocab_size=150)
    assert len(smaller) == 150 and fewer.folder != documents.folder
    tokenizer.save(tmp_path / "vocab.txt")
    capsys.readouterr()
    given, same = corpus(text, tmp_path / "cache", vocab=tmp_path / "vocab.txt", vocab_size=99)
    assert given.vocab == tokenizer.vocab and same.folder == documents.folder
    assert capsys.readouterr().out.startswith("Loaded from the cache: ")


def test_a_damaged_vocabulary_is_named_and_trained_anew(tmp_path, text, capsys):
    tokenizer, _ = corpus(text, tmp_path / "cache", vocab_size=200)
    path = next((tmp_path / "cache").glob("vocab-*.txt"))
    path.write_text("[PAD]\n[UNK]\n")
    capsys.readouterr()
    again, _ = corpus(text, tmp_path / "cache", vocab_size=200)
    first, second, third = capsys.readouterr().out.splitlines()
    assert path.name in first
    assert first.endswith("the vocabulary is trained again")
    assert second.startswith("Vocabulary trained: 200")
    assert third.startswith("Loaded from the cache: ") and again.vocab == tokenizer.vocab


def test_words_are_counted_alike_by_any_number_of_processes(monkeypatch):
    expected = count_words(sentence for document in TEXT for sentence in document)
    monkeypatch.setattr(portions, "PORTION", 1000)
    monkeypatch.setattr(portions, "FEW", 4)
    one, two = count(TEXT), count(TEXT, workers=2)
    assert one == two == expected and list(one) == list(two)


def test_of_too_many_words_the_rarest_are_forgotten(monkeypatch):
    monkeypatch.setattr(portions, "PORTION", 20)
    monkeypatch.setattr(corpus_module, "MOST_WORDS", 3)
    text = [["a a a a a b b b b c c c"], *([f"x{i} a b y{i}"] for i in range(20))]
    counts = count(text)
    assert {"a": 25, "b": 24}.items() <= counts.items() and len(counts) <= 3 and isinstance(counts, Counter)


def test_a_text_of_the_language_is_named_by_its_seed_and_size(monkeypatch):
    names = {text_of_world(0, 20).name, text_of_world(1, 20).name, text_of_world(0, 21).name}
    assert len(names) == 3 and text_of_world(0, 20, workers=2).name in names
    assert list(text_of_world(0, 20).documents()) == [
        list(d.sentences) for d in World(0).documents(20, seed=1)
    ]
    monkeypatch.setattr("minibert.generated.corpus.content_of", lambda paths: "another grammar")
    assert text_of_world(0, 20).name not in names


@pytest.mark.parametrize("count, held_out", [(4, 2), (39, 2), (60, 3), (19_000, 950), (50_000, 1000)])
def test_the_last_twentieth_is_held_out_but_no_more_than_fits_in_memory(count, held_out):
    first, last = hold_out(range(count))
    assert [*first, *last] == list(range(count)) and len(last) == held_out


def test_a_container_that_is_granted_one_processor_gets_one_process(monkeypatch):
    monkeypatch.setattr(threads, "quotas", lambda root: [1.5])
    assert threads.cores() == 1


def test_too_few_documents_are_refused():
    with pytest.raises(
        ValueError, match="got only 3 documents, but training and evaluation together need at least 4"
    ):
        hold_out(range(3))


def test_a_cased_vocabulary_that_is_read_as_uncased_is_told(tmp_path, text):
    said = []
    tokenizer, _ = corpus(text, tmp_path / "cache", vocab_size=200, say=said.append)
    (tmp_path / "vocab.txt").write_text("\n".join([*tokenizer.vocab, "Ashby"]) + "\n")
    corpus(text, tmp_path / "cache", vocab=tmp_path / "vocab.txt", say=said.append)
    assert sum("has capital letters, but the text is lowercased" in line for line in said) == 1
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    corpus(text, tmp_path / "cache", vocab=tmp_path / "vocab.txt", say=said.append)
    assert sum("has capital letters" in line for line in said) == 1
