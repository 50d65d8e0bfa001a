"""The labelled examples of the generated language: reproducible, split without overlap, written to files that
the package's readers read.

The fingerprint holds what is in the files: it changes with any of their bytes.
"""

import json

import pytest

from minibert.generated import World, to_conll, to_squad, to_squad2
from minibert.generated.files import documents, write_files
from minibert.generated.labels.acceptability import acceptability_examples
from minibert.generated.labels.coreference import coreference_documents, winograd_examples
from minibert.generated.labels.inference import entailment_examples, recognition_examples
from minibert.generated.labels.paraphrase import question_pairs, sentence_pairs
from minibert.generated.labels.qnli import answering_examples
from minibert.generated.labels.race import race_examples
from minibert.generated.labels.right_context import names_in_right_context
from minibert.generated.labels.sentiment import sentiment_examples
from minibert.generated.labels.similarity import similarity_pairs
from minibert.generated.labels.swag import swag_examples
from minibert.generated.labels.two_hops import two_hop_documents
from minibert.generated.labels.word_senses import uses, words_in_context
from minibert.generated.writer.text_files import write_squad
from minibert.readers.conll import read_conll
from minibert.readers.plain_text import read_documents
from minibert.readers.squad import iter_squad

WORLD = World(seed=0)
SHARED = {  # examples -> what no two splits may share
    acceptability_examples: lambda example: example.sentence,
    answering_examples: lambda example: example,
    entailment_examples: lambda example: example,
    names_in_right_context: lambda document: document.text[: document.entities[0].end],
    question_pairs: lambda pair: (pair.first, pair.second),
    race_examples: lambda example: example.article,
    recognition_examples: lambda example: example,
    sentence_pairs: lambda pair: (pair.first, pair.second),
    sentiment_examples: lambda example: example.sentence,
    similarity_pairs: lambda pair: (pair.first, pair.second),
    swag_examples: lambda example: example.sent1 + example.sent2,
    two_hop_documents: lambda document: document.text,
    uses: lambda example: example.sentence,
    winograd_examples: lambda pair: pair.sentence1,
}
BALANCED = {sentiment_examples, words_in_context}  # half of any number: fewer are not the first of more


@pytest.mark.slow
@pytest.mark.parametrize("make", SHARED)
def test_splits_share_no_example(make):
    train, dev, test = (
        {SHARED[make](example) for example in make(WORLD, 400, 1, split)}
        for split in ("train", "dev", "test")
    )
    assert train and dev and test and not train & dev and not train & test and not dev & test


@pytest.mark.parametrize("make", [*SHARED, coreference_documents, documents, words_in_context])
def test_a_seed_gives_the_same_examples_and_fewer_are_the_first_of_more(make):
    examples = list(make(WORLD, 6, 1, "train"))
    assert list(make(World(seed=0), 6, 1, "train")) == examples != list(make(WORLD, 6, 2, "train"))
    assert make in BALANCED or list(make(WORLD, 9, 1, "train"))[:6] == examples
    with pytest.raises(ValueError, match="'valid' must be one of"):
        list(make(WORLD, 1, 1, "valid"))


def test_the_files_are_read_by_the_readers_of_real_data(tmp_path):
    five = list(WORLD.documents(5, seed=1))
    text, squad, squad2, ner = write_files(WORLD, 5, 1, "train", ["text", "squad", "squad2", "ner"], tmp_path)
    assert read_documents([text]) == [list(document.sentences) for document in five]
    assert json.loads(squad.read_text(encoding="utf-8")) == to_squad(five)
    assert json.loads(squad2.read_text(encoding="utf-8")) == to_squad2(five)
    assert ner.read_text(encoding="utf-8") == to_conll(five)
    assert len(list(iter_squad(squad))) == sum(not q.impossible for d in five for q in d.questions)
    assert sum(map(bool, read_conll(ner))) == sum(len(document.sentences) for document in five)


def test_labels_of_the_text_without_labels_and_unknown_kinds_are_refused(tmp_path):
    with pytest.raises(ValueError, match="'mnli' has labels"):
        write_files(WORLD, 1, 0, "pretrain", ["text", "mnli"], tmp_path / "x")
    with pytest.raises(ValueError, match="unknown kind 'poem'"):
        write_files(WORLD, 1, 0, "train", ["poem"], tmp_path / "x")
    with pytest.raises(ValueError, match="version='3' must be"):
        write_squad([], tmp_path / "x.json", "3")
    assert not (tmp_path / "x").exists()
