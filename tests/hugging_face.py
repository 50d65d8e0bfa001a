"""Random models of `transformers`, our heads for each, and what must hold between one of theirs and ours."""

import json

import torch
import transformers
from tiny import ragged

from minibert.data.batch import visible_all
from minibert.model.electra import ReplacedHead
from minibert.model.heads import ClassifierHead, TokenClassifierHead, TokenHead

PADDING = {"roberta": 1}  # the id of [PAD]: RoBERTa's positions count what is not padding


def nothing(encoder):
    return {}


def tokens(encoder):
    return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}


def pair(encoder):
    return {"pair": ClassifierHead(encoder.config, 2)}


def pretraining(encoder):
    return tokens(encoder) | pair(encoder)


def span(encoder):
    return {"span": TokenClassifierHead(encoder.config, 2)}


def tags(encoder):
    return {"tags": TokenClassifierHead(encoder.config, 5)}


def label(encoder):
    return {"opinion": ClassifierHead(encoder.config, 3)}


def choice(encoder):
    return {"choice": ClassifierHead(encoder.config, 1)}


def replaced(encoder):
    return {"replaced": ReplacedHead(encoder.config)}


LOGITS = {  # our heads: the outputs of a model of `transformers`, by our names
    nothing: lambda out: {},
    tokens: lambda out: {"tokens": out.logits},
    pair: lambda out: {"pair": out.logits},
    pretraining: lambda out: {
        "tokens": out.prediction_logits,
        "pair": out.sop_logits if "sop_logits" in out else out.seq_relationship_logits,
    },
    span: lambda out: {"span": torch.stack([out.start_logits, out.end_logits], -1)},
    tags: lambda out: {"tags": out.logits},
    label: lambda out: {"opinion": out.logits},
    choice: lambda out: {"choice": out.logits.T},  # the rows of the batch are the options of one example
    replaced: lambda out: {"replaced": out.logits},
}


def shaken(model):
    """The model with all parameters moved: fresh biases and norms (0 and 1) would hide a swapped name."""
    torch.manual_seed(1)
    with torch.no_grad():
        for value in model.parameters():
            value.add_(0.1 * torch.randn_like(value))
    return model.eval()


def transformer(kind, config):
    """A random model of `transformers`: of the class of that name, with the sizes of our configuration."""
    make = getattr(transformers, kind)
    labels = 5 if "TokenClass" in kind else 3 if "SequenceClass" in kind else 2
    torch.manual_seed(2)
    return shaken(make(make.config_class(**config.to_dict(), num_labels=labels)))


@torch.no_grad()
def assert_equal(ours, theirs, convert):
    """Hidden states and logits agree on real places of a ragged batch, with segments if theirs has them."""
    ids, real, types = map(torch.from_numpy, ragged())
    visible = torch.from_numpy(visible_all(real.numpy()))
    ids = ids.masked_fill(~real, PADDING.get(theirs.config.model_type, 0))
    segments = {} if theirs.config.type_vocab_size == 1 else {"token_type_ids": types}
    given = {"input_ids": ids, "attention_mask": real.long(), **segments}
    if "MultipleChoice" in type(theirs).__name__:
        given = {key: value[None] for key, value in given.items()}  # (1, C, T)
    out = theirs(**given, output_hidden_states=True)
    layers = ours.encoder(ids, visible, types)["layers"]
    assert len(layers) == len(out.hidden_states)
    for mine, other in zip(layers, out.hidden_states):
        assert (mine - other)[real].abs().max() < 1e-5
    logits, expected = ours(ids, visible, types), convert(out)
    assert logits.keys() == expected.keys()
    for name, value in expected.items():
        difference = (logits[name] - value).abs()
        assert (difference[real] if value.shape[:2] == ids.shape else difference).max() < 1e-5, name


def assert_read_by_transformers(kind, ours, heads, folder):
    """What we saved in `folder` names its class, fills it, and computes the same there."""
    theirs, info = getattr(transformers, kind).from_pretrained(folder, output_loading_info=True)
    assert not info["unexpected_keys"] and not info["mismatched_keys"]
    assert all("pooler" in key for key in info["missing_keys"])  # a bare trunk has none here
    assert json.loads((folder / "config.json").read_text())["architectures"] == [kind]
    assert_equal(ours, theirs.eval(), LOGITS[heads])
