"""ONNX files: the same logits in ONNX Runtime, any shape of inputs, integers, and clear errors."""

import json

import numpy as np
import pytest
import torch
from small_task import EXAMPLES, TOKENIZER
from small_teacher import teacher
from tiny import CONFIG

import minibert
from minibert.finetuning.compression.pruning import prune_columns, prune_heads
from minibert.finetuning.finetuned import Finetuned
from minibert.model import BiLSTM, FastEncoder, Model, TokenHead
from minibert.model.checkpoints import onnx_files
from minibert.model.checkpoints.onnx_files import INPUTS, TOLERANCE, run_onnx, write_onnx
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.low_rank import with_low_rank

onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The teacher's file. An export takes seconds, so most tests share this one, and the others are slow."""
    return minibert.export(teacher(), tmp_path_factory.mktemp("onnx"))


def arrays(B, T):
    """Random inputs whose sequences have different lengths."""
    rng = np.random.default_rng(B * T)
    ids, types = rng.integers(5, len(TOKENIZER), (B, T)), rng.integers(2, size=(B, T))
    real = np.arange(T) < rng.integers(1, T + 1, (B, 1))
    return dict(zip(INPUTS, (ids, real.astype(np.int64), types)))


@torch.no_grad()
def logits_of(model, inputs):
    ids, real, types = map(torch.from_numpy, inputs.values())
    visible = real.bool()[:, None].expand(-1, ids.shape[1], -1)
    return {name: logits.numpy() for name, logits in model(ids, visible, types).items()}


@pytest.mark.parametrize("B, T", [(1, 1), (1, 40), (2, 3), (7, 11)])
def test_the_logits_are_pytorchs_for_any_number_of_sequences_and_tokens(exported, B, T):
    inputs = arrays(B, T)
    expected = logits_of(teacher().model, inputs)
    found = run_onnx(exported, inputs)
    assert found.keys() == expected.keys() == {"label"}
    np.testing.assert_allclose(found["label"], expected["label"], atol=TOLERANCE)


@pytest.mark.slow
def test_integers_make_the_file_smaller_and_give_the_same_answers(exported, tmp_path):
    small = minibert.export(teacher(), tmp_path, int8=True)
    assert (exported.name, small.name) == ("model.onnx", "model_int8.onnx")
    kinds = {tensor.data_type for tensor in onnx.load(small).graph.initializer if len(tensor.dims) == 2}
    assert kinds == {onnx.TensorProto.INT8} or kinds == {onnx.TensorProto.INT8, onnx.TensorProto.UINT8}
    rows, _, _ = teacher().task.encode(EXAMPLES)
    batch = teacher().task.collate(rows)
    inputs = dict(zip(INPUTS, (batch.input_ids, batch.real.astype(np.int64), batch.token_type_ids)))
    found, expected = run_onnx(small, inputs)["label"], run_onnx(exported, inputs)["label"]
    assert np.array_equal(found.argmax(-1), expected.argmax(-1))
    assert 0 < np.abs(found - expected).max() < 0.3


def test_the_file_says_what_it_is_and_lies_next_to_its_tokenizer(exported):
    about = {one.key: json.loads(one.value) for one in onnx.load(exported).metadata_props}
    assert about == {"task": "sst2", "labels": ["0", "1"], "max_length": 40}
    assert (exported.parent / "vocab.txt").read_text().split() == TOKENIZER.vocab
    assert not [path for path in exported.parent.iterdir() if path.is_dir()]


@pytest.mark.slow
def test_adapters_and_removed_heads_and_columns_are_part_of_the_file(tmp_path):
    encoder = with_low_rank(teacher().model.encoder, 2)
    with torch.no_grad():
        for name, parameter in encoder.named_parameters():
            if name.endswith(".b"):
                parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)) / 9)
    pruned = prune_columns(prune_heads(encoder, [(0, 1), (2, 3)]), [(1, i) for i in range(20)])
    model = teacher().model.with_part("encoder", pruned)
    inputs = arrays(3, 8)
    write_onnx(model, tmp_path / "pruned.onnx", {})
    found = run_onnx(tmp_path / "pruned.onnx", inputs)["label"]
    np.testing.assert_allclose(found, logits_of(model, inputs)["label"], atol=TOLERANCE)
    assert np.abs(found - logits_of(teacher().model, inputs)["label"]).max() > 0.01


@pytest.mark.slow
def test_a_pretrained_model_predicts_all_tokens(tmp_path):
    encoder = FastEncoder(CONFIG.replace(vocab_size=len(TOKENIZER), num_hidden_layers=1))
    model = Model(encoder, {"tokens": TokenHead(encoder.config, encoder.embeddings.word)})
    path = minibert.export(Pretrained(model.eval(), TOKENIZER), tmp_path / "bert")
    inputs = arrays(2, 5)
    found = run_onnx(path, inputs)["tokens"]
    assert found.shape == (2, 5, len(TOKENIZER))
    np.testing.assert_allclose(found, logits_of(model, inputs)["tokens"], atol=TOLERANCE)


def test_a_missing_package_is_named_with_its_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(onnx_files, "PACKAGES", ("onnx", "no_such_runtime"))
    with pytest.raises(ValueError, match=r"no_such_runtime cannot be imported.*'minibert\[onnx\]'"):
        minibert.export(teacher(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_different_logits_are_an_error_and_leave_no_file(monkeypatch, tmp_path):
    monkeypatch.setattr(onnx_files, "largest_difference", lambda *_: 0.1)
    monkeypatch.setattr(onnx_files, "graph_of", lambda _: onnx.ModelProto())
    with pytest.raises(ValueError, match="logits differ from PyTorch's by 0.1"):
        write_onnx(teacher().model, tmp_path / "model.onnx", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_model_that_cannot_be_exported_is_named(tmp_path):
    task = teacher().task
    encoder = BiLSTM(teacher().config)
    model = Model(encoder, task.heads(encoder))
    with pytest.raises(ValueError, match="an encoder of class BiLSTM cannot be exported"):
        minibert.export(Finetuned("sst2", task, model), tmp_path)


def test_what_is_missing_or_unknown_is_said_first():
    with pytest.raises(ValueError, match="give a folder as out"):
        minibert.export(teacher())
    with pytest.raises(ValueError, match="to='tflite' must be 'onnx'"):
        minibert.export(teacher(), "out", to="tflite")
