"""A damaged or foreign model folder is refused by name."""
import json

import pytest
from tiny import CONFIG

from minibert.model import Encoder, Model, load_pretrained, save_pretrained
from minibert.model.weights import from_hugging_face, to_hugging_face


@pytest.fixture
def folder(tmp_path):
    save_pretrained(Model(Encoder(CONFIG), {}), tmp_path)
    return tmp_path


def test_names_go_there_and_back(folder):
    for name in Encoder(CONFIG).state_dict():
        assert from_hugging_face(to_hugging_face(f"encoder.{name}")) == f"encoder.{name}"


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="config.json: no such file"):
        load_pretrained(tmp_path)


def test_truncated_weights_are_named(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match="model.safetensors: truncated"):
        load_pretrained(folder)


def test_weights_of_another_shape_are_named(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 64}))
    with pytest.raises(ValueError, match=r"intermediate.dense.bias has shape \(48,\); config.json asks for \(64,\)"):
        load_pretrained(folder)


def test_weights_with_a_layer_too_few_are_named(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ValueError, match="lacks 16 parameters, first bert.encoder.layer.2"):
        load_pretrained(folder)


def test_another_architecture_is_refused(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "gpt2"}))
    with pytest.raises(ValueError, match="model_type='gpt2'"):
        load_pretrained(folder)
