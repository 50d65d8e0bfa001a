"""A sequence-to-sequence model started from checkpoints: a decoder with the weights of a pretrained encoder.

Rothe et al. (2020, arXiv 1907.12461), section 2. Only the cross-attention is new: an encoder has none. The
other files of this folder write with a BERT as it is; this model has to be trained, for example with
`objectives/denoise.py`, and then writes left to right.
"""

import torch

from ..model import Decoder, Encoder
from ..model.decoder import DecoderLayer

COPIED = ("attention", "attention_norm", "feed_forward", "feed_forward_norm")  # of each layer


@torch.no_grad()
def decoder_from(encoder: Encoder, shared: bool = False) -> Decoder:
    """Return a decoder whose layers and positions start with the weights of a BERT or a GPT.

    shared: True if the decoder's layers are those of the encoder, trained together (the paper's BERTSHARE);
    False for copies (BERT2BERT). The embedding of segment A is added to the positions, because a decoder has
    no segments. Raises ValueError if the encoder is not an `Encoder`.
    """
    if not isinstance(encoder, Encoder):
        raise ValueError(f"{type(encoder).__name__} has no layers that a decoder could start from")
    decoder = Decoder(encoder.config)
    embeddings = encoder.embeddings
    decoder.position.weight.copy_(embeddings.position.weight + embeddings.token_type.weight[0])
    decoder.norm.load_state_dict(embeddings.norm.state_dict())
    for new, old in zip(decoder.layers, encoder.layers):
        assert isinstance(new, DecoderLayer)
        for name in COPIED:
            if shared:
                setattr(new, name, getattr(old, name))
            else:
                getattr(new, name).load_state_dict(getattr(old, name).state_dict())
    return decoder
