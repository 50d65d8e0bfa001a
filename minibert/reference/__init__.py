"""The definition, in NumPy: attention, positions, the encoder, masking, packing and losses.

`minibert.model` says the same sentences in PyTorch, name by name; tests hold the two together.
"""
from .attention import attention, merge_heads, multi_head_attention, softmax, split_heads
from .encoder import embeddings, encoder, encoder_layer, feed_forward, gelu, layer_norm, linear
from .losses import mlm_loss, nsp_loss
from .masking import choose_positions, choose_whole_words, corrupt_80_10_10, span_positions, whole_word_positions
from .noising import (
    document_rotation,
    sentence_permutation,
    span_lengths,
    split_sentences,
    text_infilling,
    token_deletion,
    token_masking,
)
from .packing import nsp_examples
from .permutation import factorization_order, last_in_order, permutation_visible
from .positions import positional_encoding
