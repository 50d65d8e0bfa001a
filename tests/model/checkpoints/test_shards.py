"""Weights in several files, with an index, are read like those in one; a missing or wrong file is named."""

import json

import pytest
import torch
from hugging_face import LOGITS, assert_equal, pretraining, transformer
from safetensors.torch import load_file, save_file
from tiny import CONFIG

from minibert.model.checkpoints.files import copy_model, files_of
from minibert.model.checkpoints.published import load_model

INDEX = "model.safetensors.index.json"


@pytest.fixture
def theirs(tmp_path):
    """A model of `transformers` in three or more files."""
    model = transformer("BertForPreTraining", CONFIG)
    model.save_pretrained(tmp_path, max_shard_size="30KB")
    assert len(list(tmp_path.glob("model-0*.safetensors"))) > 2
    return model


def as_bin(folder):
    """The same weights as older versions wrote them, with the output matrix in a separate file."""
    index = json.loads((folder / INDEX).read_text())
    for path in folder.glob("model-0*.safetensors"):
        torch.save(load_file(path), path.with_suffix(".bin"))
        path.unlink()
    places = {name: file.replace(".safetensors", ".bin") for name, file in index["weight_map"].items()}
    tied = load_model_word(folder, places)
    torch.save({"cls.predictions.decoder.weight": tied}, folder / "model-last.bin")
    places["cls.predictions.decoder.weight"] = "model-last.bin"
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": places}))
    (folder / INDEX).unlink()


def load_model_word(folder, places):
    name = "bert.embeddings.word_embeddings.weight"
    return torch.load(folder / places[name])[name]


@pytest.mark.parametrize("change", [lambda folder: None, as_bin])
def test_a_model_in_several_files_computes_what_it_does_in_transformers(change, theirs, tmp_path):
    change(tmp_path)
    assert_equal(load_model(tmp_path, pretraining), theirs, LOGITS[pretraining])
    copy_model(tmp_path, tmp_path / "copy")
    assert_equal(load_model(tmp_path / "copy", pretraining), theirs, LOGITS[pretraining])
    assert set(files_of(tmp_path)) == {path.name for path in tmp_path.iterdir() if path.is_file()}


def test_a_single_file_is_preferred_as_in_transformers(theirs, tmp_path):
    (tmp_path / INDEX).write_text("{")
    theirs.save_pretrained(tmp_path / "whole")
    (tmp_path / "whole/model.safetensors").rename(tmp_path / "model.safetensors")
    assert_equal(load_model(tmp_path, pretraining), theirs, LOGITS[pretraining])


def first(folder):
    return min(folder.glob("model-0*.safetensors"))


def drop(folder):
    tensors = load_file(first(folder))
    tensors.pop(min(tensors))
    save_file(tensors, first(folder))


def add(folder):
    save_file(load_file(first(folder)) | {"extra": torch.zeros(2)}, first(folder))


def place(file):
    def change(folder):
        (folder / INDEX).write_text(json.dumps({"weight_map": {"x": file}}))

    return change


@pytest.mark.parametrize(
    "change, message",
    [
        (
            lambda folder: first(folder).unlink(),
            r"model-00001-of-\d+.safetensors: no such file, but .*json lists",
        ),
        (drop, r"model-00001-of-\d+.safetensors: has no tensor .*, but .*index.json says that it is there"),
        (add, r"model-00001-of-\d+.safetensors: has a tensor extra, which .*index.json does not list there"),
        (lambda folder: first(folder).write_bytes(b"x"), r"model-00001-of-\d+.safetensors: truncated"),
        (lambda folder: (folder / INDEX).write_text("{}"), "index.json: has no weight_map"),
        (lambda folder: (folder / INDEX).write_text("{"), "index.json"),
        (lambda folder: (folder / INDEX).write_text("[]"), "index.json: has no weight_map"),
        (
            place("../secret.bin"),
            "index.json: '../secret.bin' must be a .safetensors or .bin file in the same",
        ),
        (place("config.json"), "index.json: 'config.json' must be a .safetensors or .bin file in the same"),
        (place(3), "index.json: 3 must be a .safetensors or .bin file in the same folder"),
    ],
)
def test_what_is_wrong_with_several_files_is_named(change, message, theirs, tmp_path):
    change(tmp_path)
    with pytest.raises(ValueError, match=message):
        load_model(tmp_path)
