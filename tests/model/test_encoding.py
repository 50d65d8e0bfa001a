"""Vectors of texts: each as the encoder alone computes it, whatever else is in the list."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, D

import minibert
from minibert.data.batch import SPECIAL_TOKENS, pack
from minibert.model import Encoder, Model
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.tokenizer import WordPiece

WORDS = [f"w{i}" for i in range(CONFIG.vocab_size - len(SPECIAL_TOKENS))]
TEXTS = ["w1 w2 w3 w4 w5 w6 w7", "w8", "", "w9 w10 w11"]


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Pretrained(Model(Encoder(CONFIG), {}).eval(), WordPiece([*SPECIAL_TOKENS, *WORDS]))


@torch.no_grad()
def layer(model, text):
    """The last layer of a text alone, (T, D)."""
    ids, types = pack(model.tokenizer.encode(text).ids, None, model.tokenizer.specials)
    visible = torch.ones(1, len(ids), len(ids), dtype=torch.bool)
    return model.encoder(torch.tensor([ids]), visible, torch.tensor([types]))["hidden"][0].numpy()


@pytest.mark.parametrize("pooling", ["mean", "cls", None])
def test_each_text_has_its_own_vectors_in_any_list(model, pooling):
    pool = {"mean": lambda x: x.mean(0), "cls": lambda x: x[0], None: lambda x: x}[pooling]
    wanted = [pool(layer(model, text)) for text in TEXTS]
    for found in (
        model.encode(TEXTS, pooling),
        minibert.encode(iter(TEXTS), model, pooling, batch_size=2),
        [minibert.encode(text, model, pooling) for text in TEXTS],
    ):
        assert len(found) == len(TEXTS)
        for mine, other in zip(found, wanted):
            assert mine.dtype == np.float32 and mine.shape == other.shape
            assert np.abs(mine - other).max() < 1e-5
    assert pooling is None or model.encode(TEXTS, pooling).shape == (4, D)
    assert pooling is None or model.encode([], pooling).shape == (0, D)


def test_long_texts_are_truncated_and_counted_once(model, caplog):
    long = "w1 " * CONFIG.max_position_embeddings
    found = model.encode([long, "w1", long], None)
    assert [len(rows) for rows in found] == [
        CONFIG.max_position_embeddings,
        3,
        CONFIG.max_position_embeddings,
    ]
    assert caplog.messages == ["2 texts are longer than 40 tokens and were truncated"]


@pytest.mark.parametrize(
    "texts, pooling, message",
    [
        (["w1", None], "mean", "text 1: expected a text, not NoneType: None"),
        (3, "mean", "text: expected a text or a list of texts, not int"),
        ("w1", "max", "pooling='max' must be one of 'mean', 'cls', None"),
    ],
)
def test_what_is_no_text_is_named(model, texts, pooling, message):
    with pytest.raises(ValueError, match=message):
        model.encode(texts, pooling)
    with pytest.raises(ValueError, match="expected a model, not int"):
        minibert.encode("w1", 3)
