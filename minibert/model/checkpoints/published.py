"""Load and save published weights of BERT, RoBERTa, ALBERT and ELECTRA; here are their tables of names.

`weights` does the work and knows BERT alone; `config.json` or the encoder says which of the
four a model is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from minibert.config import ModelConfig
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

from ..encoder import Encoder
from ..heads import Model
from ..variants.albert import AlbertEncoder, FactorisedConfig
from ..variants.electra import ElectraConfig, ElectraEncoder
from ..variants.fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from ..variants.roberta import FIRST_POSITION, RobertaEncoder
from .names import BERT, LAYER, RULES, CheckpointFormat, encoder_rows
from .weights import read_model, write_model

TASKS = (
    ("qa_outputs", "heads.span.classifier"),
    ("classifier", "heads.tags.classifier"),
    ("classifier", "heads.choice.classifier"),
)


@dataclass(frozen=True)
class RobertaConfig(ModelConfig):
    """The sizes of RoBERTa-base by default; two of its positions are never used."""

    vocab_size: int = 50265
    max_position_embeddings: int = 514
    type_vocab_size: int = 1
    layer_norm_eps: float = 1e-5


ROBERTA = CheckpointFormat(
    "roberta",
    "Roberta",
    (
        *encoder_rows("roberta"),
        *LAYER,
        (
            "roberta.pooler.dense",
            "heads.pair.pooler",
        ),  # of a bare encoder; RoBERTa's objective never trains it
        ("roberta.pooler.dense", "heads.choice.pooler"),
        ("roberta.pooler.dense", "heads.pooler.pooler"),
        ("lm_head.dense", "heads.tokens.transform"),
        ("lm_head.layer_norm", "heads.tokens.norm"),
        ("lm_head.bias", "heads.tokens.decoder.bias"),
        ("lm_head.decoder", "heads.tokens.decoder"),
        ("classifier.dense", "heads.label.pooler"),  # tanh of a linear map of <s>: a pooler by another name
        ("classifier.out_proj", "heads.label.classifier"),
        *TASKS,
    ),
    "lm_head.decoder",
    RobertaEncoder,
    FastRobertaEncoder,
    RobertaConfig,
    RULES | {"pad_token_id": 1},
    reserved=FIRST_POSITION,
)

ALBERT = CheckpointFormat(
    "albert",
    "Albert",
    (
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
        ("sop_classifier.classifier", "heads.pair.classifier"),  # 0 = in order, 1 = swapped
        *TASKS,
        ("classifier", "heads.label.classifier"),
    ),
    "predictions.decoder",
    AlbertEncoder,
    FastAlbertEncoder,
    FactorisedConfig,
    {key: value for key, value in RULES.items() if key != "hidden_act"}
    | {"num_hidden_groups": 1, "inner_group_num": 1},
)

ELECTRA = CheckpointFormat(
    "electra",
    "Electra",
    (
        *encoder_rows("electra"),
        ("electra.embeddings_project", "encoder.embeddings.project"),
        *LAYER,
        ("generator_predictions.dense", "heads.tokens.transform"),
        ("generator_predictions.LayerNorm", "heads.tokens.norm"),
        ("generator_lm_head", "heads.tokens.decoder"),
        ("discriminator_predictions.dense", "heads.replaced.transform"),
        ("discriminator_predictions.dense_prediction", "heads.replaced.classifier"),
        *TASKS,
    ),
    "generator_lm_head",
    ElectraEncoder,
    FastElectraEncoder,
    ElectraConfig,
    RULES,
)

FORMATS = (BERT, ROBERTA, ALBERT, ELECTRA)


def load_model(
    path_or_name: str | Path, heads: Callable[[Any], dict[str, nn.Module]] = lambda encoder: {}
) -> Model:
    """Return a Model with a published encoder and the heads that `heads(encoder)` makes, in evaluation mode.

    path_or_name: a folder, or a name on Hugging Face's hub, from this user's cache or downloaded; its
    `config.json` says which of the four architectures it is. A head whose weights the file holds is loaded,
    one whose weights it lacks is left untrained, and weights of heads that are not asked for are ignored.
    Raises ValueError, naming file, tensor and rule, for a missing, truncated or mis-shaped file, one of
    another architecture, an unknown tensor, and a name that cannot be reached.
    """
    return read_model(path_or_name, heads, FORMATS)[0]


def save_model(
    model: Model,
    folder: str | Path,
    tokenizer: WordPiece | LibraryTokenizer | Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
) -> None:
    """Write the folder of a Model of any of the four architectures, as its encoder says.

    Arguments and errors are those of `weights.write_model`; an encoder that has no published format raises
    ValueError, too.
    """
    form = form_of(model.encoder)
    if form is None:
        known = ", ".join(form.encoder.__name__ for form in FORMATS)
        raise ValueError(
            f"an encoder of class {type(model.encoder).__name__} has no published format; "
            f"those that have one: {known}"
        )
    write_model(model, folder, tokenizer, labels, form)


def form_of(encoder: Encoder) -> CheckpointFormat | None:
    """The CheckpointFormat of an encoder, None if no published model has its class."""
    return next((form for form in FORMATS if type(encoder) in (form.encoder, form.fast)), None)
