"""Only the word vectors that the examples show are trained, with the result of training all of them."""

from contextlib import nullcontext

import pytest
import torch
from test_approaches import SENTENCES, encoder, tuned

from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning import approaches
from minibert.finetuning.partial_embedding import PartialEmbedding, ids_of, train_seen_embeddings
from minibert.model import Model
from minibert.tasks.tagging import Tagging
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.checkpoint import Checkpoints, load_model
from minibert.training.config import TrainConfig


@pytest.fixture
def tokenizer():
    """Two of its words stand in no example."""
    return FastWordPiece(
        [*SPECIAL_TOKENS, "nobody", *sorted({word.lower() for s in SENTENCES for word in s.words}), "slept"]
    )


@pytest.fixture
def shown(tokenizer):
    """The pieces of the examples, and those that every row may have."""
    rows, _, _ = Tagging.fit(tokenizer, 40, SENTENCES).encode(SENTENCES)
    return sorted({*ids_of(rows), *tokenizer.specials.ids})


@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_the_weights_are_those_of_training_all_but_for_the_decay_of_words_not_shown(
    tokenizer, shown, monkeypatch, decay
):
    before = encoder(tokenizer).embeddings.word.weight.detach()
    some, _ = tuned(tokenizer, steps=20, weight_decay=decay)
    monkeypatch.setattr(approaches, "train_seen_embeddings", lambda *arguments: nullcontext())
    whole, _ = tuned(tokenizer, steps=20, weight_decay=decay)
    state, expected = some.model.state_dict(), whole.model.state_dict()
    words, theirs = (x.pop("encoder.embeddings.word.weight") for x in (state, expected))
    other = [i for i in range(len(words)) if i not in shown]
    assert other and torch.equal(words[other], before[other])
    assert (words[shown] - before[shown]).abs().max() > 1e-2
    torch.testing.assert_close(words[shown], theirs[shown])
    torch.testing.assert_close(state, expected)
    assert torch.equal(words[other], theirs[other]) == (decay == 0)


def test_only_what_is_shown_is_trained_and_the_whole_table_is_back_after_an_error(tokenizer, shown):
    task, trunk = Tagging.fit(tokenizer, 40, SENTENCES), encoder(tokenizer)
    word = trunk.embeddings.word
    model = Model(trunk, task.heads(trunk))
    rows, _, _ = task.encode(SENTENCES)
    with pytest.raises(KeyboardInterrupt), train_seen_embeddings(model, task, rows):
        few = trunk.embeddings.word
        assert isinstance(few, PartialEmbedding) and few.weight.shape == (len(shown), word.embedding_dim)
        assert word.weight not in set(model.parameters())
        with torch.no_grad():
            few.weight += 1
        raise KeyboardInterrupt
    assert trunk.embeddings.word is word
    torch.testing.assert_close(word.weight[shown], encoder(tokenizer).embeddings.word.weight[shown] + 1)


def test_in_training_a_piece_that_no_example_shows_is_an_error_and_outside_of_it_has_its_vector(
    tokenizer, shown
):
    word = encoder(tokenizer).embeddings.word
    few = PartialEmbedding(word, torch.tensor(shown))
    ids = torch.tensor([[shown[-1], next(i for i in range(len(word.weight)) if i not in shown)]])
    with pytest.raises(IndexError):
        few.train()(ids)
    with torch.no_grad():
        few.weight += 1
    assert torch.equal(few.eval()(ids), word(ids)) and torch.equal(few.train()(ids[:, :1]), word(ids[:, :1]))


def test_a_checkpoint_has_what_is_shown_and_fills_a_whole_model(tokenizer, shown, tmp_path):
    kept = []

    def score(model):
        model.encoder.embeddings.word.put_back()
        kept.append(model.encoder.embeddings.word.whole[0].weight.detach().clone())
        return -len(kept)

    result, _ = tuned(tokenizer, steps=20, checkpoint=tmp_path, save_every=10, score=score)
    load_model(Checkpoints(tmp_path, TrainConfig(20)).best(), result.model)
    assert len(kept) == 2
    assert not torch.equal(*kept)
    assert torch.equal(result.model.encoder.embeddings.word.weight, kept[0])
