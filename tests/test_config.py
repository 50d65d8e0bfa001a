"""Sizes that fit, errors that name the value, and counts that equal the published ones."""
import dataclasses
import re

import pytest
from conftest import ROOT
from tiny import CONFIG

from minibert.config import PRESETS, ModelConfig, count_parameters, preset
from minibert.model import Encoder


def test_heads_must_divide_the_hidden_size():
    with pytest.raises(ValueError, match="hidden_size=30 is not a multiple of num_attention_heads=4"):
        CONFIG.replace(hidden_size=30)


@pytest.mark.parametrize("change, message", [({"vocab_size": 0}, "vocab_size=0"),
                                             ({"hidden_dropout_prob": 1.0}, "hidden_dropout_prob=1.0"),
                                             ({"num_hidden_layers": 2.5}, "num_hidden_layers=2.5")])
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
    unread = [f.name for f in dataclasses.fields(ModelConfig) if not re.search(rf"config\.{f.name}\b", source)]
    assert not unread
