"""The benchmark of two minutes: it pretrains each seed once, with the steps that it was asked for, and tells
what it took.
"""
import dataclasses
import json

import pytest


@pytest.fixture
def two_minutes(script, monkeypatch, tmp_path):
    monkeypatch.setattr("minibert.class_model.platformdirs.user_cache_dir",
                        lambda name: str(tmp_path / "cache"))
    module = script("two_minutes")
    tiny = dataclasses.replace(module.labels.TOUR, documents=60, vocab_size=300, batch_size=4,
                               test_documents=10)
    monkeypatch.setattr(module.labels, "TOUR", tiny)
    monkeypatch.setattr(module.labels, "SIZES", {"qa": (10,), "ner": (10,)})
    return module


def test_a_seed_is_pretrained_once(two_minutes, tmp_path):
    folder = tmp_path / "1"
    first = two_minutes.pretrained(1, folder, 3)
    kept = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert kept["steps"] == 3 and kept["seed"] == 1 and (folder / "bert" / "model.safetensors").is_file()
    written = (folder / "bert" / "model.safetensors").stat().st_mtime_ns
    assert two_minutes.pretrained(1, folder, 3) == first
    assert (folder / "bert" / "model.safetensors").stat().st_mtime_ns == written
