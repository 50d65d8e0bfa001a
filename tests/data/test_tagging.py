"""The definitions of tagging say what the package does with whole files, and with tensors."""

import itertools

import numpy as np
import pytest
import torch

from minibert.analysis.layers import LAYERS, combine_layers
from minibert.config import ModelConfig
from minibert.data import tagging
from minibert.data.batch import SPECIAL_TOKENS
from minibert.data.tagging import is_legal, legal_tags
from minibert.finetuning.features import FeatureTagger
from minibert.readers.conll import Sentence
from minibert.tasks.entity_score import entity_f1
from minibert.tasks.tagging import Tagging
from minibert.tokenizer import WordPiece

TAGS = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]


def drawn(rng, count=5):
    return [rng.choice(TAGS, size=int(rng.integers(3, 9))).tolist() for _ in range(count)]


def test_labels_stand_where_the_task_of_the_package_puts_them():
    tokenizer = WordPiece([*SPECIAL_TOKENS, "bram", "##low", "left", "##by", "as", "##h"])
    task = Tagging(tokenizer, 16, TAGS)
    _, labels, _ = task.encode([Sentence(["Bramlow", "left", "Ashby"], ["B-PER", "O", "B-LOC"], 1)])
    assert tagging.align_labels([None, 0, 0, 1, 2, 2, 2, None], [3, 0, 1]) == labels[0]


def test_scores_equal_those_of_the_task():
    rng = np.random.default_rng(1)
    gold = drawn(rng)
    given = [rng.choice(TAGS, size=len(tags)).tolist() for tags in gold]
    theirs = entity_f1(gold, given)
    assert tagging.entity_f1(gold, given) == pytest.approx(
        (theirs["precision"], theirs["recall"], theirs["F1"])
    )
    assert theirs["F1"] > 0


@pytest.mark.parametrize("way", LAYERS)
def test_features_are_what_the_tagger_of_the_package_reads(way):
    B, T, D, outputs = 2, 3, 4, 6
    layers = np.random.default_rng(2).normal(size=(outputs, B, T, D))
    scores = np.random.default_rng(3).normal(size=outputs)
    tagger = FeatureTagger(
        ModelConfig(hidden_size=D, num_attention_heads=2, num_hidden_layers=outputs - 1), 5, way
    )
    chosen, seen = torch.tensor(layers, dtype=torch.float32)[LAYERS[way]], []
    tagger.lstm.register_forward_hook(lambda module, inputs, output: seen.append(inputs[0].data))
    if tagger.mix is not None:
        scores = scores[: len(chosen)]
        tagger.mix.weights.data = torch.tensor(scores, dtype=torch.float32)
    tagger.eval()(
        [torch.tensor(layer, dtype=torch.float32) for layer in layers], torch.ones(B, T, T, dtype=torch.bool)
    )
    ours = combine_layers(layers, way, scores)  # (B, T, D) or (B, T, 4 D)
    assert np.allclose(np.sort(seen[0].detach().numpy().ravel()), np.sort(ours.ravel()), atol=1e-5)


def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match="unknown way 'first'; known ways: embeddings"):
        combine_layers(np.zeros((3, 1, 2)), "first")


@pytest.mark.parametrize("seed", range(20))
def test_constrained_decoding_finds_the_best_of_all_sequences_without_a_stray(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(int(rng.integers(0, 5)), len(TAGS)))
    legal = [
        way
        for way in itertools.product(range(len(TAGS)), repeat=len(scores))
        if all(is_legal(before, tag) for before, tag in itertools.pairwise(["O", *(TAGS[i] for i in way)]))
    ]
    best = max(legal, key=lambda way: sum(scores[word, tag] for word, tag in enumerate(way)))
    assert legal_tags(scores, TAGS) == [TAGS[i] for i in best]


def test_constrained_decoding_leaves_tags_without_strays_as_they_are():
    tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "I-LOC"]
    assert legal_tags(np.eye(len(TAGS))[[TAGS.index(tag) for tag in tags]], TAGS) == tags


def test_a_stray_begins_its_entity_or_is_given_up_whichever_scores_higher():
    out, begin, inside = np.eye(3)
    names = ["O", "B-LOC", "I-LOC"]
    assert legal_tags(np.array([2 * out, 3 * inside + 2 * begin]), names) == ["O", "B-LOC"]
    assert legal_tags(np.array([2 * out, 3 * inside + 2 * out]), names) == ["O", "O"]
    assert legal_tags(np.array([2 * out + begin, 3 * inside]), names) == ["B-LOC", "I-LOC"]


def test_the_task_of_the_package_decodes_so_where_it_is_asked_to():
    tokenizer = WordPiece([*SPECIAL_TOKENS, "old", "as", "##h"])
    task = Tagging(tokenizer, 16, TAGS)
    examples = [Sentence(["Old", "Ash"], ["O", "O"], 1)]
    _, _, origins = task.encode(examples)
    logits = [np.eye(len(TAGS))[[0, 0, 2, 0, 0]] * 3.0]  # [CLS] old as ##h [SEP]: as is I-LOC
    logits[0][1, 1] = 2.0  # old is O, and nearly B-LOC
    assert task.decode(examples, origins, logits) == [["O", "I-LOC"]]
    task.constrained = True
    assert task.decode(examples, origins, logits) == [["B-LOC", "I-LOC"]]
