"""An adapter's file: small, complete, and refused where it does not belong."""

import pytest
import torch
from tiny import CONFIG, ragged

from minibert.data.batch import visible_all
from minibert.english.adapter import Adapter
from minibert.model import ClassifierHead, FastEncoder, Model, TokenHead
from minibert.model.checkpoints.tensors import write_tensors
from minibert.model.low_rank import with_low_rank

CARD = {"data": "none", "scores": {"mlm": 12.5}}


def model(encoder):
    """The head's output matrix is no word embeddings: tying it is another test's matter."""
    torch.manual_seed(1)
    word = torch.nn.Embedding(CONFIG.vocab_size, CONFIG.hidden_size).requires_grad_(False)
    return Model(encoder, {"tokens": TokenHead(CONFIG, word), "pair": ClassifierHead(CONFIG, 2)}).eval()


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    return FastEncoder(CONFIG).eval()


@pytest.fixture
def made(encoder):
    """A model whose adapters and heads have moved."""
    made = model(with_low_rank(encoder, 3))
    with torch.no_grad():
        for p in made.parameters():
            if p.requires_grad:
                p.add_(0.1 * torch.randn_like(p))
    return made


def outputs(model):
    ids, real, types = ragged()
    arrays = map(torch.from_numpy, (ids, visible_all(real), types))
    return model(*arrays)


def test_what_is_written_and_read_again_gives_nearly_the_same_values(encoder, made, tmp_path):
    adapter = Adapter.of(made.encoder, made.heads, "abc", CARD)
    adapter.save(tmp_path / "a.safetensors")
    read = Adapter.load(tmp_path / "a.safetensors")
    again = model(read.onto(encoder, "abc"))
    read.into(again.heads)
    assert (read.rank, read.card) == (3, CARD)
    for name, value in outputs(again).items():
        expected, fresh = outputs(made)[name], outputs(model(encoder))[name]
        assert (value - expected).norm() < 0.03 * expected.norm() < 0.1 * (fresh - expected).norm(), name


def test_the_file_has_a_byte_for_a_number_and_no_word_embeddings(made, tmp_path):
    adapter = Adapter.of(made.encoder, made.heads, "abc", CARD)
    adapter.save(tmp_path / "a.safetensors")
    numbers = sum(value.numel() for part in (adapter.encoder, adapter.heads) for value in part.values())
    size = (tmp_path / "a.safetensors").stat().st_size
    assert numbers < size < 1.5 * numbers + 15_000
    assert not any(
        value.shape == made.encoder.embeddings.word.weight.shape
        for value in (*adapter.encoder.values(), *adapter.heads.values())
    )


def test_other_weights_are_refused(encoder, made):
    with pytest.raises(ValueError, match="made for weights with sha256 abc, not abd"):
        Adapter.of(made.encoder, made.heads, "abc", CARD).onto(encoder, "abd")


def test_other_heads_are_refused(encoder, made):
    adapter = Adapter.of(made.encoder, made.heads, "abc", CARD)
    with pytest.raises(ValueError, match="pair.* is only in the heads or only in the adapter"):
        adapter.into(Model(encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word)}).heads)
    other = Model(
        encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word), "pair": ClassifierHead(CONFIG, 3)}
    )
    with pytest.raises(
        ValueError, match=r"pair.classifier.weight: shape \(2, 32\) in the adapter, but \(3, 32\) in the head"
    ):
        adapter.into(other.heads)


@pytest.mark.parametrize("damage", ["missing", "empty", "zeros", "cut", "ordinary weights"])
def test_a_file_that_is_no_adapter_is_named(damage, made, tmp_path):
    path = tmp_path / "a.safetensors"
    Adapter.of(made.encoder, made.heads, "abc", CARD).save(path)
    if damage == "missing":
        path.unlink()
    elif damage == "ordinary weights":
        write_tensors(path, {"x": torch.zeros(1)})
    else:
        path.write_bytes({"empty": b"", "zeros": b"\0" * 100, "cut": path.read_bytes()[:-1]}[damage])
    with pytest.raises(ValueError, match="a.safetensors: damaged, or not a file of quantised weights"):
        Adapter.load(path)
