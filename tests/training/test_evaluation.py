"""The scores of a pretrained model on held-out documents."""

import math

import numpy as np
import pytest
from torch import nn

from minibert.config import ModelConfig
from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import bert_objective, evaluate_pretraining, new_model

TOKENIZER = FastWordPiece([*SPECIAL_TOKENS, *(f"w{i}" for i in range(5, 61))])
SMALL = ModelConfig(
    vocab_size=len(TOKENIZER),
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=32,
)


def test_the_loss_of_a_model_that_finds_all_tokens_equally_likely_is_the_logarithm_of_their_number():
    rng = np.random.default_rng(0)
    docs = [[rng.integers(5, 61, 6).tolist() for _ in range(5)] for _ in range(6)]
    model = new_model(SMALL, bert_objective(TOKENIZER, 32), seed=0)
    decoder = model.heads["tokens"].decoder
    decoder.weight = nn.Parameter(0 * decoder.weight)
    scores = evaluate_pretraining(model, TOKENIZER, docs, 32)
    assert scores["mlm_loss"] == pytest.approx(math.log(len(TOKENIZER)), abs=1e-5)
    decoder.bias.data[7] = 20.0  # one token, whatever is masked
    assert evaluate_pretraining(model, TOKENIZER, docs, 32)["mlm_loss"] > 10
