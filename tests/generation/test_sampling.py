"""Draws follow their probabilities; a model's probabilities and a GPT's texts are what the model says."""

import numpy as np
import torch
from scipy.stats import chisquare

from minibert.config import preset
from minibert.generation.sampling import model_log_probs, sample, write_left_to_right
from minibert.model import Encoder, Model, TokenHead

CONFIG = preset("class", vocab_size=11, hidden_size=16, num_attention_heads=2, intermediate_size=32)


def model():
    torch.manual_seed(0)
    encoder = Encoder(CONFIG)
    return Model(encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word)})


def test_tokens_are_drawn_with_their_probabilities_and_impossible_ones_never():
    probs = np.array([0.0, 0.5, 0.2, 0.3, 0.0])
    with np.errstate(divide="ignore"):
        logs = np.log(np.tile(probs, (50_000, 1)))
    counts = np.bincount(sample(logs, np.random.default_rng(0)), minlength=5)
    assert counts[[0, 4]].sum() == 0
    assert chisquare(counts[1:4], probs[1:4] * 50_000).pvalue > 0.001


def test_log_probs_are_those_of_the_model_and_a_gpt_does_not_look_ahead():
    ids = np.random.default_rng(0).integers(0, 11, (5, 7))
    changed = ids.copy()
    changed[:, 4] = (changed[:, 4] + 1) % 11
    for causal in (False, True):
        one, two = (model_log_probs(model(), causal, batch_size=2)(x) for x in (ids, changed))
        assert one.shape == (5, 7, 11)
        np.testing.assert_allclose(np.exp(one).sum(-1), 1, rtol=1e-5)
        assert np.allclose(one[:, :4], two[:, :4], atol=1e-6) == causal
        assert not np.allclose(one[:, 4:], two[:, 4:], atol=1e-4)


def test_a_text_is_written_left_to_right_until_its_end():
    end = 3

    def counting(ids):  # after token i comes token i + 1
        logs = np.full((*ids.shape, 5), -50.0)
        np.put_along_axis(logs, np.minimum(ids + 1, 4)[..., None], 0.0, -1)
        return logs

    start = np.array([[0], [1], [2]])
    ids = write_left_to_right(start, 5, counting, end, np.random.default_rng(0))
    assert ids.tolist() == [[0, 1, 2, 3, 3], [1, 2, 3, 3, 3], [2, 3, 3, 3, 3]]
    assert (ids[:, :1] == start).all()


def test_only_masked_positions_are_computed_if_asked():
    ids = np.random.default_rng(0).integers(0, 10, (5, 7))
    ids[0, 3] = ids[4, 0] = ids[4, 6] = 10
    full, masked = model_log_probs(model())(ids), model_log_probs(model(), mask=10, batch_size=2)(ids)
    np.testing.assert_allclose(masked[ids == 10], full[ids == 10], atol=1e-6)
    assert np.isnan(masked[ids != 10]).all()
