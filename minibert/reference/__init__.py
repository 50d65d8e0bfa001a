"""The reference implementation of BERT in NumPy; `minibert.model` has the same functions in PyTorch.

`bert` has the whole model on one page. The other files define the same functions part by part. Tests check
that all of them agree with `minibert.model`.
"""

from .attention import attention, merge_heads, multi_head_attention, softmax, split_heads
from .bert import bert
from .encoder import (
    dropout,
    embeddings,
    encoder,
    encoder_layer,
    encoder_shapes,
    feed_forward,
    gelu,
    gelu_tanh,
    init_weights,
    layer_norm,
    linear,
)
from .heads import choice_head, classifier_head, pooler, token_classifier_head, token_head
from .losses import in_batch_loss, mlm_loss, nsp_loss, span_loss
from .positions import positional_encoding
