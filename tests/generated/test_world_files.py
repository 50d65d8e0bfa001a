"""The generated language as files: every kind is written, whole and reproducibly, and read by the package's
readers.
"""

import json

import pytest

from minibert.generated import World, to_conll, to_squad, to_squad2
from minibert.generated.files import FILE_KINDS, write_files
from minibert.generated.writer.text_files import write_squad
from minibert.readers.conll import read_conll
from minibert.readers.plain_text import read_documents
from minibert.readers.squad import iter_squad

WORLD = World(seed=0)


def contents(path):
    return {p.name: p.read_bytes() for p in ([path] if path.is_file() else sorted(path.rglob("*.txt")))}


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_every_kind_is_written_and_the_same_seed_writes_the_same(kind, tmp_path):
    first, again, other = (
        write_files(WORLD, 6, seed, "dev", [kind], tmp_path / name)[0]
        for seed, name in ((1, "a"), (1, "b"), (2, "c"))
    )
    assert contents(first) and all(contents(first).values())
    assert contents(first) == contents(again) != contents(other)
    assert (kind in " ".join(FILE_KINDS)) and FILE_KINDS[kind].holds


def test_the_files_are_read_by_the_readers_of_real_data(tmp_path):
    documents = list(WORLD.documents(5, seed=1))
    text, squad, squad2, ner = write_files(WORLD, 5, 1, "train", ["text", "squad", "squad2", "ner"], tmp_path)
    assert read_documents([text]) == [list(document.sentences) for document in documents]
    assert json.loads(squad.read_text(encoding="utf-8")) == to_squad(documents)
    assert json.loads(squad2.read_text(encoding="utf-8")) == to_squad2(documents)
    assert ner.read_text(encoding="utf-8") == to_conll(documents)
    assert len(list(iter_squad(squad))) == sum(not q.impossible for d in documents for q in d.questions)
    assert sum(map(bool, read_conll(ner))) == sum(len(document.sentences) for document in documents)


def test_labels_of_the_text_without_labels_and_unknown_kinds_are_refused(tmp_path):
    with pytest.raises(ValueError, match="'mnli' has labels"):
        write_files(WORLD, 1, 0, "pretrain", ["text", "mnli"], tmp_path / "x")
    with pytest.raises(ValueError, match="unknown kind 'poem'"):
        write_files(WORLD, 1, 0, "train", ["poem"], tmp_path / "x")
    with pytest.raises(ValueError, match="version '3' must be"):
        write_squad([], tmp_path / "x.json", "3")
    assert not (tmp_path / "x").exists()
