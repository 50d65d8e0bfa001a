"""Write data files in the generated language, in the formats of public data sets.

The same readers load them and the public data sets.

write_files(World(seed=0), count=1000, seed=1, split="train", kinds=["text", "mnli"], folder="data")
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..spelling import did_you_mean
from .labels.acceptability import acceptability_examples, write_cola
from .labels.coreference import (
    coreference_documents,
    winograd_examples,
    write_conll2012,
    write_coreference_json,
    write_wnli,
)
from .labels.inference import entailment_examples, recognition_examples, write_mnli, write_rte
from .labels.paraphrase import question_pairs, sentence_pairs, write_mrpc, write_qqp
from .labels.qnli import answering_examples, write_qnli
from .labels.race import race_examples, write_race
from .labels.right_context import names_in_right_context
from .labels.sentiment import sentiment_examples, write_sst2
from .labels.similarity import similarity_pairs, write_stsb
from .labels.swag import swag_examples, write_swag
from .labels.syntax import tagged_sentences, write_conllu
from .labels.two_hops import two_hop_documents
from .labels.word_senses import words_in_context, write_wic
from .writer.documents import Document, World
from .writer.text_files import write_conll, write_documents, write_squad


class FileKind(NamedTuple):
    """A kind of data file: its `name` (with "{split}"), and functions that make and write its examples."""

    holds: str
    name: str
    make: Callable  # (world, count, seed, split) -> examples
    write: Callable  # (examples, path)
    tasks: bool = True  # False for plain text, which also has a fourth split, `pretrain`


def documents(world: World, count: int, seed: int, split: str) -> Iterator[Document]:
    """Yield `count` documents of a world for one split (train, dev, test or pretrain)."""
    return world.documents(count, seed, split)


def write_wic_files(examples: Iterable, path: Path) -> None:
    """Write pairs of sentences to a file in WiC's format, and their labels to a second one.

    The second file's name has `.gold.` instead of `.data.`.
    """
    write_wic(examples, path, path.with_name(path.name.replace(".data.", ".gold.")))


FILE_KINDS = {
    "text": FileKind(
        "plain text, one sentence per line", "{split}.txt", documents, write_documents, tasks=False
    ),
    "squad": FileKind(
        "questions with answers (SQuAD 1.1)",
        "{split}-v1.1.json",
        documents,
        partial(write_squad, version="1.1"),
    ),
    "squad2": FileKind(
        "questions with and without answers (SQuAD 2.0)",
        "{split}-v2.0.json",
        documents,
        partial(write_squad, version="v2.0"),
    ),
    "hops": FileKind(
        "questions that need two sentences (SQuAD 1.1)",
        "hops-{split}.json",
        two_hop_documents,
        partial(write_squad, version="1.1"),
    ),
    "ner": FileKind("named entities (CoNLL columns, BIO)", "{split}.conll", documents, write_conll),
    "later": FileKind(
        "named entities that depend on later words (CoNLL columns)",
        "later-{split}.conll",
        names_in_right_context,
        write_conll,
    ),
    "sst2": FileKind("sentiment (SST-2)", "sst2-{split}.tsv", sentiment_examples, write_sst2),
    "cola": FileKind(
        "linguistic acceptability (CoLA)", "cola-{split}.tsv", acceptability_examples, write_cola
    ),
    "mnli": FileKind(
        "entailment, neutral or contradiction (MNLI)", "mnli-{split}.tsv", entailment_examples, write_mnli
    ),
    "rte": FileKind("entailment or no entailment (RTE)", "rte-{split}.tsv", recognition_examples, write_rte),
    "qnli": FileKind(
        "whether a sentence answers a question (QNLI)", "qnli-{split}.tsv", answering_examples, write_qnli
    ),
    "qqp": FileKind("duplicate questions (QQP)", "qqp-{split}.tsv", question_pairs, write_qqp),
    "mrpc": FileKind("paraphrases (MRPC)", "mrpc-{split}.tsv", sentence_pairs, write_mrpc),
    "stsb": FileKind(
        "similarity of two sentences, 0 to 5 (STS-B)", "stsb-{split}.tsv", similarity_pairs, write_stsb
    ),
    "wnli": FileKind("the referent of a pronoun (WNLI)", "wnli-{split}.tsv", winograd_examples, write_wnli),
    "swag": FileKind("a choice of four endings (SWAG)", "swag-{split}.csv", swag_examples, write_swag),
    "race": FileKind(
        "a choice of four answers about a passage (RACE)", "race-{split}", race_examples, write_race
    ),
    "wic": FileKind(
        "whether a word has the same sense in two sentences (WiC)",
        "wic-{split}.data.txt",
        words_in_context,
        write_wic_files,
    ),
    "pos": FileKind(
        "part-of-speech tags and clause depth (CoNLL-U)", "{split}.conllu", tagged_sentences, write_conllu
    ),
    "coref": FileKind(
        "coreference (CoNLL-2012 columns)", "coref-{split}.conll", coreference_documents, write_conll2012
    ),
    "coref-json": FileKind(
        "coreference (JSON lines)", "coref-{split}.jsonl", coreference_documents, write_coreference_json
    ),
}


def write_files(
    world: World, count: int, seed: int, split: str, kinds: Iterable[str], folder: str | Path
) -> list[Path]:
    """Write `count` examples of each kind to files in a folder, and return the paths.

    kinds: keys of FILE_KINDS. For text, questions and entities, an example is a document. Only one example is
    in memory at a time. Raises ValueError for an unknown kind, and for a labelled kind with the split
    `pretrain`.
    """
    kinds = list(kinds)
    for kind in kinds:
        if kind not in FILE_KINDS:
            raise ValueError(
                f"unknown kind {kind!r}; known kinds: {', '.join(FILE_KINDS)}{did_you_mean(kind, FILE_KINDS)}"
            )
        if split == "pretrain" and FILE_KINDS[kind].tasks:
            raise ValueError(
                f"kind {kind!r} has labels, but the split 'pretrain' is unlabelled text: choose "
                f"train, dev or test"
            )
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for kind in kinds:
        paths.append(folder / FILE_KINDS[kind].name.format(split=split))
        FILE_KINDS[kind].write(FILE_KINDS[kind].make(world, count, seed, split), paths[-1])
    return paths
