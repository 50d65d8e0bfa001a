"""Sizes that fit, errors that name the value, and counts that equal the published ones."""

import dataclasses
import re

import pytest
import torch
from conftest import ROOT
from tiny import CONFIG

from minibert.config import PRESETS, ModelConfig, count_parameters, count_transformer, preset
from minibert.model import Encoder


@pytest.mark.parametrize(
    "change, message",
    [
        ({"hidden_size": 30}, "hidden_size=30 is not a multiple of num_attention_heads=4"),
        ({"vocab_size": 0}, "vocab_size=0"),
        ({"hidden_dropout_prob": 1.0}, "hidden_dropout_prob=1.0"),
        ({"num_hidden_layers": 2.5}, "num_hidden_layers=2.5"),
    ],
)
def test_a_size_outside_its_range_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        CONFIG.replace(**change)


def test_an_unknown_key_suggests_the_near_one():
    with pytest.raises(ValueError, match="'hiden_size'; did you mean 'hidden_size'"):
        CONFIG.replace(hiden_size=3)


def test_an_unknown_preset_lists_the_known_ones():
    with pytest.raises(ValueError, match="unknown preset 'huge'; known presets: class, tiny"):
        preset("huge")


@pytest.mark.parametrize("name, total", [("base", 109_482_240), ("large", 335_141_888)])
def test_counts_are_those_of_the_published_checkpoints(name, total):
    assert sum(count_parameters(PRESETS[name]).values()) == total


def test_the_count_is_what_the_encoder_has():
    counted = sum(count_parameters(CONFIG).values()) - count_parameters(CONFIG)["pooler"]
    assert sum(p.numel() for p in Encoder(CONFIG).parameters()) == counted


def test_every_field_is_read_somewhere():
    source = "".join(path.read_text() for path in (ROOT / "minibert").rglob("*.py"))
    unread = [
        f.name for f in dataclasses.fields(ModelConfig) if not re.search(rf"config\.{f.name}\b", source)
    ]
    assert not unread


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "class"])
def test_each_part_of_the_count_is_what_an_encoder_of_that_preset_has(name):
    part = {
        "embeddings.word": "word embeddings",
        "embeddings.position": "position embeddings",
        "embeddings.token_type": "segment embeddings",
        "embeddings.norm": "embedding LayerNorm",
        "attention_norm": "layer LayerNorms",
        "feed_forward_norm": "layer LayerNorms",
        "feed_forward.": "feed-forward",
        "attention.": "attention",
    }
    with torch.device("meta"):  # shapes without memory
        encoder = Encoder(PRESETS[name])
    sums = dict.fromkeys(part.values(), 0)
    for parameter, value in encoder.named_parameters():
        sums[next(part[key] for key in part if key in parameter)] += value.numel()
    assert sums == {key: count for key, count in count_parameters(PRESETS[name]).items() if key != "pooler"}


def test_the_transformer_of_2017_has_63_million_part_by_part():
    counts = count_transformer()
    assert sum(counts.values()) == 63_045_632
    with torch.device("meta"):
        theirs = torch.nn.Transformer(512, 8, 6, 6, 2048, batch_first=True)
    parts = {
        ("encoder", "self_attn"): "encoder attention",
        ("encoder", "linear"): "encoder feed-forward",
        ("encoder", "norm"): "encoder LayerNorms",
        ("decoder", "self_attn"): "decoder self-attention",
        ("decoder", "multihead_attn"): "encoder-decoder attention",
        ("decoder", "linear"): "decoder feed-forward",
        ("decoder", "norm"): "decoder LayerNorms",
    }
    sums = {"shared embeddings": 37_000 * 512, **dict.fromkeys(parts.values(), 0)}
    for name, value in theirs.named_parameters():
        if name.startswith(("encoder.norm", "decoder.norm")) or ("attn" in name and name.endswith("bias")):
            continue  # PyTorch's biases in attention and its last norms: not in the paper
        sums[
            next(part for (side, kind), part in parts.items() if name.startswith(side) and kind in name)
        ] += value.numel()
    assert sums == counts
