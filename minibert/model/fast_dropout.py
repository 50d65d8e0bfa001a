"""Fast dropout for the CPU, with sixteen random bits for each decision.

Srivastava et al. (2014, JMLR 15, section 4). PyTorch draws a double-precision number for each decision, which
on the CPU takes several times as long as the rest of dropout.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

LEVELS = 2**16  # values of sixteen bits: the rate is exact to within 1 / LEVELS


def dropout(x: Tensor, p: float, training: bool = True) -> Tensor:
    """Set each number to 0 with probability p, and divide the others by 1 - p; keep shape and dtype.

    Random numbers come from PyTorch's global generator. Without `training`, or if p is 0, return x itself and
    draw nothing.
    """
    if not training or p == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, p)
    dropped = round(p * LEVELS)
    if dropped == LEVELS:  # everything is dropped, so there is nothing to scale
        return x * 0
    draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64)  # one draw makes four decisions
    bits = draws.random_(-(2**63), None).view(torch.int16)[: x.numel()].view(x.shape)
    kept = bits >= dropped - LEVELS // 2  # bits are integers from -LEVELS / 2 on
    factor = kept.to(x.dtype).mul_(LEVELS / (LEVELS - dropped))
    return x * factor


class FastDropout(nn.Dropout):
    """A module that applies `dropout` in training mode and does nothing in evaluation mode."""

    def forward(self, x: Tensor) -> Tensor:
        return dropout(x, self.p, self.training)
