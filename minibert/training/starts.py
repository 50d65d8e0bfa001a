"""How a fresh trunk begins, so that a small model finds soon which place a word stands at; all is learned
from there.

Both replace the noise with which positions start in the paper by sines and cosines: "n places to the left" is
then one linear map for all places (Vaswani et al., 2017, arXiv 1706.03762, section 3.5).
"""
import math

import torch

from ..model import positional_encoding

SHARPNESS = 3.0  # by how much the score of a head's place is above that of the place beside it, in nats


def start_from_sinusoids(encoder, size=0.2):
    """Fills the position table with `size` times the Transformer's sinusoids.

    Beside smaller positions words weigh more at first.  # paper: positions start as noise
    """
    position = encoder.embeddings.position.weight                               # (T, D)
    with torch.no_grad():
        position.copy_(size * positional_encoding(*position.shape))


def start_from_neighbours(encoder, size=0.1):
    """Lets the heads of the first layer look at one place each: 1 to the left, 1 to the right, 2 to the left,
    2 to the right, ...

    Trained heads of that kind stand in the lower layers of BERT (Clark et al., 2019, arXiv 1906.04341,
    section 3.1); here they need not be found. The first K columns of a vector tell the position alone, `size`
    times sines and cosines: words and segments begin with 0 there, and have the other columns. A key is its
    position, a query is its position turned by the head's distance, and their product is largest where the
    two agree. Our own.
    """
    embeddings, attention = encoder.embeddings, encoder.layers[0].attention
    table, words, mark = embeddings.position.weight, embeddings.word.weight, embeddings.token_type.weight
    T, D = table.shape
    head_size = D // attention.num_heads
    K = min(head_size, D // 4) // 2 * 2  # a sine and a cosine for each frequency
    frequencies = 0.75 ** torch.arange(K // 2)                                  # (K/2,) radians a place
    angles = torch.arange(T)[:, None] * frequencies                             # (T, K/2)
    with torch.no_grad():
        words[:, :K] = mark[:, :K] = 0
        table.zero_()
        table[:, 0:K:2], table[:, 1:K:2] = size * angles.sin(), size * angles.cos()
        # by whose root the LayerNorm divides
        spread = (words.square().sum(-1).mean().item() + K / 2 * size**2) / D
        steepness = (1 - frequencies.cos()).sum() * size**2 / spread  # of a product of positions
        scale = (SHARPNESS * math.sqrt(head_size) / steepness).sqrt()
        query, key = (linear.weight.zero_().view(-1, head_size, D)
                      for linear in (attention.query, attention.key))
        key[:, :K, :K] = scale * torch.eye(K)
        for head in range(len(query)):
            distance = (head // 2 + 1) * (-1, 1)[head % 2]
            query[head, :K, :K] = scale * turn(frequencies * distance)


def turn(angles):
    """Angles (N,) to the matrix (2N, 2N) that adds them to those whose sines and cosines a vector holds, in
    turns.

    >>> import torch
    >>> (turn(torch.tensor([torch.pi / 2])) @ torch.tensor([0.0, 1.0])).int().tolist()          # sine and cosine of 0
    [1, 0]
    """
    return torch.block_diag(*(torch.tensor([[c, s], [-s, c]])
                              for c, s in zip(angles.cos().tolist(), angles.sin().tolist())))
