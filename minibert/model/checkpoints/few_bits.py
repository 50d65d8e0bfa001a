"""A safetensors file whose matrices are quantised to 4 to 8 bits per number.

Groups of 128 numbers share a scale, and each number is an integer multiple of it (Dettmers et al., 2022,
arXiv 2110.02861, section 2.1: block-wise quantisation). Small multiples are more frequent than large ones, so
they get shorter codes (Han et al., 2016, arXiv 1510.00149, section 4: Huffman coding). Weight changes from
fine-tuning can be quantised more coarsely than the weights themselves (Liu et al., 2024, arXiv 2402.10193).
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional as F

GROUP = 128
CLIPS = torch.linspace(0.5, 1, 11)  # candidate ranges of a scale, as fractions of a group's largest number
CODES, SCALES = ".codes", ".scales"


def pack(x: Tensor, bits: float) -> tuple[Tensor, Tensor]:
    """Quantise a tensor to (codes, scales): compressed uint8 codes, and a bfloat16 scale for each group.

    x: any shape. bits: bits per number before compression; see `largest_multiple`. Of eleven candidate scales
    for a group, the one with the smallest squared error is used: clipping a large number may cost less than
    coarser steps for all the others.
    """
    most = largest_multiple(bits)
    groups = F.pad(x.detach().float().flatten(), (0, -x.numel() % GROUP)).view(-1, GROUP)
    largest = groups.abs().amax(1, keepdim=True).clamp(min=1e-30)
    scales = torch.stack([(largest * clip / most).bfloat16().float() for clip in CLIPS])  # (11, groups, 1)
    errors = torch.stack([(whole(groups, scale, most) * scale - groups).square().sum(1) for scale in scales])
    scale = scales[errors.argmin(0), torch.arange(len(groups))]  # (groups, 1)
    codes = (whole(groups, scale, most) + most).to(torch.uint8)
    huffman = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)
    packed = huffman.compress(codes.numpy().tobytes()) + huffman.flush()
    return torch.frombuffer(bytearray(packed), dtype=torch.uint8), scale.flatten().bfloat16()


def largest_multiple(bits: float) -> int:
    """Return the largest multiple of a scale for this number of bits: 7 for 4 bits, 127 for 8 bits."""
    return int(2 ** (bits - 1)) - 1


def whole(x: Tensor, scale: Tensor, most: int) -> Tensor:
    """Return x / scale, rounded to integers and clipped to [-most, most]."""
    return (x / scale).round().clamp(-most, most)


def unpack(codes: Tensor, scales: Tensor, shape: torch.Size | list[int], bits: float) -> Tensor:
    """Return the float32 tensor that `pack` quantised, with errors of half a scale unless clipped."""
    plain = torch.frombuffer(bytearray(zlib.decompress(codes.numpy().tobytes())), dtype=torch.uint8)
    numbers = (plain.view(-1, GROUP).float() - largest_multiple(bits)) * scales.float()[:, None]
    shape = torch.Size(shape)
    return numbers.flatten()[: shape.numel()].view(shape)


def save(path: str | Path, tensors: Mapping[str, Tensor], bits: float, about: Mapping[str, Any]) -> None:
    """Write matrices with at most `bits` bits per number, vectors in float16, and `about` in the header."""
    held: dict[str, Tensor] = {}
    for name, x in tensors.items():
        if x.dim() < 2:
            held[name] = x.detach().half().contiguous()
        else:
            held[name + CODES], held[name + SCALES] = pack(x, bits)
    shapes = {name: list(x.shape) for name, x in tensors.items() if x.dim() >= 2}
    save_file(held, path, {"about": json.dumps({**about, "bits": bits, "shapes": shapes})})


def load(path: str | Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Read (named float32 tensors, about) from a file that `save` wrote; raise ValueError for other files."""
    try:
        with safe_open(path, "pt") as file:
            held = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dictionary
            about = json.loads((file.metadata() or {})["about"])
        bits, shapes = about.pop("bits"), about.pop("shapes")
        matrices = {
            name: unpack(held.pop(name + CODES), held.pop(name + SCALES), shape, bits)
            for name, shape in shapes.items()
        }
    except (SafetensorError, OSError, KeyError, ValueError, RuntimeError, zlib.error) as error:
        raise ValueError(f"{path}: damaged, or not a file of quantised weights ({error})") from None
    return {**{name: x.float() for name, x in held.items()}, **matrices}, about
