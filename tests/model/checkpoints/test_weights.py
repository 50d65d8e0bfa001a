"""What we save, `transformers` reads, and the other way round; a damaged or foreign model folder is refused
by name.
"""

import json
import os
import pickle
import sys
from pathlib import Path

import pytest
import torch
from hugging_face import (
    LOGITS,
    assert_equal,
    assert_read_by_transformers,
    choice,
    label,
    nothing,
    pair,
    pretraining,
    shaken,
    span,
    tags,
    tokens,
    transformer,
)
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tiny import CONFIG, D

from minibert.model import Encoder, Model
from minibert.model.checkpoints import tensors
from minibert.model.checkpoints.files import find_folder
from minibert.model.checkpoints.names import from_hugging_face, to_hugging_face
from minibert.model.checkpoints.published import load_model, save_model
from minibert.model.heads import ClassifierHead, TokenClassifierHead

KINDS = {  # class of `transformers`: our heads
    "BertModel": nothing,
    "BertForMaskedLM": tokens,
    "BertForNextSentencePrediction": pair,
    "BertForPreTraining": pretraining,
    "BertForQuestionAnswering": span,
    "BertForTokenClassification": tags,
    "BertForSequenceClassification": label,
    "BertForMultipleChoice": choice,
}


@pytest.mark.parametrize("kind", KINDS)
def test_transformers_reads_what_we_save(kind, tmp_path):
    encoder = Encoder(CONFIG)
    model = shaken(Model(encoder, KINDS[kind](encoder)))
    save_model(model, tmp_path)
    assert_read_by_transformers(kind, model, KINDS[kind], tmp_path)


def from_transformers(kind, folder):
    """A random model of `transformers`, saved."""
    theirs = transformer(kind, CONFIG)
    theirs.save_pretrained(folder)
    return theirs


@pytest.mark.parametrize("kind", KINDS)
def test_we_read_what_transformers_saves(kind, tmp_path):
    theirs = from_transformers(kind, tmp_path)  # BertModel's names lack the prefix `bert.`
    assert_equal(load_model(tmp_path, KINDS[kind]), theirs, LOGITS[KINDS[kind]])


def test_a_trunk_alone_can_be_taken_from_any_of_them(tmp_path):
    theirs = from_transformers("BertForPreTraining", tmp_path)
    ours = load_model(str(tmp_path))
    assert_equal(ours, theirs, LOGITS[nothing])  # no head was asked for, none is there


def test_a_pretrained_pooler_serves_a_new_classifier(tmp_path):
    theirs = from_transformers("BertModel", tmp_path)
    ours = load_model(tmp_path, label)
    assert torch.equal(ours.heads["opinion"].pooler.weight, theirs.pooler.dense.weight)
    assert ours.heads["opinion"].classifier.weight.std() > 0  # fresh


def test_an_old_pytorch_model_bin_loads(tmp_path):
    theirs = from_transformers("BertForPreTraining", tmp_path)
    (tmp_path / "model.safetensors").unlink()
    state = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for name, value in theirs.state_dict().items()
    }
    assert "cls.predictions.decoder.weight" in state and "bert.embeddings.LayerNorm.gamma" in state
    torch.save(
        {**state, "bert.embeddings.position_ids": torch.arange(40)[None]}, tmp_path / "pytorch_model.bin"
    )
    assert_equal(load_model(tmp_path, pretraining), theirs, LOGITS[pretraining])


class Bomb:
    """A pickle that would make a folder when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize(
    "write",
    [
        lambda bomb, path: torch.save({"x": bomb}, path),
        lambda bomb, path: path.write_bytes(pickle.dumps(bomb, protocol=2)),
    ],
)
def test_a_pickle_is_not_run(write, folder):
    (folder / "model.safetensors").unlink()
    write(Bomb(folder / "harm"), folder / "pytorch_model.bin")
    with pytest.raises(ValueError, match="pytorch_model.bin: truncated, or not a file of plain tensors"):
        load_model(folder)
    assert not (folder / "harm").exists()


@pytest.fixture
def folder(tmp_path):
    encoder = Encoder(CONFIG)
    save_model(Model(encoder, pretraining(encoder)), tmp_path)
    return tmp_path


def reconfigure(folder, **changes):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))


def retensor(folder, change):
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def test_names_go_there_and_back(folder):
    encoder = Encoder(CONFIG)
    for name in Model(encoder, pretraining(encoder)).state_dict():
        assert from_hugging_face(to_hugging_face(name)) == name


def test_two_heads_of_one_kind_share_a_file(tmp_path):
    def heads(encoder):
        return {
            **pair(encoder),
            "order": ClassifierHead(encoder.config, 4),
            "other": ClassifierHead(encoder.config, 4),
        }

    encoder = Encoder(CONFIG)
    model = shaken(Model(encoder, heads(encoder)))
    save_model(model, tmp_path)
    for name in ("order", "other"):
        loaded = load_model(tmp_path, lambda encoder, name=name: {name: ClassifierHead(encoder.config, 4)})
        for key, value in loaded.heads[name].state_dict().items():
            assert torch.equal(value, model.heads[name].state_dict()[key]), (name, key)


def test_a_file_with_our_own_names_of_a_head_loads(tmp_path):
    encoder = Encoder(CONFIG)
    model = Model(encoder, {"tags": TokenClassifierHead(CONFIG, 5)})
    save_model(model, tmp_path)
    retensor(
        tmp_path,
        lambda tensors: tensors.update(
            {f"heads.tags.{name}": tensors.pop(name) for name in ("classifier.weight", "classifier.bias")}
        ),
    )
    loaded = load_model(tmp_path, tags)
    assert torch.equal(loaded.heads["tags"].classifier.weight, model.heads["tags"].classifier.weight)


def test_what_rides_along_in_a_subclass_is_not_saved(tmp_path):
    model = Model(Encoder(CONFIG), {})
    model.generator = torch.nn.Linear(2, 3)
    save_model(model, tmp_path)
    assert all(name.startswith("bert.") for name in load_file(tmp_path / "model.safetensors"))


def test_another_trunk_is_not_saved_as_bert(tmp_path):
    encoder = Encoder(CONFIG)
    encoder.extra = torch.nn.Linear(2, 3)
    with pytest.raises(ValueError, match="parameter encoder.extra.weight has no name in the 'bert' format"):
        save_model(Model(encoder, {}), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="config.json: no such file"):
        load_model(tmp_path)


def test_missing_weights_are_named(folder):
    (folder / "model.safetensors").unlink()
    with pytest.raises(ValueError, match="model.safetensors: no such file, and no pytorch_model.bin either"):
        load_model(folder)


@pytest.mark.parametrize(
    "text, message",
    [
        ("{", "config.json: not valid JSON"),
        ("[1]", "config.json: contains list"),
        ('{"hidden_size": 30}', "config.json: hidden_size=30 is not a multiple"),
    ],
)
def test_a_damaged_configuration_is_named(folder, text, message):
    (folder / "config.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_model(folder)


def test_truncated_weights_are_named(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match="model.safetensors: truncated"):
        load_model(folder)


def test_a_truncated_pytorch_model_bin_is_named(folder):
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    path = folder / "pytorch_model.bin"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match="pytorch_model.bin: truncated"):
        load_model(folder)


def test_a_file_of_something_else_than_tensors_is_named(folder):
    torch.save({"step": 3}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ValueError, match="pytorch_model.bin: contains something other than named tensors"):
        load_model(folder)


def test_weights_of_another_shape_are_named(folder):
    reconfigure(folder, intermediate_size=64)
    with pytest.raises(
        ValueError, match=r"intermediate.dense.bias has shape \(48,\), but config.json requires \(64,\)"
    ):
        load_model(folder)


def test_weights_with_a_layer_too_few_are_named(folder):
    reconfigure(folder, num_hidden_layers=3)
    with pytest.raises(ValueError, match="lacks 16 parameters; the first is bert.encoder.layer.2"):
        load_model(folder)


def test_weights_with_a_layer_too_many_are_named(folder):
    reconfigure(folder, num_hidden_layers=1)
    message = r"model.safetensors: bert.encoder.layer.1\.\S+ \(and 15 more\) does not belong to the model"
    with pytest.raises(ValueError, match=message):
        load_model(folder)


def test_an_unknown_tensor_is_named(folder):
    retensor(folder, lambda tensors: tensors.update({"transformer.h.0.ln_1.weight": torch.ones(D)}))
    with pytest.raises(
        ValueError, match=r"transformer.h.0.ln_1.weight \(and 0 more\) does not belong to the model"
    ):
        load_model(folder)


@pytest.mark.parametrize(
    "name",
    [
        "cls.predictions.transform.dense.weight",
        "cls.predictions.bias",
        "cls.seq_relationship.bias",
        "bert.embeddings.position_embeddings.weight",
    ],
)
def test_a_missing_tensor_is_named(folder, name):
    retensor(folder, lambda tensors: tensors.pop(name))
    with pytest.raises(ValueError, match=f"model.safetensors lacks 1 parameter; the first is {name}"):
        load_model(folder, pretraining)


def test_a_file_of_heads_alone_is_named(folder):
    retensor(
        folder, lambda tensors: [tensors.pop(name) for name in list(tensors) if not name.startswith("cls.")]
    )
    with pytest.raises(
        ValueError,
        match="model.safetensors lacks 37 parameters; the first is bert.embeddings.word_embeddings.weight",
    ):
        load_model(folder)


def test_an_output_matrix_of_its_own_is_refused(folder):
    retensor(folder, lambda tensors: tensors.update({"cls.predictions.decoder.weight": torch.zeros(97, D)}))
    with pytest.raises(
        ValueError, match="cls.predictions.decoder.weight differs from bert.embeddings.word_embeddings.weight"
    ):
        load_model(folder, tokens)


@pytest.mark.parametrize(
    "change, message",
    [
        (
            {"model_type": "gpt2"},
            "config.json: model_type='gpt2'; supported: 'bert', 'roberta', 'albert', 'electra'",
        ),
        ({"hidden_act": "relu"}, "config.json: hidden_act='relu'; only 'gelu' is supported"),
        (
            {"position_embedding_type": "relative_key"},
            "position_embedding_type='relative_key'; only 'absolute' is supported",
        ),
        ({"is_decoder": True}, "is_decoder=True; only False is supported"),
        ({"tie_word_embeddings": False}, "tie_word_embeddings=False; only True is supported"),
    ],
)
def test_another_architecture_is_refused(folder, change, message):
    reconfigure(folder, **change)
    with pytest.raises(ValueError, match=message):
        load_model(folder)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """An empty cache of Hugging Face's hub, and no network."""
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def test_a_hub_name_is_found_in_the_cache(hub):
    encoder, commit = Encoder(CONFIG), "0123456789" * 4
    model = shaken(Model(encoder, {}))
    save_model(model, hub / "models--someone--tiny" / "snapshots" / commit, ["x"])
    (hub / "models--someone--tiny" / "refs").mkdir()
    (hub / "models--someone--tiny" / "refs" / "main").write_text(commit)
    loaded = load_model("someone/tiny")
    assert (find_folder(Path("someone/tiny")) / "vocab.txt").read_text() == "x\n"
    assert torch.equal(loaded.encoder.embeddings.word.weight, encoder.embeddings.word.weight)


def test_a_hub_model_without_weights_in_the_cache_is_named(hub):
    test_a_hub_name_is_found_in_the_cache(hub)
    next(hub.rglob("model.safetensors")).unlink()
    with pytest.raises(
        ValueError, match="someone/tiny: no such folder, and model.safetensors is not in the cache"
    ):
        load_model("someone/tiny")


def test_a_hub_name_that_cannot_be_reached_is_named(hub):
    with pytest.raises(
        ValueError,
        match="someone/absent: no such folder, and config.json is not in the cache of Hugging Face's hub",
    ):
        load_model("someone/absent")


def test_without_huggingface_hub_a_name_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        ValueError,
        match="someone/tiny: no such folder, and to search .* hub, huggingface_hub must be installed",
    ):
        load_model("someone/tiny")


@pytest.mark.parametrize("name", ["no/such/folder", "./absent", "a b"])
def test_what_is_no_folder_and_no_name_is_refused(name, hub):
    with pytest.raises(ValueError, match="no such folder, and not a name on Hugging Face's hub"):
        load_model(name)


def test_a_file_is_no_folder(folder):
    with pytest.raises(ValueError, match="model.safetensors: is a file, but a model is a folder"):
        load_model(folder / "model.safetensors")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here that is always full")
@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_a_full_disk_is_named_with_the_file_and_leaves_no_configuration(name, tmp_path, monkeypatch):
    def full(values, path, metadata):
        path.write_bytes(b"half")
        raise SafetensorError("I/O error: No space left on device (os error 28)")

    if name == "model.safetensors":
        monkeypatch.setattr(tensors, "save_file", full)
    else:
        (tmp_path / f"{name}.partial").symlink_to("/dev/full")
    with pytest.raises(
        OSError, match=f"No space left on device.*{name}|{name}: cannot be written .*No space left on device"
    ):
        save_model(Model(Encoder(CONFIG), {}), tmp_path, ["x" * 9999])
    there = {path.name for path in tmp_path.iterdir()}
    assert not there & {name, "config.json"} and not any(file.endswith(".partial") for file in there)
