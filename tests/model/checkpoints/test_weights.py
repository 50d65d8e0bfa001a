"""What we save, `transformers` reads, and the other way round; a damaged model folder is refused by name."""

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


def retensor(folder, change):
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


@pytest.mark.parametrize(
    "change, message",
    [
        ({"hidden_size": 30}, "config.json: hidden_size=30 is not a multiple"),
        ({"intermediate_size": 64}, r"dense.bias has shape \(48,\), but config.json requires \(64,\)"),
        ({"num_hidden_layers": 3}, "lacks 16 parameters; the first is bert.encoder.layer.2"),
        (
            {"num_hidden_layers": 1},
            "has 16 parameters that the model in config.json does not have; the first is "
            "bert.encoder.layer.1",
        ),
        (
            {"model_type": "gpt2"},
            "='gpt2' is not supported; supported types: 'bert', 'roberta', 'albert', 'electra'",
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
def test_a_configuration_that_does_not_fit_is_named(folder, change, message):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(ValueError, match=message):
        load_model(folder)


def only_heads(tensors):
    for name in [name for name in tensors if not name.startswith("cls.")]:
        del tensors[name]


@pytest.mark.parametrize(
    "change, message",
    [
        (
            lambda tensors: tensors.update({"transformer.h.0.ln_1.weight": torch.ones(D)}),
            r"has 1 parameter that .+ does not have; the first is transformer.h.0.ln_1.weight",
        ),
        (only_heads, "lacks 37 parameters; the first is bert.embeddings.word_embeddings.weight"),
        (
            lambda tensors: tensors.update({"cls.predictions.decoder.weight": torch.zeros(97, D)}),
            "cls.predictions.decoder.weight differs from bert.embeddings.word_embeddings.weight",
        ),
        *(
            (lambda tensors, name=name: tensors.pop(name), f"lacks 1 parameter; the first is {name}")
            for name in (
                "cls.predictions.transform.dense.weight",
                "cls.predictions.bias",
                "cls.seq_relationship.bias",
                "bert.embeddings.position_embeddings.weight",
            )
        ),
    ],
)
def test_tensors_that_do_not_fit_are_named(folder, change, message):
    retensor(folder, change)
    with pytest.raises(ValueError, match=message):
        load_model(folder, pretraining)


@pytest.mark.parametrize(
    "file, content, message",
    [
        ("config.json", None, "config.json: no such file"),
        ("config.json", "{", "config.json: not valid JSON"),
        (
            "config.json",
            "[1]",
            "config.json: a configuration must be a JSON object, not a value of type list",
        ),
        ("model.safetensors", None, "contains neither model.safetensors nor pytorch_model.bin"),
        ("model.safetensors", 1000, "model.safetensors: truncated"),
        ("pytorch_model.bin", 1000, "pytorch_model.bin: truncated"),
        ("pytorch_model.bin", {"step": 3}, "pytorch_model.bin: contains something other than named tensors"),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_named(folder, file, content, message):
    path = folder / file
    if file == "pytorch_model.bin":
        torch.save(content if isinstance(content, dict) else load_file(folder / "model.safetensors"), path)
        (folder / "model.safetensors").unlink()
    if content is None:
        path.unlink()
    elif isinstance(content, int):  # so many bytes are left
        path.write_bytes(path.read_bytes()[:content])
    elif isinstance(content, str):
        path.write_text(content)
    with pytest.raises(ValueError, match=message):
        load_model(folder)


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
    with pytest.raises(
        ValueError,
        match="parameter encoder.extra.weight has no counterpart in the 'bert' format; the model has",
    ):
        save_model(Model(encoder, {}), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_without_huggingface_hub_a_name_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        ValueError,
        match="someone/tiny: no such folder, and searching .* hub requires the package huggingface_hub",
    ):
        load_model("someone/tiny")


@pytest.mark.parametrize("name", ["no/such/folder", "./absent", "a b"])
def test_what_is_no_folder_and_no_name_is_refused(name, folder):
    with pytest.raises(ValueError, match="no such folder, and not a name on Hugging Face's hub"):
        load_model(name)
    with pytest.raises(ValueError, match="model.safetensors is a file, but a model is a folder"):
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
        (tmp_path / f"{name}.{os.getpid()}.partial").symlink_to("/dev/full")
    with pytest.raises(
        OSError, match=f"No space left on device.*{name}|{name}: cannot be written .*No space left on device"
    ):
        save_model(Model(Encoder(CONFIG), {}), tmp_path, ["x" * 9999])
    there = {path.name for path in tmp_path.iterdir()}
    assert not there & {name, "config.json"} and not any(file.endswith(".partial") for file in there)
