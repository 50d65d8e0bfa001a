"""The benchmark of frozen trunks: what it reads is in the vectors, and where they say nothing, it learns
nothing.
"""

import numpy as np
import pytest
import torch
from tiny import CONFIG

from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.model import Encoder
from minibert.tokenizer import FastWordPiece, count_words, train_wordpiece

WORLD = World(WORLD_SEED)


@pytest.fixture
def frozen(script):
    return script("frozen")


class Told:
    """In place of a trunk: the vector of each word of a text is what `tell(words)` says, (words, D)."""

    def __init__(self, tell):
        self.tell = tell

    def __call__(self, text):
        return np.asarray(self.tell(text), float)

    def fits(self, text):
        return True


def nothing(text):
    return [[0.0]] * len(text)


def test_a_word_is_the_mean_of_its_pieces(frozen):
    tokenizer = FastWordPiece(train_wordpiece(count_words(["ab abcd"]), 14))
    words = frozen.Words(Encoder(CONFIG.replace(vocab_size=len(tokenizer))), tokenizer)
    encoding = tokenizer.encode_words(["ab", "abcd"])
    assert encoding.words.count(1) > 1, "the second word is in pieces"
    ids = torch.tensor([[tokenizer.specials.cls, *encoding.ids, tokenizer.specials.sep]])
    hidden = words.encoder(ids, torch.ones(1, ids.shape[1], ids.shape[1], dtype=bool), 0 * ids)["hidden"][
        0, 1:-1
    ]
    mean = hidden[[word == 1 for word in encoding.words]].mean(0).detach().numpy()
    np.testing.assert_allclose(words(["ab", "abcd"])[1], mean / np.linalg.norm(mean), rtol=1e-4, atol=1e-5)


def test_senses_are_read_where_the_vectors_tell_them_and_else_guessed(frozen):
    train, test = (frozen.senses(WORLD, Told(nothing), count, 3, "train") for count in (600, 60))
    assert {number for _, _, number in train[1]} == set(range(5))
    senses = sorted({label[:2] for label in train[1] + test[1]})
    told = [
        np.array([[float(label[:2] == sense) for sense in senses] for label in labels])
        for _, labels in (train, test)
    ]
    loud = [
        np.c_[vectors, 100 * np.random.default_rng(0).normal(size=len(vectors))] for vectors in told
    ]  # a column of noise
    accuracy, frequent = frozen.sense_score((loud[0], train[1]), (loud[1], test[1]))
    assert accuracy == 100 and 30 < frequent < 80
    assert frozen.sense_score(train, test)[0] < 80


def test_a_sense_is_not_read_from_its_own_wording(frozen):
    (_, learn), (_, asked) = (frozen.senses(WORLD, Told(nothing), 600, seed, "train") for seed in (3, 4))
    wordings = sorted(set(learn + asked))
    told = [
        np.array([[float(label == wording) for wording in wordings] for label in labels])
        for labels in (learn, asked)
    ]
    assert frozen.sense_score((told[0], learn), (told[1], asked))[0] < 60


def test_parts_of_speech_and_clauses_are_read_where_the_vectors_tell_them(frozen):
    train, test = (
        frozen.sentences(WORLD, Told(nothing), count, seed, "train") for count, seed in ((12, 0), (6, 1))
    )
    tags = sorted({word.upos for word in train[1] + test[1]})
    told = [
        np.array([[*(word.upos == tag for tag in tags), word.depth > 0] for word in words], float)
        for _, words in (train, test)
    ]
    accuracy, frequent = frozen.tag_score((told[0], train[1]), (told[1], test[1]))
    assert accuracy > 99 and 60 < frequent < accuracy
    assert frozen.depth_score((told[0], train[1]), (told[1], test[1]))[0] == 100
    assert frozen.tag_score(train, test)[0] < 40
    assert frozen.depth_score(train, test)[0] == 0 < frozen.depth_score(train, test)[1] < 50


def test_of_two_names_before_a_pronoun_one_is_meant(frozen):
    vectors, labels = frozen.pairs(WORLD, Told(lambda text: np.arange(len(text))[:, None]), 60, 0, "train")
    same = [label for label, _ in labels]
    pairs = len(same) // 2
    assert len(same) > 20 and same[::2] == [True] * pairs and same[1::2] == [False] * pairs
    assert all(a != b for (_, a), (_, b) in zip(labels[::2], labels[1::2], strict=True)), (
        "of the two, one is nearer"
    )
    distance = vectors[:, 1]
    assert all(
        (mine < others) == near
        for mine, others, (_, near) in zip(distance[::2], distance[1::2], labels[::2], strict=True)
    )
    accuracy, near = frozen.pair_score(
        (np.array(labels)[:, :1] * 1.0, labels), (np.array(labels)[:, :1] * 1.0, labels)
    )
    assert accuracy == 100 and 50 <= near < 80
