"""Arrays arrive as they are, few copies at a time, whatever device they are packed for."""

import numpy as np
import pytest
import torch

from minibert.model.transfer import StagedArrays, to_torch

ARRAYS = {
    "ids": np.arange(24).reshape(4, 6)[1::2],
    "label": np.array([2, 0]),
    "visible": np.arange(8).reshape(2, 2, 2) % 3 == 0,
    "none": np.zeros((0, 3), bool),
    "score": np.array([0.5, 1.5], np.float32),
}
OTHER = torch.device("meta")  # any device but the CPU: arrays of a dtype travel together


@pytest.mark.parametrize("packed_for, flat", [(torch.device("cpu"), 5), (OTHER, 3)])
def test_arrays_arrive_as_they_are(packed_for, flat):
    cargo = StagedArrays.load(ARRAYS, packed_for)
    assert len(cargo.flat) == flat
    arrived = cargo.to(torch.device("cpu"))
    assert arrived.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        found = arrived[name].numpy()
        assert found.dtype == array.dtype and np.array_equal(found, array), name


def test_on_the_processor_nothing_is_copied():
    array = np.arange(6)
    to_torch({"a": array}, torch.device("cpu"))["a"][0] = 9
    assert array[0] == 9


def test_another_device_gets_the_shapes():
    assert {name: tensor.shape for name, tensor in to_torch(ARRAYS, OTHER).items()} == {
        name: array.shape for name, array in ARRAYS.items()
    }
