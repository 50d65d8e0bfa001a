"""Byte-pair encoding: the merges in order, their use on new words, and the library beside ours."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE as LibraryBPE
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.trainers import BpeTrainer

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import BPE, WordPiece, train_bpe
from minibert.tokenizer.bpe import spell
from minibert.tokenizer.train import merge_in

LOW = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # the example of the paper's algorithm 1
WORDS = st.dictionaries(st.text("abcé", min_size=1, max_size=6), st.integers(1, 5), min_size=1, max_size=8)


def by_definition(counts, num_merges):
    """Algorithm 1 of the paper, word by word as strings with spaces; ties as ours."""
    words = {" ".join(word) + "</w>": count for word, count in counts.items()}
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, count in words.items():
            symbols = word.split()
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        words = {
            pattern.sub(lambda _, best=best: "".join(best), word): count for word, count in words.items()
        }
        merges.append(best)
    return merges


def test_the_most_frequent_pair_is_merged_first():
    assert train_bpe(LOW, 4)[1] == [("e", "s"), ("es", "t</w>"), ("l", "o"), ("e", "w")]  # 9, 9, 7, 6 times


@settings(deadline=None)
@given(WORDS, st.integers(0, 12))
def test_the_merges_are_those_of_the_papers_algorithm(counts, merges):
    assert train_bpe(counts, merges)[1] == by_definition(counts, merges)


def test_the_vocabulary_opens_with_special_tokens_and_both_forms_of_each_character():
    pieces = "a b c a</w> b</w> c</w> ab</w>".split()
    assert train_bpe({"ab": 3, "c": 1}, 1)[0] == [*SPECIAL_TOKENS, *pieces]


def test_a_new_word_repeats_the_merges_in_the_order_they_were_learnt():
    encoding = BPE(*train_bpe(LOW, 7)).encode("Lowest, slow")
    assert encoding.pieces == ["lo", "w", "est</w>", "[UNK]", "s", "low</w>"]
    assert encoding.offsets == [(0, 2), (2, 3), (3, 6), (6, 7), (8, 9), (9, 12)]
    assert encoding.words == [0, 0, 0, 1, 2, 2]


def test_order_of_merges_is_not_the_longest_piece():
    vocab = [*SPECIAL_TOKENS, "a", "b", "c", "ab", "bc", "c</w>", "bc</w>"]
    assert BPE(vocab, [("b", "c</w>"), ("a", "b")]).encode("abc").pieces == ["a", "bc</w>"]
    assert WordPiece([*SPECIAL_TOKENS, "a", "ab", "##bc", "##c"]).encode("abc").pieces == ["ab", "##c"]


def test_an_unseen_character_is_unknown_alone():
    assert BPE(*train_bpe(LOW, 3)).encode("loz").pieces == ["lo", "[UNK]"]
    assert WordPiece([*SPECIAL_TOKENS, "lo"]).encode("loz").pieces == ["[UNK]"]


@settings(deadline=None)
@given(WORDS, st.integers(0, 12))
def test_every_trained_word_comes_back(counts, merges):
    bpe = BPE(*train_bpe(counts, merges), lower_case=False)
    text = " ".join(counts)
    assert bpe.decode(bpe.encode(text).ids) == text


def test_decoding_shows_special_tokens_but_no_padding():
    bpe = BPE(*train_bpe(LOW, 8))
    ids = [bpe.specials.cls, *bpe.encode("low").ids, bpe.specials.sep, bpe.specials.pad]
    assert bpe.decode(ids) == "[CLS] low [SEP]"
    with pytest.raises(ValueError, match="id 999 is not in the vocabulary"):
        bpe.decode([999])


def library_merges(counts):
    """All merges of the library's trainer, in order."""
    library = Tokenizer(LibraryBPE(end_of_word_suffix="</w>"))
    library.pre_tokenizer = WhitespaceSplit()
    trainer = BpeTrainer(vocab_size=1000, end_of_word_suffix="</w>", show_progress=False)
    library.train_from_iterator(((" " + word) * count for word, count in counts.items()), trainer)
    return [tuple(pair) for pair in json.loads(library.to_str())["model"]["merges"]]


def test_every_merge_of_the_library_is_a_best_one_for_us():
    # Among equally frequent pairs the library's choice differs from run to run, so its merges are replayed.
    text = "the cat and the other cat sat on that mat there and then ran to the station in the rain " * 3
    counts = Counter((text + "a rat in a hat a bat on the cart the rest is as it was").split())
    words, merges = {word: spell(word) for word in counts}, library_merges(counts)
    assert len(merges) > 30
    for best in merges:
        pairs = Counter()
        for word, count in counts.items():
            for pair in zip(words[word], words[word][1:]):
                pairs[pair] += count
        assert pairs[best] == max(pairs.values())
        words = {word: merge_in(spelled, *best, "".join(best)) for word, spelled in words.items()}


@settings(deadline=None, max_examples=30)
@given(WORDS, st.text("abcdé .", max_size=20))
def test_the_library_reads_what_is_saved_and_encodes_the_same(tmp_path_factory, counts, text):
    path = tmp_path_factory.getbasetemp() / "bpe.json"
    bpe = BPE(*train_bpe(counts, 8), lower_case=False)
    bpe.save(path)
    library, encoding = Tokenizer.from_file(str(path)).encode(text), bpe.encode(text)
    assert (library.ids, library.tokens, library.offsets) == (encoding.ids, encoding.pieces, encoding.offsets)
    loaded = BPE.load(path)
    assert (loaded.vocab, loaded.merges, loaded.lower_case) == (bpe.vocab, bpe.merges, False)
    assert BPE.load(path, lower_case=True).lower_case


def test_merges_of_older_files_are_strings(tmp_path):
    bpe = BPE(*train_bpe(LOW, 5))
    bpe.save(tmp_path / "tokenizer.json")
    values = json.loads((tmp_path / "tokenizer.json").read_text())
    values["model"]["merges"] = [" ".join(pair) for pair in bpe.merges]
    (tmp_path / "tokenizer.json").write_text(json.dumps(values))
    assert BPE.load(tmp_path / "tokenizer.json").merges == bpe.merges


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(ValueError, match="there are no words to train on"):
        train_bpe({}, 3)
    with pytest.raises(ValueError, match="num_merges=-1 must be at least 0"):
        train_bpe({"a": 1}, -1)


def test_a_merge_without_its_piece_is_refused(tmp_path):
    with pytest.raises(ValueError, match="merge 0 makes 'ab', which is not in the vocabulary"):
        BPE([*SPECIAL_TOKENS, "a", "b"], [("a", "b")])
    bpe = BPE(*train_bpe(LOW, 2))
    bpe.merges.append(("x", "y"))
    bpe.save(tmp_path / "tokenizer.json")
    with pytest.raises(ValueError, match="tokenizer.json: merge 2 makes 'xy'"):
        BPE.load(tmp_path / "tokenizer.json")
