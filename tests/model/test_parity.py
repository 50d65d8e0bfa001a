"""The model equals its NumPy definition, and both equal Hugging Face's BERT."""

import inspect
import re

import numpy as np
import pytest
import torch
from definitions import definition
from tiny import CONFIG, GOLDEN, SPECIALS, D, H, T, ragged

import minibert.model.attention
import minibert.model.bilstm
import minibert.model.encoder
import minibert.model.heads
from minibert import reference
from minibert.course.unit09.definitions import next_token_head
from minibert.course.unit10 import definitions as variants
from minibert.course.unit10.definitions import boundary_head
from minibert.data import masking
from minibert.data.batch import IGNORE, visible_all, visible_causal
from minibert.model import (
    Encoder,
    Model,
    MultiHeadAttention,
    NextTokenHead,
    TokenClassifierHead,
    positional_encoding,
)
from minibert.model.heads import BoundaryHead
from minibert.objectives import MLM, NSP, Sum
from minibert.objectives.rtd import replaced_token_labels
from minibert.reference.bert import nested
from minibert.reference.encoder import sub as reference_sub
from minibert.reference.losses import cross_entropy


def pretraining_model(config=CONFIG, seed=0):
    torch.manual_seed(seed)
    encoder = Encoder(config)
    objective = Sum(NSP(SPECIALS, config.vocab_size, T), MLM(SPECIALS, config.vocab_size, T))
    return Model(encoder, objective.heads(encoder)).eval()


@pytest.fixture
def inputs():
    ids, real, types = ragged()
    return ids, visible_all(real), types, real


@pytest.mark.parametrize("visibility", [visible_all, visible_causal])
def test_encoder_equals_the_reference_in_float64(inputs, visibility):
    ids, _, types, real = inputs
    encoder = Encoder(CONFIG).double().eval()
    p = {name: value.numpy() for name, value in encoder.state_dict().items()}
    gate = np.random.default_rng(1).random((CONFIG.num_hidden_layers, H))
    expected = reference.encoder(ids, visibility(real), types, p, CONFIG, gate)
    got = encoder(*map(torch.from_numpy, (ids, visibility(real), types, gate)))
    for name in ("hidden", "layers", "probs"):
        value = got[name] if name == "hidden" else torch.stack(got[name], 1)
        assert np.abs(value.detach().numpy() - expected[name]).max() < 1e-12, name


def test_the_page_with_all_of_bert_equals_the_model_in_float64(inputs):
    ids, visible, types, _ = inputs
    model = pretraining_model().double()
    with torch.no_grad():  # fresh biases are 0 and would hide a missing one
        for value in model.parameters():
            value.add_(0.1 * torch.randn_like(value))
    weights = nested({name: value.numpy() for name, value in model.state_dict().items()})
    tokens, pair = reference.bert(ids, types, visible, **weights, num_attention_heads=H)
    got = model(*map(torch.from_numpy, (ids, visible, types)))
    assert np.abs(got["tokens"].detach().numpy() - tokens).max() < 1e-12
    assert np.abs(got["pair"].detach().numpy() - pair).max() < 1e-12


def test_heads_equal_the_reference_in_float64(inputs):
    ids, visible, types, real = inputs
    model = pretraining_model().double()
    tags = TokenClassifierHead(CONFIG, 5).double().eval()
    with torch.no_grad():  # fresh biases are 0 and would hide a missing one
        for value in model.parameters():
            value.add_(0.1 * torch.randn_like(value))
    p = {name: value.numpy() for name, value in model.state_dict().items()}
    hidden = reference.encoder(ids, visible, types, reference_sub(p, "encoder"), CONFIG)["hidden"]
    expected = {
        "tokens": reference.token_head(hidden, reference_sub(p, "heads.tokens")),
        "pair": reference.classifier_head(hidden, reference_sub(p, "heads.pair")),
    }
    got = model(*map(torch.from_numpy, (ids, visible, types)))
    for name, logits in expected.items():
        assert np.abs(got[name].detach().numpy() - logits).max() < 1e-12, name
    counted = reference.token_head(hidden, reference_sub(p, "heads.tokens"), real)
    assert np.abs(counted - expected["tokens"][real]).max() < 1e-12
    following = NextTokenHead(model.encoder.embeddings.word)
    next_logits = next_token_head(hidden, {"decoder.weight": p["encoder.embeddings.word.weight"]}, real)
    got = following(torch.from_numpy(hidden), torch.from_numpy(real)).detach().numpy()
    assert np.abs(got - next_logits).max() < 1e-12
    tag_logits = reference.token_classifier_head(
        hidden, {name: value.numpy() for name, value in tags.state_dict().items()}
    )
    assert np.abs(tags(torch.from_numpy(hidden)).detach().numpy() - tag_logits).max() < 1e-12


def test_the_boundary_head_equals_the_reference_in_float64(inputs):
    _, _, _, real = inputs
    head = BoundaryHead(CONFIG, torch.nn.Embedding(CONFIG.vocab_size, CONFIG.hidden_size)).double()
    with torch.no_grad():
        for value in head.parameters():
            value.add_(0.1 * torch.randn_like(value))
    rng = np.random.default_rng(0)
    hidden, chosen = rng.normal(size=(*real.shape, CONFIG.hidden_size)), real & (rng.random(real.shape) < 0.4)
    chosen[:, [0, -1]] = False  # a span has a token on either side
    left, right = masking.run_edges(chosen)
    p = {name: value.detach().numpy() for name, value in head.state_dict().items()}
    expected = boundary_head(hidden, left, right, p, chosen)
    got = head(*map(torch.from_numpy, (hidden, left, right, chosen))).detach().numpy()
    assert got.shape == expected.shape == (chosen.sum(), CONFIG.vocab_size)
    assert np.abs(got - expected).max() < 1e-12
    everywhere = boundary_head(hidden, left, right, p)
    assert np.abs(everywhere[chosen] - expected).max() < 1e-12


def test_sinusoidal_positions_equal_the_reference():
    assert np.abs(positional_encoding(50, 24).numpy() - reference.positional_encoding(50, 24)).max() < 1e-12


def test_labels_of_replaced_tokens_equal_the_reference(inputs):
    ids, _, _, real = inputs
    seen = np.where(np.random.default_rng(0).random(ids.shape) < 0.5, ids, 7)
    expected = variants.replaced_token_labels(ids, seen, real)
    got = replaced_token_labels(*map(torch.from_numpy, (ids, seen, real))).numpy()
    assert got.dtype == expected.dtype
    assert np.array_equal(got, expected)
    assert set(np.unique(expected)) == {0, 1, IGNORE}


MIRRORS = (
    minibert.model.attention,
    minibert.model.encoder,
    minibert.model.heads,
    minibert.model.bilstm,
)
HELD = {"p", "config", "num_heads", "eps"}  # what a module holds in itself, and a function is given
NO_DEFINITION = {"Model", "WordEmbeddings"}  # wiring; a lookup in a table


def arguments(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_every_module_takes_the_arguments_of_its_reference_function_and_no_others():
    for module in MIRRORS:
        for name, cls in inspect.getmembers(module, inspect.isclass):
            if cls.__module__ == module.__name__ and name not in NO_DEFINITION:
                name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
                function = definition(name)
                assert arguments(cls.forward) == [a for a in arguments(function) if a not in HELD], name


@pytest.mark.parametrize("name", ["attention", "split_heads", "merge_heads"])
def test_every_function_takes_the_arguments_of_its_reference_and_dropout(name):
    ours, theirs = arguments(getattr(minibert.model, name)), arguments(getattr(reference, name))
    assert ours == [*theirs, "dropout"] if name == "attention" else ours == theirs


def test_the_readable_encoder_is_short_and_has_no_tricks():
    for module, most in ((minibert.model.attention, 90), (minibert.model.encoder, 125)):
        source = inspect.getsource(module)
        assert len(source.splitlines()) <= most
        assert not re.search(
            r"with_probs|wanted|places|device\.type|scaled_dot_product|autocast|contiguous", source
        )


def test_a_gate_of_zero_removes_a_head(inputs):
    layer = MultiHeadAttention(CONFIG).eval()
    x, visible = torch.randn(3, T, D), torch.from_numpy(inputs[1])
    gate = torch.tensor([1.0, 0.0, 1.0, 1.0])
    gated = layer(x, visible, gate)[0]
    with torch.no_grad():
        layer.out.weight[:, D // H : 2 * D // H] = 0  # the second head's columns
    assert torch.allclose(gated, layer(x, visible)[0], atol=1e-6)


def test_a_row_longer_than_the_position_table_is_an_error():
    ids = torch.ones(1, 41, dtype=torch.long)
    with pytest.raises(ValueError, match="a sequence of 41 tokens is longer than max_position_embeddings=40"):
        Encoder(CONFIG)(ids, torch.ones(1, 41, 41, dtype=torch.bool), torch.zeros_like(ids))


@pytest.fixture
def golden(shared):
    folder = shared / "golden" / "bert_random_tiny"
    return {name: dict(np.load(folder / f"{name}.npz")) for name in ("inputs", "outputs", "weights", "gelu")}


def test_golden_hidden_states_logits_losses_and_gradients(golden):
    from minibert.model.checkpoints.weights import from_hugging_face

    weights, inputs, outputs = golden["weights"], golden["inputs"], golden["outputs"]
    model = pretraining_model(GOLDEN).double()
    model.load_state_dict(
        {
            from_hugging_face(name): torch.from_numpy(value)
            for name, value in weights.items()
            if "/" not in name
        }
    )
    real = inputs["attention_mask"].astype(bool)
    arguments = [
        torch.from_numpy(a) for a in (inputs["input_ids"], visible_all(real), inputs["token_type_ids"])
    ]
    trunk = model.encoder(*arguments)
    for i in range(4):
        assert np.abs(trunk["layers"][i].detach().numpy() - outputs[f"hidden_{i}"])[real].max() < 1e-10
    for i in range(3):
        assert (
            np.abs(trunk["probs"][i].detach().numpy() - outputs[f"attention_{i}"])
            .transpose(0, 2, 1, 3)[real]
            .max()
            < 1e-10
        )
    got = model(*arguments)
    assert np.abs(got["tokens"].detach().numpy() - outputs["mlm_logits"])[real].max() < 1e-10
    assert np.abs(got["pair"].detach().numpy() - outputs["nsp_logits"]).max() < 1e-10
    mlm = torch.nn.functional.cross_entropy(
        got["tokens"].flatten(0, 1), torch.from_numpy(inputs["mlm_labels"]).flatten()
    )
    nsp = torch.nn.functional.cross_entropy(got["pair"], torch.from_numpy(inputs["nsp_labels"]))
    assert abs(mlm.item() - outputs["mlm_loss"]) < 1e-10 and abs(nsp.item() - outputs["nsp_loss"]) < 1e-10
    (mlm + nsp).backward()
    for name, value in model.named_parameters():
        theirs = {from_hugging_face(key[5:]): key for key in outputs if key.startswith("grad/")}[name]
        assert np.abs(value.grad.numpy() - outputs[theirs]).max() < 1e-10, name


def test_golden_losses_and_gelu_of_the_reference(golden):
    inputs, outputs = golden["inputs"], golden["outputs"]
    assert abs(cross_entropy(outputs["mlm_logits"], inputs["mlm_labels"]) - outputs["mlm_loss"]) < 1e-10
    assert abs(cross_entropy(outputs["nsp_logits"], inputs["nsp_labels"]) - outputs["nsp_loss"]) < 1e-10
    x = golden["gelu"]["x"]
    for function, form, approximate in (
        (reference.gelu, "erf", "none"),
        (reference.gelu_tanh, "tanh", "tanh"),
    ):
        torchs = torch.nn.functional.gelu(torch.from_numpy(x), approximate=approximate).numpy()
        assert np.abs(function(x) - golden["gelu"][form]).max() < 1e-12
        assert np.abs(function(x) - torchs).max() < 1e-12


def test_a_mean_of_no_labels_is_an_error():
    with pytest.raises(ValueError, match=f"all 2 labels are {IGNORE}"):
        cross_entropy(np.zeros((2, 3)), np.full(2, IGNORE))
