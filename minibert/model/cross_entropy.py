"""Cross-entropy over a large vocabulary, quicker on a processor: the same numbers, in blocks of rows that its cache holds.

The definition writes (N, V) numbers four times in float32 and reads them again; here, a block of them is turned into its loss and
its gradient while it is at hand, and only the gradient is kept, in the type of the logits.
"""
import torch
from torch.nn import functional as F

BLOCK = 1 << 19             # logits at once: 2 MB in float32


class CrossEntropyInBlocks(torch.autograd.Function):
    """See `cross_entropy_in_blocks`."""

    @staticmethod
    def forward(ctx, logits, labels):
        N, V = logits.shape
        gradient, total = torch.empty_like(logits), torch.zeros((), device=logits.device)
        for x, y, d_x in zip(*(tensor.split(max(1, BLOCK // V)) for tensor in (logits, labels, gradient))):
            log_probs, right = F.log_softmax(x, dim=-1, dtype=torch.float32), (torch.arange(len(y)), y)
            total -= log_probs[right].sum()
            probs = log_probs.exp_()
            probs[right] -= 1
            d_x.copy_(probs.div_(N))
        ctx.save_for_backward(gradient)
        return total / N

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, upstream):
        gradient, = ctx.saved_tensors
        return gradient if upstream == 1 else gradient * upstream, None


def cross_entropy_in_blocks(logits, labels):
    """Mean cross-entropy: `F.cross_entropy(logits.float(), labels)`. logits (N, V) with N > 0, labels (N,), all from 0 to V - 1.

    Not for float16: its gradient is too small for that type until a scaler has enlarged it.
    """
    return CrossEntropyInBlocks.apply(logits, labels)


def pays(logits):
    """Whether `cross_entropy_in_blocks` may take these logits, and is quicker than the definition."""
    return logits.requires_grad and logits.device.type == "cpu" and logits.dtype != torch.float16 and len(logits) > 0
