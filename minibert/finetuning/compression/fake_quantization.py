"""Quantisation-aware training: the forward pass rounds weights and activations, the backward pass does not.

Zafrir et al. (2019, arXiv 1910.06188), Q8BERT, section 2.2. The rounding is that of `quantization`. Axes: O
outputs and I inputs of a matrix.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from ...model import Encoder
from ...model.checkpoints.few_bits import largest_multiple


def fake_quantize(x: Tensor, bits: int = 8, axis: int | None = None) -> Tensor:
    """Return x rounded as by `quantize` and `dequantize`, with the gradient of the identity.

    The straight-through estimator (Bengio et al., 2013, arXiv 1308.3432, section 3.1): rounding has gradient
    0 almost everywhere, so training ignores it in the backward pass.
    """
    with torch.no_grad():
        others = [i for i in range(x.dim()) if axis is None or i != axis % x.dim()]
        largest = x.abs().amax(others, keepdim=True)
        scale = torch.where(largest > 0, largest / largest_multiple(bits), torch.ones_like(largest))
        error = (x / scale).round() * scale - x
    return x + error


class FakeQuantized(nn.Module):
    """A parametrisation that rounds a weight (O, I) in the forward pass, with a scale for each output."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self.bits = bits

    def forward(self, weight: Tensor) -> Tensor:
        return fake_quantize(weight, self.bits, axis=0)


class QuantizedEncoder(Encoder):
    """An encoder whose linear layers round their weights and inputs, for quantisation-aware training.

    It is an Encoder, not a FastEncoder, so that each layer sees its own input. Fine-tune it like any other,
    and call `merged(encoder, FastEncoder)` of `model.low_rank` at the end, which keeps the rounded weights.
    """

    # paper: activations have a moving average as scale, and embeddings are rounded, too

    @classmethod
    def of(cls, encoder: Encoder, bits: int = 8) -> "QuantizedEncoder":
        """Return a copy of an encoder that rounds to `bits` bits. The encoder is not changed."""
        quantized = cls(encoder.config)
        quantized.load_state_dict(encoder.state_dict())
        for module in list(quantized.layers.modules()):
            if isinstance(module, nn.Linear):
                parametrize.register_parametrization(module, "weight", FakeQuantized(bits))
                module.register_forward_pre_hook(lambda _, inputs: (fake_quantize(inputs[0], bits),))
        return quantized.to(next(encoder.parameters()).device)
