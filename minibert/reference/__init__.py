"""The definitions of the course, in NumPy: what each part of BERT computes, from attention to entity F1.

A file for each idea, here by the lesson that teaches it:

    01  masking
    02  attention, positions, encoder
    04  heads, losses, packing
    05  pretraining, formats
    06  metrics, groups, surface
    07  spans, answers
    08  tagging
    09  bilstm
    10  noising, permutation, memory, factorised, stacking
    12  inside
    13  adapters, budgets, significance

And beside the lessons, backward: the gradients of attention and its neighbours, derived by hand.

`minibert.model` computes the same in PyTorch under the same names; tests hold the two together.
"""
from .adapters import adapter, adapter_weights, layer_rates, lora_merge
from .answers import exact_match_and_f1, normalize_answer
from .attention import attention, merge_heads, multi_head_attention, softmax, split_heads
from .backward import (
    attention_backward,
    cross_entropy_backward,
    layer_norm_backward,
    linear_backward,
    multi_head_attention_backward,
    softmax_backward,
)
from .bilstm import bi_lstm, lstm, scalar_mix
from .budgets import expected_maximum, stopping_cost, successive_stopping
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
    pre_norm_encoder,
    pre_norm_encoder_layer,
)
from .factorised import factorised_parameters
from .formats import pack_sentences
from .groups import parameter_groups
from .heads import (
    boundary_head,
    choice_head,
    classifier_head,
    next_token_head,
    pooler,
    span_boundary_inputs,
    token_classifier_head,
    token_head,
)
from .inside import (
    control_selectivity,
    cosines,
    effective_attention,
    head_importance,
    linear_probe,
    nearest_sense,
    self_similarity,
    token_attribution,
)
from .losses import mlm_loss, nsp_loss, replaced_token_labels
from .masking import (
    choose_positions,
    choose_whole_words,
    corrupt_80_10_10,
    epoch_masks,
    ngram_positions,
    run_edges,
    span_positions,
    whole_word_positions,
)
from .memory import memory_visible, receptive_field
from .metrics import matthews_correlation
from .noising import (
    document_rotation,
    infill,
    sentence_permutation,
    shuffle_runs,
    span_lengths,
    split_sentences,
    text_infilling,
    token_deletion,
    token_masking,
)
from .packing import nsp_examples, sop_examples, structbert_examples
from .permutation import factorization_order, last_in_order, permutation_visible
from .positions import positional_encoding
from .pretraining import bucket_by_length, learning_rate, one_cycle_rate, pretraining_cost
from .significance import is_significant
from .spans import best_span, span_loss, windows
from .stacking import stack_layers
from .surface import sharpness
from .tagging import align_labels, combine_layers, decode_entities, entity_f1
