"""A start from which a small model soon learns to look a word up elsewhere in the text, which BERT's own learns late.

A name that another sentence gives away has to pass four maps unchanged: the values and the output of attention, the transform
of the output layer, and the embedding, which is input and output at once. Random maps do not let it pass, and what would change
them is a small part of the gradient: for long, nothing is learned. Here these maps begin as copies. Devlin et al. (2019, section
A.2) draw all weights from a normal distribution; the width of 0.02 stands in the authors' code.
"""
import torch

from ..model import positional_encoding

WORDS, POSITIONS = 0.2, 0.4     # standard deviation of the word embeddings; length of the sinusoids: like to like
GAIN = 2.0                      # of the values, and again of the output: what one place gets of a whole row is small


@torch.no_grad()
def start_to_copy(model):
    """Sets the weights of a fresh Model in place; from there all are learned.  # paper: all begin as noise

    Word embeddings N(0, 0.2), far enough apart to be told from each other; positions as in `start_from_sinusoids`; in each
    layer the output of attention is the transpose of its values, an orthogonal matrix, each times 2; where a head has a square
    `transform`, that is the identity and the noise it had. Draws from PyTorch's generator.
    """
    torch.nn.init.normal_(model.encoder.embeddings.word.weight, std=WORDS)
    start_from_sinusoids(model.encoder, POSITIONS)
    for layer in model.encoder.layers:
        attention = layer.attention
        torch.nn.init.orthogonal_(attention.value.weight, GAIN)
        attention.out.weight.copy_(attention.value.weight.T)
    for head in model.heads.values():
        transform = getattr(head, "transform", None)
        if transform is not None and transform.in_features == transform.out_features:
            transform.weight.add_(torch.eye(transform.in_features, device=transform.weight.device))


@torch.no_grad()
def start_from_sinusoids(encoder, size):
    """Fills the position table with `size` times the Transformer's sinusoids.

    "One place to the left" is then one linear map for all places (Vaswani et al., 2017, section 3.5), which a small model
    finds sooner than one for each.
    """
    position = encoder.embeddings.position.weight                               # (T, D)
    position.copy_(size * positional_encoding(*position.shape))


def copying_maps(model):
    """The matrices that begin as copies: values and output of each attention, and the transforms of the heads."""
    layers = [matrix for layer in getattr(model.encoder, "layers", ()) for matrix in (layer.attention.value.weight,
                                                                                   layer.attention.out.weight)]
    return layers + [head.transform.weight for head in model.heads.values() if hasattr(head, "transform")]
