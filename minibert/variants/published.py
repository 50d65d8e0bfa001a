"""Load and save published weights of BERT, RoBERTa, ALBERT and ELECTRA; here are their tables of names.

`minibert.model.weights` does the work and knows BERT alone; `config.json` or the encoder says which of the
four a model is.
"""
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from ..config import ModelConfig
from ..model import weights
from ..model.encoder import Encoder
from ..model.heads import Model
from ..model.names import BERT, LAYER, RULES, Format, encoder_rows
from ..tokenizer import WordPiece
from ..tokenizer.library import LibraryTokenizer
from .albert import AlbertEncoder, FactorisedConfig
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .roberta import FIRST_POSITION, RobertaEncoder

TASKS = (("qa_outputs", "heads.span.classifier"), ("classifier", "heads.tags.classifier"),
         ("classifier", "heads.choice.classifier"))


@dataclass(frozen=True)
class RobertaConfig(ModelConfig):
    """The sizes of RoBERTa-base by default; two of its positions are never used."""

    vocab_size: int = 50265
    max_position_embeddings: int = 514
    type_vocab_size: int = 1
    layer_norm_eps: float = 1e-5


ROBERTA = Format("roberta", "Roberta", (
    *encoder_rows("roberta"), *LAYER,
    ("roberta.pooler.dense", "heads.pair.pooler"),  # of a bare encoder; RoBERTa's objective never trains it
    ("roberta.pooler.dense", "heads.choice.pooler"),
    ("roberta.pooler.dense", "heads.pooler.pooler"),
    ("lm_head.dense", "heads.tokens.transform"),
    ("lm_head.layer_norm", "heads.tokens.norm"),
    ("lm_head.bias", "heads.tokens.decoder.bias"),
    ("lm_head.decoder", "heads.tokens.decoder"),
    ("classifier.dense", "heads.label.pooler"),  # tanh of a linear map of <s>: a pooler by another name
    ("classifier.out_proj", "heads.label.classifier"),
    *TASKS), "lm_head.decoder", RobertaEncoder, FastRobertaEncoder, RobertaConfig,
    RULES | {"pad_token_id": 1}, reserved=FIRST_POSITION)

ALBERT = Format("albert", "Albert", (
    *encoder_rows("albert", "encoder.albert_layer_groups.0.albert_layers"),
    ("albert.encoder.embedding_hidden_mapping_in", "encoder.embeddings.project"),
    (".attention.dense", ".attention.out"),
    (".attention.LayerNorm", ".attention_norm"),
    (".ffn_output", ".feed_forward.down"),
    (".ffn", ".feed_forward.up"),
    (".full_layer_layer_norm", ".feed_forward_norm"),
    ("albert.pooler", "heads.pair.pooler"),
    ("albert.pooler", "heads.label.pooler"),
    ("albert.pooler", "heads.choice.pooler"),
    ("albert.pooler", "heads.pooler.pooler"),
    ("predictions.dense", "heads.tokens.transform"),
    ("predictions.LayerNorm", "heads.tokens.norm"),
    ("predictions.bias", "heads.tokens.decoder.bias"),
    ("predictions.decoder", "heads.tokens.decoder"),
    ("sop_classifier.classifier", "heads.pair.classifier"),     # 0 = in order, 1 = swapped
    *TASKS, ("classifier", "heads.label.classifier")), "predictions.decoder", AlbertEncoder,
                FastAlbertEncoder, FactorisedConfig,
    {key: value for key, value in RULES.items() if key != "hidden_act"} | {"num_hidden_groups": 1,
                                                                           "inner_group_num": 1})

ELECTRA = Format("electra", "Electra", (
    *encoder_rows("electra"),
    ("electra.embeddings_project", "encoder.embeddings.project"),
    *LAYER,
    ("generator_predictions.dense", "heads.tokens.transform"),
    ("generator_predictions.LayerNorm", "heads.tokens.norm"),
    ("generator_lm_head", "heads.tokens.decoder"),
    ("discriminator_predictions.dense", "heads.replaced.transform"),
    ("discriminator_predictions.dense_prediction", "heads.replaced.classifier"),
    *TASKS), "generator_lm_head", ElectraEncoder, FastElectraEncoder, ElectraConfig, RULES)

FORMATS = (BERT, ROBERTA, ALBERT, ELECTRA)


def load_pretrained(path_or_name: str | Path,
                    heads: Callable[[Any], dict[str, nn.Module]] = lambda encoder: {}) -> Model:
    """A published Model of any of the four architectures, as its `config.json` says.

    Arguments and errors are those of `minibert.model.load_pretrained`.
    """
    return weights.load_pretrained(path_or_name, heads, FORMATS)


def save_pretrained(model: Model, folder: str | Path,
                    tokenizer: WordPiece | LibraryTokenizer | Sequence[str] | None = None,
                    labels: Sequence[str] | None = None) -> None:
    """Write the folder of a Model of any of the four architectures, as its encoder says.

    Arguments are those of `minibert.model.save_pretrained`. Raises ValueError for another encoder.
    """
    form = form_of(model.encoder)
    if form is None:
        known = ", ".join(form.encoder.__name__ for form in FORMATS)
        raise ValueError(f"an encoder of class {type(model.encoder).__name__} has no published format; "
                         f"those that have one: {known}")
    weights.save_pretrained(model, folder, tokenizer, labels, form)


def form_of(encoder: Encoder) -> Format | None:
    """The Format of an encoder, None if no published model has its class."""
    return next((form for form in FORMATS if type(encoder) in (form.encoder, form.fast)), None)
