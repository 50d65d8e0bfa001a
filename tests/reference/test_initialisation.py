"""Fresh parameters have the model's names and shapes, dropout keeps the mean, both GELUs agree."""

import math

import numpy as np
import pytest
from tiny import CONFIG, ragged

from minibert import reference
from minibert.config import count_parameters
from minibert.data.batch import visible_all
from minibert.model import Encoder


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_the_shapes_are_those_of_the_model():
    assert reference.encoder_shapes(CONFIG) == {
        name: tuple(v.shape) for name, v in Encoder(CONFIG).state_dict().items()
    }


def test_the_shapes_hold_what_count_parameters_counts():
    counts = count_parameters(CONFIG)
    total = sum(math.prod(shape) for shape in reference.encoder_shapes(CONFIG).values())
    assert total == sum(counts.values()) - counts["pooler"]


def test_fresh_matrices_are_normal_biases_0_and_norms_1(rng):
    p = reference.init_weights(reference.encoder_shapes(CONFIG), 0.05, rng)
    for name, value in p.items():
        if name.endswith("bias"):
            assert not value.any(), name
        elif name.endswith("norm.weight"):
            assert (value == 1).all(), name
        else:
            assert abs(value.mean()) < 0.01 and abs(value.std() - 0.05) < 0.01, name


def test_a_fresh_encoder_runs_on_them(rng):
    ids, real, types = ragged()
    p = reference.init_weights(reference.encoder_shapes(CONFIG), CONFIG.initializer_range, rng)
    hidden = reference.encoder(ids, visible_all(real), types, p, CONFIG)["hidden"]
    assert np.allclose(hidden.mean(-1), 0) and np.allclose(hidden.std(-1), 1)  # the last LayerNorm is fresh


def test_a_row_longer_than_the_position_table_is_an_error_in_the_reference_too(rng):
    p = reference.init_weights(reference.encoder_shapes(CONFIG), 0.05, rng)
    with pytest.raises(ValueError, match="a sequence of 41 tokens is longer than max_position_embeddings=40"):
        reference.encoder(np.ones((1, 41), int), None, np.zeros((1, 41), int), p, CONFIG)


def test_dropout_zeroes_its_share_and_keeps_the_mean(rng):
    x = np.ones((200, 300))
    dropped = reference.dropout(x, 0.25, rng)
    assert abs((dropped == 0).mean() - 0.25) < 0.01 and abs(dropped.mean() - 1) < 0.01
    assert set(np.unique(dropped)) == {0, 1 / 0.75} and (x == 1).all()
    assert np.array_equal(reference.dropout(x, 0.0, rng), x)


def test_dropping_everything_is_an_error(rng):
    with pytest.raises(ValueError, match="dropout prob=1.0 must be at least 0 and below 1"):
        reference.dropout(np.ones(3), 1.0, rng)


def test_the_two_forms_of_gelu_agree_to_three_digits_but_no_more():
    x = np.linspace(-6, 6, 1201)
    assert 1e-4 < np.abs(reference.gelu(x) - reference.gelu_tanh(x)).max() < 1e-3
