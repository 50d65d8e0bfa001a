"""RoBERTa, ALBERT and ELECTRA: their trunks, and random tiny models of `transformers` read and written."""

import copy
import json
import math

import pytest
import torch
from hugging_face import (
    LOGITS,
    assert_equal,
    assert_read_by_transformers,
    choice,
    label,
    nothing,
    pretraining,
    replaced,
    shaken,
    span,
    tags,
    tokens,
    transformer,
)
from safetensors.torch import load_file
from tiny import CONFIG, D, ragged

from minibert.data.batch import visible_all
from minibert.model import Model
from minibert.model.checkpoints.published import FORMATS, load_model, save_model
from minibert.model.variants import (
    AlbertEncoder,
    ElectraConfig,
    ElectraEncoder,
    FactorisedConfig,
    RobertaEncoder,
)

E = 22  # not a multiple of the heads: only D is split among them
ALBERT = FactorisedConfig(**CONFIG.to_dict(), embedding_size=E)
ELECTRA = ElectraConfig(**CONFIG.to_dict(), embedding_size=E)
ROBERTA = CONFIG.replace(max_position_embeddings=22, type_vocab_size=1)
CASES = [  # class of `transformers`, our heads, our trunk and its configuration
    ("RobertaModel", nothing, RobertaEncoder, ROBERTA),
    ("RobertaForMaskedLM", tokens, RobertaEncoder, ROBERTA),
    ("RobertaForQuestionAnswering", span, RobertaEncoder, ROBERTA),
    ("RobertaForTokenClassification", tags, RobertaEncoder, ROBERTA),
    ("RobertaForSequenceClassification", label, RobertaEncoder, ROBERTA),
    ("RobertaForMultipleChoice", choice, RobertaEncoder, ROBERTA),
    ("AlbertModel", nothing, AlbertEncoder, ALBERT),
    ("AlbertForMaskedLM", tokens, AlbertEncoder, ALBERT),
    ("AlbertForMaskedLM", tokens, AlbertEncoder, ALBERT.replace(hidden_act="gelu")),
    ("AlbertForPreTraining", pretraining, AlbertEncoder, ALBERT),
    ("AlbertForQuestionAnswering", span, AlbertEncoder, ALBERT),
    ("AlbertForTokenClassification", tags, AlbertEncoder, ALBERT),
    ("AlbertForSequenceClassification", label, AlbertEncoder, ALBERT),
    ("AlbertForMultipleChoice", choice, AlbertEncoder, ALBERT),
    ("ElectraModel", nothing, ElectraEncoder, ELECTRA),
    ("ElectraModel", nothing, ElectraEncoder, ELECTRA.replace(embedding_size=D)),
    ("ElectraForMaskedLM", tokens, ElectraEncoder, ELECTRA),
    ("ElectraForMaskedLM", tokens, ElectraEncoder, ELECTRA.replace(embedding_size=D)),
    ("ElectraForPreTraining", replaced, ElectraEncoder, ELECTRA),
    ("ElectraForQuestionAnswering", span, ElectraEncoder, ELECTRA),
    ("ElectraForTokenClassification", tags, ElectraEncoder, ELECTRA),
]


@pytest.mark.parametrize("kind, heads, trunk, config", CASES)
def test_we_read_what_transformers_saves(kind, heads, trunk, config, tmp_path):
    theirs = transformer(kind, config)
    theirs.save_pretrained(tmp_path)
    ours = load_model(tmp_path, heads)
    assert [type(ours.encoder)] == [form.fast for form in FORMATS if form.encoder is trunk]
    assert ours.encoder.config == type(ours.encoder.config)(**config.to_dict())
    assert_equal(ours, theirs, LOGITS[heads])


@pytest.mark.parametrize("kind, heads, trunk, config", CASES)
def test_transformers_reads_what_we_save(kind, heads, trunk, config, tmp_path):
    encoder = trunk(config)
    model = shaken(Model(encoder, heads(encoder)))
    save_model(model, tmp_path)
    assert_read_by_transformers(kind, model, heads, tmp_path)


def test_albert_keeps_one_layer_whatever_the_depth(tmp_path):
    counts = [
        sum(p.numel() for p in AlbertEncoder(ALBERT.replace(num_hidden_layers=depth)).parameters())
        for depth in (1, 6)
    ]
    assert counts[0] == counts[1]
    save_model(Model(AlbertEncoder(ALBERT), {}), tmp_path)
    assert sum("query.weight" in name for name in load_file(tmp_path / "model.safetensors")) == 1


@pytest.mark.parametrize(
    "hidden, layers, millions", [(768, 12, 12), (1024, 24, 18), (2048, 24, 60), (4096, 12, 235)]
)
def test_albert_has_about_the_parameters_of_the_papers_table_1(hidden, layers, millions):
    with torch.device("meta"):  # sizes without numbers
        config = FactorisedConfig(
            vocab_size=30000,
            hidden_size=hidden,
            num_hidden_layers=layers,
            num_attention_heads=16,
            intermediate_size=4 * hidden,
        )
        model = Model(AlbertEncoder(config), {})
    count = sum(p.numel() for p in model.parameters()) + hidden * (hidden + 1)  # and the pooler
    assert len(model.encoder.layers) == layers
    assert abs(count / 1e6 - millions) < 0.06 * millions  # the paper rounds; the last comes to 223


def test_the_gradient_of_the_shared_layer_sums_over_its_uses():
    ids, real, types = map(torch.from_numpy, ragged())
    shared, visible = AlbertEncoder(ALBERT).double(), torch.from_numpy(visible_all(real.numpy()))
    apart, toward = copy.deepcopy(shared), torch.randn(*ids.shape, D, dtype=torch.float64)
    apart.layers = torch.nn.ModuleList(copy.deepcopy(layer) for layer in shared.layers)
    for encoder in (shared, apart):
        (encoder(ids, visible, types)["hidden"] * toward).sum().backward()
    one, first, second = (layer.feed_forward.up.weight.grad for layer in (shared.layers[0], *apart.layers))
    assert torch.allclose(one, first + second, rtol=1e-10) and not torch.allclose(one, second)


def test_an_objective_trains_on_a_factorised_trunk():
    ids, real, types = map(torch.from_numpy, ragged())
    encoder, visible = AlbertEncoder(ALBERT), torch.from_numpy(visible_all(real.numpy()))
    logits = Model(encoder, tokens(encoder))(ids, visible, types)["tokens"]
    loss = torch.nn.functional.cross_entropy(logits[real], ids[real]).item()
    assert logits.shape == (*ids.shape, 97) and abs(loss - math.log(97)) < 0.3  # it guesses


def test_roberta_does_not_look_at_segments():
    ids, real, types = map(torch.from_numpy, ragged())
    encoder = RobertaEncoder(ROBERTA).eval()
    assert torch.equal(encoder.embeddings(ids, types), encoder.embeddings(ids, 0 * types))


def test_roberta_counts_positions_from_two():
    embeddings = RobertaEncoder(ROBERTA).eval().embeddings
    ids = torch.full((1, 20), 7)
    before = embeddings(ids, 0 * ids)
    with torch.no_grad():
        embeddings.position.weight[:2] += 1  # the two rows of padding
    assert torch.equal(embeddings(ids, 0 * ids), before)
    later = embeddings(ids[:, :3], 0 * ids[:, :3], torch.tensor([[17, 18, 19]]))
    assert torch.allclose(later, before[:, 17:], atol=1e-6)
    message = "a sequence of 21 tokens is longer than 20: max_position_embeddings=22 includes 2 rows"
    with pytest.raises(ValueError, match=message):
        embeddings(torch.full((1, 21), 7), torch.zeros(1, 21, dtype=torch.long))


def test_an_unknown_key_suggests_one_of_the_variant():
    with pytest.raises(ValueError, match="'embeding_size'; did you mean 'embedding_size'"):
        ALBERT.replace(embeding_size=3)


@pytest.mark.parametrize(
    "kind, change, message",
    [
        ("AlbertModel", {"num_hidden_groups": 2}, "config.json: num_hidden_groups=2; only 1 is supported"),
        ("AlbertModel", {"hidden_act": "relu"}, "config.json: hidden_act='relu' is not one of gelu"),
        ("AlbertModel", {"embedding_size": 24}, r"albert.embeddings.LayerNorm.bias has shape \(22,\), but"),
        (
            "AlbertModel",
            {"model_type": "electra", "hidden_act": "gelu"},
            "that the model in config.json does not have",
        ),
        ("RobertaModel", {"pad_token_id": 0}, "config.json: pad_token_id=0; only 1 is supported"),
        ("ElectraModel", {"hidden_act": "gelu_new"}, "config.json: hidden_act='gelu_new'; only 'gelu' is"),
        (
            "ElectraModel",
            {"model_type": "deberta"},
            "model_type='deberta' is not supported; supported types: 'bert', 'roberta'",
        ),
    ],
)
def test_what_is_not_computed_here_is_refused(kind, change, message, tmp_path):
    transformer(kind, next(config for name, _, _, config in CASES if name == kind)).save_pretrained(tmp_path)
    values = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**values, **change}))
    with pytest.raises(ValueError, match=message):
        load_model(tmp_path)
