"""Opinions as trees and as a pair of files."""

import pytest

from minibert.readers.sentiment import iter_sst2, iter_sst5
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError

read_sst2 = as_list(iter_sst2)
read_sst5 = as_list(iter_sst5)

TREE = "(3 (2 (2 The) (2 film)) (4 (3 (2 is) (4 \\/great\\/)) (2 (2 -LRB-) (2 !))))"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.pos").write_text("a warm film . \n\nfunny\n", encoding="utf-8")
    (tmp_path / "train.neg").write_text("dull .\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["train.pos", "train.neg"])
def test_either_file_of_a_pair_stands_for_both(folder, name):
    found = [(e.first, e.second, e.label, e.id, e.line) for e in read_sst2(folder / name)]
    assert found == [
        ("dull .", None, "0", "0", 1),
        ("a warm film .", None, "1", "1", 1),
        ("funny", None, "1", "2", 3),
    ]
    assert [e.label for e in read_sst2(folder / name, labelled=False)] == [None] * 3


def test_a_file_without_its_other_side_is_named(folder):
    (folder / "train.neg").unlink()
    with pytest.raises(CorpusError, match=r"train\.neg: no such file; SST-2 needs it besides train\.pos$"):
        read_sst2(folder / "train.pos")


def test_a_tree_gives_its_words_and_the_label_of_its_root(tmp_path):
    path = tmp_path / "train.txt"
    path.write_text(f"{TREE}\r\n\n(0 (1 So) (0 dull))\n", encoding="utf-8")
    assert [(e.first, e.label, e.line) for e in read_sst5(path)] == [
        ("The film is /great/ ( !", "3", 1),
        ("So dull", "0", 3),
    ]
    assert [e.label for e in read_sst5(path, labelled=False)] == [None, None]


@pytest.mark.parametrize(
    "line", ["3\tgood", "(3 (2 a) (2 b)", "(5 (2 a) (2 b))", "(3 )", "(3 (2 a) (2 b)) c"]
)
def test_a_line_that_is_no_tree_is_named(tmp_path, line):
    path = tmp_path / "train.txt"
    path.write_text(f"{TREE}\n{line}\n", encoding="utf-8")
    with pytest.raises(
        CorpusError, match=r"train\.txt:2: not a tree of the form \(LABEL \.\.\.\), with labels from 0"
    ):
        read_sst5(path)


@pytest.mark.parametrize("split, count", [("train", 2000), ("dev", 300)])
def test_real_reviews_are_counted_right(shared, split, count):
    examples = read_sst2(shared / "data/cls/sentence_polarity" / f"{split}.pos")
    assert [e.label for e in examples] == ["0"] * count + ["1"] * count
    text = (shared / "data/cls/sentence_polarity" / f"{split}.neg").read_text(encoding="utf-8")
    assert [e.first for e in examples[:count]] == [line.strip() for line in text.split("\n")[:-1]]
