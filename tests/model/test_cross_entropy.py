"""Cross-entropy in blocks of rows: the numbers of the definition, where it may be used."""
import pytest
import torch
from torch.nn import functional as F

from minibert.batch import IGNORE
from minibert.model import cross_entropy
from minibert.model.cross_entropy import cross_entropy_in_blocks
from minibert.objectives.base import token_loss


def drawn(N, V, dtype=torch.float32):
    torch.manual_seed(N)
    return (4 * torch.randn(N, V)).to(dtype).requires_grad_(), torch.randint(V, (N,))


def both(logits, labels, scale):
    """Loss and gradient of the definition, and in blocks."""
    for loss in (F.cross_entropy(logits.float(), labels), cross_entropy_in_blocks(logits, labels)):
        yield loss.detach(), torch.autograd.grad(scale * loss, logits)[0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("N", [1, 7, 8, 50])            # less than a block, one short of it, a block, and several with a rest
@pytest.mark.parametrize("scale", [1, 0.25])
def test_loss_and_gradient_are_those_of_the_definition(N, dtype, scale, monkeypatch):
    monkeypatch.setattr(cross_entropy, "BLOCK", 8 * 30)
    (loss, gradient), (found, found_gradient) = both(*drawn(N, 30, dtype), scale)
    assert found.dtype == torch.float32 and found_gradient.dtype == dtype
    torch.testing.assert_close(found, loss, rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(found_gradient, gradient, rtol=1e-5 if dtype == torch.float32 else 2**-7, atol=1e-8)


def test_a_vocabulary_above_the_size_of_a_block_is_taken_row_by_row(monkeypatch):
    monkeypatch.setattr(cross_entropy, "BLOCK", 10)
    (loss, gradient), (found, found_gradient) = both(*drawn(3, 30), 1)
    torch.testing.assert_close(found, loss)
    torch.testing.assert_close(found_gradient, gradient)


def test_the_gradient_can_be_asked_for_twice():
    logits, labels = drawn(5, 9)
    loss = cross_entropy_in_blocks(logits, labels)
    first, second = (torch.autograd.grad(scale * loss, logits, retain_graph=True)[0] for scale in (3, 1))
    torch.testing.assert_close(first, 3 * second)


def test_training_takes_blocks_for_the_counted_logits_only(monkeypatch):
    taken = []
    monkeypatch.setattr("minibert.objectives.base.cross_entropy_in_blocks",
                        lambda logits, labels: taken.append(logits.dtype) or cross_entropy_in_blocks(logits, labels))
    logits, labels = drawn(4, 9)
    hidden = torch.tensor([[IGNORE, *labels[:2].tolist()], [*labels[2:].tolist(), IGNORE]])
    expected = F.cross_entropy(logits, labels)
    torch.testing.assert_close(token_loss(logits, hidden), expected)
    torch.testing.assert_close(token_loss(logits.bfloat16(), hidden), expected, rtol=0.02, atol=0)
    assert taken == [torch.float32, torch.bfloat16]
    token_loss(logits.detach(), hidden)                     # of an evaluation
    token_loss(logits.half(), hidden)                       # its gradient would vanish before the scaler enlarges it
    token_loss(torch.zeros(2, 3, 9, requires_grad=True), hidden)
    assert len(taken) == 2
