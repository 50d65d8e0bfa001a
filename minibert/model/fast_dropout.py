"""Dropout that is cheap to draw on a processor: sixteen random bits decide about each number.

Srivastava et al. (2014, JMLR 15, section 4); BERT's rate: Devlin et al. (2019, arXiv 1810.04805), appendix
A.2. PyTorch's own draws a number in double precision for each decision, which on a processor takes several
times as long as the rest of it.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

LEVELS = 2**16  # what sixteen bits can tell apart: a rate is met to within 1 / LEVELS


def dropout(x: Tensor, p: float, training: bool = True) -> Tensor:
    """Set each number to 0 with probability p and divide the others by 1 - p; shape and dtype stay.

    It draws from PyTorch's own generator. Without `training`, or for p = 0, it returns x itself and draws
    nothing.
    """
    if not training or p == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, p)
    dropped = round(p * LEVELS)
    if dropped == LEVELS:  # all: nothing is left to be scaled
        return x * 0
    draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64)  # four decisions a draw
    bits = draws.random_(-(2**63), None).view(torch.int16)[: x.numel()].view(x.shape)
    kept = bits >= dropped - LEVELS // 2  # bits: -LEVELS / 2 and up
    factor = kept.to(x.dtype).mul_(LEVELS / (LEVELS - dropped))
    return x * factor


class FastDropout(nn.Dropout):
    """The module of `dropout`; it changes nothing in evaluation mode."""

    def forward(self, x: Tensor) -> Tensor:
        """Apply dropout to x, of any shape."""
        return dropout(x, self.p, self.training)
