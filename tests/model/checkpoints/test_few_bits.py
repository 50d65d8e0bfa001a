"""Matrices in few bits: small, close to what they were, and read again from a file as they were packed."""

import pytest
import torch
from safetensors.torch import save_file

from minibert.model.checkpoints import few_bits
from minibert.model.checkpoints.few_bits import GROUP, pack, unpack


def back(x, bits):
    return unpack(*pack(x, bits), x.shape, bits)


@pytest.mark.parametrize("bits, error", [(4, 0.14), (4.7, 0.09), (8, 0.009)])
@pytest.mark.parametrize("shape", [(3, GROUP), (5, 7), (1, 1), (40, 384)])
@pytest.mark.parametrize("size", [1e-4, 1.0, 100.0])
def test_numbers_come_back_nearly(bits, error, shape, size):
    x = size * torch.randn(shape, generator=torch.Generator().manual_seed(0))
    assert back(x, bits).shape == shape
    assert (back(x, bits) - x).norm() < error * x.norm()


@pytest.mark.parametrize("bits, most", [(4, 7), (4.7, 11), (8, 127)])
def test_whole_multiples_of_a_scale_come_back_exactly(bits, most):
    x = torch.randint(-most, most + 1, (9, GROUP)).float()
    x[:, 5] = most
    assert torch.equal(back(x, bits), x)
    assert torch.equal(back(torch.zeros(2, 3), bits), torch.zeros(2, 3))


def test_four_bits_take_less_than_half_a_byte():
    codes, scales = pack(torch.randn(64, GROUP), 4)
    assert codes.numel() < 64 * GROUP / 2 and codes.dtype == torch.uint8 and scales.numel() == 64


def test_a_group_of_small_numbers_keeps_its_precision_beside_large_ones():
    small, large = torch.randn(2, GROUP, generator=torch.Generator().manual_seed(0))
    x = torch.cat([large, 1e-3 * small])
    assert (back(x, 4)[GROUP:] - x[GROUP:]).norm() < 0.14 * x[GROUP:].norm()


def test_one_large_number_does_not_blot_out_the_others():
    x = torch.randn(GROUP, generator=torch.Generator().manual_seed(0))
    x[0] = 12
    plain = (x / (x.abs().max() / 7)).round() * (x.abs().max() / 7)
    assert (back(x, 4) - x).norm() < (plain - x).norm()


def test_a_file_gives_back_names_shapes_values_and_what_is_said_about_them(tmp_path):
    tensors = {"w.weight": torch.randn(3, 5), "b": torch.tensor([0.5, -2.0])}
    few_bits.save(tmp_path / "x", tensors, 8, {"base": "abc"})
    read, about = few_bits.load(tmp_path / "x")
    assert about == {"base": "abc"} and read.keys() == tensors.keys()
    assert torch.equal(read["b"], tensors["b"])
    assert torch.equal(read["w.weight"], back(tensors["w.weight"], 8))


def test_damaged_codes_are_named(tmp_path):
    few_bits.save(tmp_path / "x", {"w": torch.randn(30, 50)}, 4, {})
    held = bytearray((tmp_path / "x").read_bytes())
    held[-200:-100] = bytes(100)
    (tmp_path / "x").write_bytes(held)
    with pytest.raises(ValueError, match="x: damaged"):
        few_bits.load(tmp_path / "x")


def test_a_file_that_lacks_a_part_is_named(tmp_path):
    few_bits.save(tmp_path / "x", {"w": torch.randn(3, 5)}, 8, {})
    from safetensors import safe_open

    with safe_open(tmp_path / "x", "pt") as file:
        save_file({"w.codes": file.get_tensor("w.codes")}, tmp_path / "y", file.metadata())
    with pytest.raises(ValueError, match="y: damaged, or not a file of quantised weights .'w.scales'"):
        few_bits.load(tmp_path / "y")
