"""Give a model facts as input: a person's embedding is an additional token in the sentence.

Zhang et al. (2019, arXiv 1905.07129), ERNIE, and Peters et al. (2019, arXiv 1909.04164), KnowBert, add entity
vectors from a knowledge graph to the vectors of the entities' names. Here, the embedding is computed from
facts, and a linear map takes it to the encoder's width. Axes: D hidden, N people, G numbers of a person's
embedding.
"""

import copy
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.readers.glue import TextExample

from .shared import (
    PARTS,
    PLAIN,
    RECIPE,
    SEEDS,
    FinetuningRecipe,
    TaskExamples,
    backbone,
    line,
    prepared,
    tuned,
)

ASKED = "instrument"
STRINGS = frozenset("violin harp guitar cello banjo mandolin piano".split())  # a piano has strings, too
KNOWN = ("trade", ASKED, "animal", "home")  # the facts about each person in the graph
SIZE = 32  # G
WAYS = {  # (the fact is in the text, the person has an embedding)
    "neither": (False, False),
    "embedding": (False, True),
    "text": (True, False),
    "text and embedding": (True, True),
}


@dataclass(frozen=True)
class FactMention:
    """Two sentences about a person: one names the person's instrument, and the other does not."""

    person: int  # a row of the people's embeddings
    told: str
    other: str
    strings: bool  # the label: has the instrument strings?


@functools.cache
def sightings(recipe: FinetuningRecipe = RECIPE) -> tuple[dict[str, list[FactMention]], Tensor]:
    """Return the mentions of people by part of the data, and the embeddings (N, G) of all N people.

    The parts are "train", "validation" and "test". Each person occurs in only one of them.
    """
    found: dict[str, list[FactMention]] = {}
    facts: list[dict[str, str]] = []
    for part in PARTS:
        found[part], wanted = [], getattr(recipe, "labelled" if part == "train" else part)
        for page in World(WORLD_SEED).pages(40 * wanted, SEEDS[part], "train"):
            seen = sighting_of(page, len(facts)) if page.kind == "life" else None
            if seen and sum(one.strings == seen[0].strings for one in found[part]) < wanted / 2:
                found[part].append(seen[0])
                facts.append(seen[1])
            if len(found[part]) == wanted:
                break
    return found, embeddings_of(facts)


def sighting_of(page: Any, person: int) -> tuple[FactMention, dict[str, str]] | None:
    """Return the sentences about a person on a generated page, and the person's facts.

    person: the person's index. Returns None if the page has no suitable sentences.
    """
    for (topic, slot), (_, _, number) in page.told.items():
        if topic.sort.name != "person" or slot != ASKED:
            continue
        named = {at for at, _, _ in page.mentions.get(topic, ())}
        tells = {at for (one, what), (_, _, at) in page.told.items() if one is topic and what == ASKED}
        music = {at for at, (_, key) in enumerate(page.lists) if key == "music"}
        silent = sorted(named - tells - music)
        if number in named and silent:
            return (
                FactMention(
                    person, page.sentences[number], page.sentences[silent[0]], topic.fact(ASKED) in STRINGS
                ),
                {one: str(topic.fact(one)) for one in KNOWN},
            )
    return None


def embeddings_of(facts: list[dict[str, str]]) -> Tensor:
    """Return an embedding for each person, (N, G): the person's facts as 0s and 1s, reduced by an SVD."""
    # paper: TransE, learned from the graph's triples. For a table of facts, a factorisation is exact enough.
    names = sorted({(slot, value) for one in facts for slot, value in one.items()})
    column = {name: i for i, name in enumerate(names)}
    table = np.zeros((len(facts), len(names)))
    for row, one in enumerate(facts):
        table[row, [column[name] for name in one.items()]] = 1
    left, sizes, _ = np.linalg.svd(table - table.mean(0), full_matrices=False)
    return torch.tensor((left * sizes)[:, :SIZE], dtype=torch.float32)


class WithEntities(nn.Module):
    """Word embeddings for V tokens and N people, whose ids are V to V + N - 1.

    people: a vector of G numbers for each person, which a linear layer maps to D numbers. Because people are
    tokens, no layer is needed to combine them with words (as in E-BERT, Poerner et al., 2020, arXiv
    1911.03681).
    """

    people: Tensor

    def __init__(self, word: nn.Embedding, people: Tensor) -> None:
        super().__init__()
        self.word, self.map = word, nn.Linear(people.shape[1], word.embedding_dim, bias=False)
        nn.init.normal_(self.map.weight, std=float(word.weight.detach().std()))
        self.register_buffer("people", people)

    def forward(self, input_ids: Tensor) -> Tensor:
        """Return the embeddings (B, T, D) of token and person ids (B, T)."""
        V = self.word.num_embeddings
        known = input_ids >= V  # (B, T)
        x = self.word(input_ids.masked_fill(known, 0))  # (B, T, D)
        if not known.any():
            return x
        people = self.map(self.people[(input_ids - V).clamp_min(0)])  # (B, T, D)
        return torch.where(known[..., None], people, x)


def ids_of(seen: FactMention, in_text: bool, with_entity: bool) -> list[int]:
    """Return the ids of a sentence about a person.

    in_text: whether to use the sentence that names the instrument. with_entity: whether to put the person's
    id first.
    """
    _, tokenizer = backbone()
    ids = tokenizer.encode(seen.told if in_text else seen.other).ids
    return [len(tokenizer) + seen.person, *ids] if with_entity else ids


def knowledge_run(way: str, seed: int, recipe: FinetuningRecipe = RECIPE) -> dict[str, Any]:
    """Fine-tune a model to predict whether a person's instrument has strings, and test it on other people.

    way: a key of WAYS, which says where the model finds the instrument. Returns the results as `line` does.
    """
    parts, people = sightings(recipe)
    in_text, with_entity = WAYS[way]
    encoder, tokenizer = backbone()
    texts = {
        part: [
            TextExample(one.told if in_text else one.other, None, "yes" if one.strings else "no", "0", 1)
            for one in found
        ]
        for part, found in parts.items()
    }
    plain = prepared("text", tokenizer, texts)
    rows = {
        part: [(ids_of(one, in_text, with_entity), None) for one in found] for part, found in parts.items()
    }
    given = TaskExamples(
        plain.task,
        rows["train"],
        plain.labels,
        plain.validation.of(plain.task, rows["validation"]),
        plain.test.of(plain.task, rows["test"]),
        texts,
    )
    own = copy.deepcopy(encoder)
    torch.manual_seed(seed)
    embeddings: Any = own.embeddings
    embeddings.word = WithEntities(embeddings.word, people)
    return line(tuned(given, seed, seed, recipe, PLAIN, own))
