"""Training on pairs: the loss, what it sees, and that pairs come closer."""

import numpy as np
import pytest
import torch

from minibert import reference
from minibert.config import preset
from minibert.finetuning.search import unit
from minibert.finetuning.sentences import SentenceHead, SentencePairs, in_batch_loss, train_sentences
from minibert.model import Encoder, Model
from minibert.model.encoding import encode
from minibert.tokenizer import train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.micro_batch import loss_of_batch

COLOURS, SHAPES = "red blue green black white grey".split(), "ball cube cone ring disc star".split()
PAIRS = [(f"which one is {c} ?", f"the {c} {s} lies there") for c in COLOURS for s in SHAPES]
TOKENIZER = FastWordPiece(
    train_wordpiece({w: 9 for pair in PAIRS for text in pair for w in text.split()}, 90)
)


def encoder(seed=0):
    torch.manual_seed(seed)
    config = preset(
        "class", vocab_size=len(TOKENIZER), hidden_size=32, intermediate_size=64, num_hidden_layers=2
    )
    return Encoder(config).eval()


def test_both_losses_are_the_same_and_ln_b_without_information():
    rng = np.random.default_rng(0)
    queries, answers = rng.normal(size=(2, 7, 5))
    tensors = torch.from_numpy(queries), torch.from_numpy(answers)
    for temperature in (0.05, 1.0):
        by_hand = reference.losses.in_batch_loss(queries, answers, temperature)
        assert abs(in_batch_loss(*tensors, temperature).item() - by_hand) < 1e-12
    assert in_batch_loss(torch.ones(7, 5), torch.ones(7, 5)).item() == pytest.approx(np.log(7), abs=1e-5)
    assert in_batch_loss(3 * tensors[0], tensors[1]).item() == pytest.approx(in_batch_loss(*tensors).item())


def test_an_equal_answer_is_no_negative():
    vectors = torch.eye(4, 6)
    answers = vectors[[0, 0, 1, 2]]
    same = (answers[:, None] == answers).all(-1)
    loss = in_batch_loss(vectors[[0, 0, 1, 2]], answers, 0.05, same)
    assert loss < 1e-6 < in_batch_loss(vectors[[0, 0, 1, 2]], answers, 0.05)


def test_the_head_pools_like_encode_and_padding_changes_nothing():
    network, texts = encoder(), ["the red ball", "which one is blue ? the star lies there"]
    goal = SentencePairs(TOKENIZER, 32)
    batch = goal.collate(goal.encode([(texts[0], texts[1])]))
    inputs = {name: torch.from_numpy(x).flatten(0, 1) for name, x in goal.corrupt(batch, None)[0].items()}
    for pooling in ("mean", "cls"):
        vectors = Model(network, {"sentence": SentenceHead(pooling)})(**inputs)["sentence"]
        np.testing.assert_allclose(
            vectors.detach(), encode(network, TOKENIZER, texts, pooling, 32), atol=1e-5
        )


def test_the_loss_of_a_batch_pairs_each_query_with_its_own_answer():
    network, goal = encoder(), SentencePairs(TOKENIZER, 16)
    model = Model(network, goal.heads(network))
    pairs = [PAIRS[0], PAIRS[7], PAIRS[14], PAIRS[0]]
    loss, _ = loss_of_batch(goal, model, goal.collate(goal.encode(pairs)), np.random.default_rng(0))
    queries, answers = (
        torch.from_numpy(encode(network, TOKENIZER, list(side), "mean", 16)) for side in zip(*pairs)
    )
    same = torch.eye(4, dtype=torch.bool)
    same[0, 3] = same[3, 0] = True
    assert loss.item() == pytest.approx(in_batch_loss(queries, answers, 0.05, same).item(), abs=1e-4)


def test_long_texts_are_truncated():
    rows = SentencePairs(TOKENIZER, 5).encode([("red ball", "red ball red ball red ball")])
    assert [len(text) for text, _ in rows[0]] == [2, 3]


def test_training_brings_a_query_closest_to_its_answer():
    network = encoder()

    def found():
        queries, answers = (
            unit(encode(network, TOKENIZER, list(side), "mean", 32))
            for side in zip(*PAIRS[:: len(SHAPES) + 1])
        )
        return (queries @ answers.T).argmax(1)

    before = found()
    log = train_sentences(
        network,
        TOKENIZER,
        PAIRS,
        steps=60,
        batch_size=12,
        peak_rate=3e-3,
        progress=False,
        precision="float32",
    )
    assert (before == np.arange(6)).sum() < 6 and (found() == np.arange(6)).all()
    assert log[-1]["loss"] < 0.5 * log[0]["loss"] and not network.training


def test_the_result_depends_on_the_seed_alone():
    def weights(seed):
        network = encoder()
        train_sentences(
            network, TOKENIZER, PAIRS, steps=3, batch_size=8, seed=seed, progress=False, precision="float32"
        )
        return network.embeddings.word.weight

    assert torch.equal(weights(1), weights(1)) and not torch.equal(weights(1), weights(2))


def test_a_single_pair_has_no_negatives():
    with pytest.raises(ValueError, match="1 pairs: at least 2"):
        train_sentences(encoder(), TOKENIZER, PAIRS[:1], steps=1)
