"""Search among the course's sections: words, vectors, and vectors after training on pairs.

The questions of tables/course_questions.tsv were written from the list of subjects alone, before anybody
looked at the sections; the right sections were chosen afterwards, before any search was run. If a lesson is
rewritten, choose its sections again without a look at the rankings. Axes: Q questions, N sections.
"""

import copy
import csv
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.stats import rankdata

from minibert.english.model import english, shared
from minibert.finetuning.search import BM25, VectorIndex, combined
from minibert.finetuning.sentences import train_sentences
from minibert.model import Encoder
from minibert.model.encoding import Pooling, encode
from minibert.readers import squad

from ..sections import CourseSearch, Section, sections

QUESTIONS = Path(__file__).parents[1] / "tables" / "course_questions.tsv"
TRAINING: dict[str, Any] = {"steps": 40, "batch_size": 16, "peak_rate": 1e-4, "max_length": 48}
BOTH = "BM25 and published, mean"
WAYS = (
    "BM25",
    "random weights, mean",
    "English model, cls",
    "English model, mean",
    "published, mean",  # the encoder under the English model, which its authors trained on sentence pairs
    BOTH,
    "trained on pairs, mean",  # the English model after training on pairs
)
MEAN: Pooling = "mean"
CLS: Pooling = "cls"
LONGEST = 512  # tokens; no passage is longer
LAST = "13"  # the questions are about lessons 1 to 13
Scores = Callable[[str], np.ndarray]  # a question -> the score of each section (N,)


def asked_sections() -> list[Section]:
    """Return the sections among which the experiment searches."""
    return [section for section in sections() if section.lesson[:2] <= LAST]


def questions(path: Path = QUESTIONS) -> dict[str, set[tuple[str, str]]]:
    """Return the right sections of each question, as pairs (lesson, title)."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        row["question"]: {
            (name[: name.index(":")], name[name.index(":") + 2 :]) for name in row["sections"].split(" | ")
        }
        for row in rows
    }


def ranks(scores: Scores, asked: dict[str, set[tuple[str, str]]], found: Sequence[Section]) -> np.ndarray:
    """Return the rank of the best right section for each question, (Q,), from 1."""
    at = {(section.lesson, section.title): i for i, section in enumerate(found)}
    return np.array(
        [
            min(rankdata(-scores(question), "max")[[at[name] for name in right]])  # ties count as wrong
            for question, right in asked.items()
        ]
    )


def measures(rank: np.ndarray, rng: np.random.Generator) -> dict[str, Any]:
    """Return hit@1, hit@3 (%) and MRR of ranks (Q,), each with a 95% bootstrap interval over questions."""
    kinds = {"hit@1": 100.0 * (rank <= 1), "hit@3": 100.0 * (rank <= 3), "MRR": 1 / rank}  # (Q,) each
    draws = rng.integers(len(rank), size=(2000, len(rank)))
    return {
        name: [
            round(float(x), 3) for x in (values.mean(), *np.quantile(values[draws].mean(1), [0.025, 0.975]))
        ]
        for name, values in kinds.items()
    }


def encode_texts(encoder: Encoder, tokenizer: Any, pooling: Pooling, texts: list[str]) -> np.ndarray:
    return np.asarray(encode(encoder, tokenizer, texts, pooling, LONGEST))


def sentence_encoder(
    name: str, pairs: Sequence[tuple[str, str]], pooling: Pooling, seed: int = 0
) -> tuple[Encoder, Any]:
    """Return an encoder of WAYS without its pooling, and its tokenizer.

    pairs: texts that belong together; "trained on pairs" is the English model after training on them.
    """
    model = english()
    encoder = shared().encoder if name == "published" else copy.deepcopy(model.encoder)
    if name == "random weights":
        torch.manual_seed(seed)
        encoder = Encoder(encoder.config).eval()
    if name == "trained on pairs":
        options: dict[str, Any] = {"seed": seed, "precision": "float32", "progress": False}
        train_sentences(encoder, model.tokenizer, pairs, pooling=pooling, **TRAINING, **options)
    return encoder, model.tokenizer


def scores_of(way: str, found: Sequence[Section], pairs: Sequence[tuple[str, str]], seed: int = 0) -> Scores:
    """Return a function from a question to the scores of sections. way: a key of WAYS."""
    if way == "BM25":
        return CourseSearch(found, BM25).scores
    if way == BOTH:
        parts = [scores_of(one, found, pairs, seed) for one in ("BM25", "published, mean")]
        return lambda question: combined(*(part(question) for part in parts))
    name, pooling = way.rsplit(", ")[0], CLS if way.endswith(CLS) else MEAN
    encoder, tokenizer = sentence_encoder(name, pairs, pooling, seed)
    return CourseSearch(
        found, partial(VectorIndex, encode=partial(encode_texts, encoder, tokenizer, pooling))
    ).scores


def search_run(way: str, pairs: Sequence[tuple[str, str]], seed: int = 0) -> dict[str, Any]:
    """Return the rank of the right section for each question of the course, and the number of sections."""
    found = asked_sections()
    rank = ranks(scores_of(way, found, pairs, seed), questions(), found)
    return {"ranks": rank.astype(int).tolist(), "sections": len(found)}


def question_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs (question, passage) of a SQuAD file, without questions that have no answer."""
    return [(one.question, one.context) for one in squad.iter_squad(path) if one.answers]
