"""Dropout that a processor draws cheaply: sixteen random bits decide about a number.

Srivastava et al. (2014, JMLR 15, section 4); BERT's rate: Devlin et al. (2019, arXiv 1810.04805), appendix
A.2. PyTorch's own draws one number in double precision for each decision, which on a processor takes several
times as long as the rest of it.
"""
import torch
from torch import nn
from torch.nn import functional as F

LEVELS = 2 ** 16  # what sixteen bits can tell apart: a rate is met to within 1 / LEVELS


def dropout(x, p, training=True):
    """x with each number set to 0 with probability p, the rest divided by 1 - p, in x's shape and dtype.

    It draws from PyTorch's own generator. Without `training`, or for p = 0, x itself, and nothing is drawn.
    """
    if not training or p == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, p)
    dropped = round(p * LEVELS)
    if dropped == LEVELS:  # all: nothing is left to be scaled
        return x * 0
    words = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-2 ** 63,
                                                                       None)      # four decisions a draw
    bits = words.view(torch.int16)[:x.numel()].view(x.shape)  # uniform over -LEVELS / 2 to LEVELS / 2 - 1
    factor = (bits >= dropped - LEVELS // 2).to(x.dtype).mul_(LEVELS / (LEVELS - dropped))
    return x * factor


class Dropout(nn.Dropout):
    """`dropout` as a module; silent in evaluation mode."""

    def forward(self, x):
        return dropout(x, self.p, self.training)
