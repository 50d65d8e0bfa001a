"""Quantisation: rounding by the definition, its errors, the straight-through gradient, and training."""

import numpy as np
import pytest
import torch
from small_task import accuracy, tuned
from small_teacher import some_batch, teacher

from minibert.finetuning.compression.fake_quantization import QuantizedEncoder, fake_quantize
from minibert.finetuning.compression.quantization import (
    dequantize,
    quantize,
    quantize_groups,
    quantize_int8,
    quantized_linear,
    with_rounded_weights,
)
from minibert.model import FastEncoder
from minibert.model.low_rank import merged


@pytest.fixture
def weights():
    return np.random.default_rng(0).normal(size=(6, 8)) * np.arange(1, 7)[:, None]


def test_one_scale_maps_the_largest_weight_to_127(weights):
    integers, scale = quantize_int8(weights)
    assert integers.dtype == np.int8 and np.ndim(scale) == 0
    assert scale == pytest.approx(np.abs(weights).max() / 127)
    assert np.abs(integers).max() == 127
    assert np.abs(dequantize(integers, scale) - weights).max() <= scale / 2 * (1 + 1e-9)


@pytest.mark.parametrize("axis, shape", [(0, (6, 1)), (1, (1, 8)), (-1, (1, 8))])
def test_each_channel_has_its_own_scale(weights, axis, shape):
    integers, scale = quantize_int8(weights, axis)
    assert scale.shape == shape
    np.testing.assert_allclose(scale, np.abs(weights).max(axis=1 - axis % 2, keepdims=True) / 127)
    for place in range(weights.shape[axis]):
        one, own = quantize_int8(weights.take(place, axis))
        assert np.array_equal(one, integers.take(place, axis)) and own == scale.ravel()[place]


def test_an_outlier_costs_one_scale_more_than_many(weights):
    weights[2, 3] = 1000
    one, many = (np.delete(dequantize(*quantize_int8(weights, axis)), 2, 0) for axis in (None, 0))
    plain = np.delete(weights, 2, 0)
    assert np.abs(one - plain).max() > 50 * np.abs(many - plain).max()


@pytest.mark.parametrize("bits, most", [(8, 127), (4, 7), (3, 3), (2, 1)])
def test_fewer_bits_leave_fewer_integers(weights, bits, most):
    integers, _ = quantize(weights, bits)
    assert np.abs(integers).max() == most


def test_groups_are_channels_of_adjacent_weights(weights):
    integers, scales = quantize_groups(weights, 4, 4)
    assert integers.shape == (12, 4) and scales.shape == (12, 1)
    for group, row, scale in zip(integers, weights.reshape(-1, 4), scales):
        one, own = quantize(row, 4)
        assert np.array_equal(group, one) and scale[0] == own
    errors = [
        np.abs(dequantize(*quantize_groups(weights, 3, group)).reshape(6, 8) - weights).mean()
        for group in (2, 8)
    ]
    assert errors[0] < errors[1]


def test_zeros_and_whole_numbers_can_be_quantised():
    integers, scale = quantize_int8(np.zeros((2, 2)), axis=0)
    assert not integers.any() and scale.tolist() == [[1], [1]]
    integers, scale = quantize_int8(np.array([254, -2]))
    assert dequantize(integers, scale).tolist() == [254, -2]
    assert quantize_int8(np.ones(2, np.float32))[1].dtype == np.float32


def test_what_cannot_be_quantised_is_refused(weights):
    with pytest.raises(ValueError, match="must be finite"):
        quantize_int8(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="bits=9 must be between 2 and 8"):
        quantize(weights, 9)
    with pytest.raises(ValueError, match="rows of 8 weights cannot be cut into groups of 3"):
        quantize_groups(weights, 4, 3)


def test_a_linear_layer_with_integers_is_close_to_the_original(weights):
    rng = np.random.default_rng(1)
    x, bias = rng.normal(size=(5, 8)), rng.normal(size=6)
    x[0] *= 1000  # its own scale does not harm the other rows
    for axis in (None, 0):
        integers, scale = quantize_int8(weights, axis)
        found = quantized_linear(x, integers, scale, bias)
        rows, scales = quantize_int8(x, axis=0)
        np.testing.assert_allclose(
            found, dequantize(rows, scales) @ dequantize(integers, scale).T + bias, rtol=1e-12
        )
        assert np.abs(found - (x @ weights.T + bias))[1:].max() < 0.3


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("bits", [8, 3])
def test_fake_quantisation_rounds_forward_and_not_backward(weights, bits, axis):
    x = torch.tensor(weights, requires_grad=True)
    found = fake_quantize(x, bits, axis)
    np.testing.assert_allclose(found.detach(), dequantize(*quantize(weights, bits, axis)), rtol=1e-6)
    found.square().sum().backward()
    torch.testing.assert_close(x.grad, 2 * found.detach())


def test_training_sees_rounded_weights_and_activations():
    encoder = teacher().model.encoder
    quantized = QuantizedEncoder.of(encoder, bits=4).eval()
    inputs, _ = some_batch()
    query = quantized.layers[0].attention.query
    expected = dequantize(*quantize(encoder.layers[0].attention.query.weight.detach().numpy(), 4, axis=0))
    np.testing.assert_allclose(query.weight.detach(), expected, rtol=1e-5, atol=1e-7)
    x = torch.randn(2, 3, 32)
    np.testing.assert_allclose(
        query(x).detach(),
        torch.nn.functional.linear(fake_quantize(x, 4), query.weight, query.bias).detach(),
        rtol=1e-5,
    )
    assert not torch.allclose(quantized(**inputs)["hidden"], encoder(**inputs)["hidden"], atol=1e-3)
    exact = QuantizedEncoder.of(encoder, bits=8).eval()(**inputs)["hidden"]
    assert (exact - encoder(**inputs)["hidden"]).abs().mean() < 0.02


def test_quantisation_aware_training_repairs_few_bits():
    task, bits = teacher().task, 2
    start = QuantizedEncoder.of(teacher().model.encoder, bits)
    model = teacher().model.with_part("encoder", start)
    assert accuracy(model, task) < 95
    trained = tuned(start, epochs=8, heads=teacher().model.heads, peak_rate=2e-3)
    assert accuracy(trained.model, task) >= 95
    plain = merged(trained.model.encoder, FastEncoder)
    weight = plain.layers[1].feed_forward.up.weight.detach().numpy()
    np.testing.assert_allclose(dequantize(*quantize(weight, bits, axis=0)), weight, rtol=1e-5)


def test_rounded_weights_are_a_copy():
    model = teacher().model
    before = {name: value.clone() for name, value in model.state_dict().items()}
    rounded = with_rounded_weights(model, lambda matrix: dequantize(*quantize_int8(matrix, axis=0)))
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    for name, value in rounded.named_parameters():
        original = before[name].numpy()
        if value.dim() == 2:
            original = dequantize(*quantize_int8(original, axis=0))
        np.testing.assert_array_equal(value.detach(), original)
    assert accuracy(rounded, teacher().task) >= 95
