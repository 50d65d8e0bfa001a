"""Load and save published BERT, RoBERTa, ALBERT and ELECTRA models.

The architecture follows from `config.json` when loading, and from the class of the encoder when saving.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from minibert.config import ModelConfig
from minibert.readers.wording import plural
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
    """The sizes of RoBERTa-base; two of its positions are never used."""

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
        ),  # only in files of a bare encoder, because RoBERTa's objective does not train it
        ("roberta.pooler.dense", "heads.choice.pooler"),
        ("roberta.pooler.dense", "heads.pooler.pooler"),
        ("lm_head.dense", "heads.tokens.transform"),
        ("lm_head.layer_norm", "heads.tokens.norm"),
        ("lm_head.bias", "heads.tokens.decoder.bias"),
        ("lm_head.decoder", "heads.tokens.decoder"),
        ("classifier.dense", "heads.label.pooler"),  # tanh of a linear map of <s>, which is a pooler
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
    """Load a published encoder into a Model in evaluation mode, with the heads built by `heads(encoder)`.

    path_or_name: a folder, or a name on Hugging Face's hub, which is read from this user's cache or
    downloaded. Its `config.json` names its architecture. A head is loaded if the file contains its weights,
    and left untrained otherwise; weights of other heads are ignored. Raises ValueError, naming the file, the
    tensor and the rule, if a file is missing, truncated, of another architecture, or contains an unknown
    tensor or one of the wrong shape, or if the name cannot be found.
    """
    return read_model(path_or_name, heads, FORMATS)[0]


def save_model(
    model: Model,
    folder: str | Path,
    tokenizer: WordPiece | LibraryTokenizer | Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
) -> None:
    """Save a model to a folder in the published format of its architecture.

    Takes the same arguments as `weights.write_model` and raises the same errors, plus ValueError if there is
    no published format for the encoder.
    """
    form = form_of(model.encoder)
    if form is None:
        known = ", ".join(form.encoder.__name__ for form in FORMATS)
        raise ValueError(
            f"there is no published format for an encoder of class {type(model.encoder).__name__}; "
            f"supported classes: {known}"
        )
    write_model(model, folder, tokenizer, labels, form)


def summary(model: Model) -> str:
    """Describe a model in a few words, for the `repr` of an object that contains it."""
    form, config = form_of(model.encoder), model.encoder.config
    count = sum(p.numel() for p in model.parameters())
    return (
        f"{form.title.upper() if form else type(model.encoder).__name__}, "
        f"{plural(config.num_hidden_layers, 'layer')} of {config.hidden_size}, "
        f"{count / 1e6:.1f}M parameters"
    )


def longest(encoder: Encoder, tokenizer: WordPiece | LibraryTokenizer | None = None) -> int:
    """Return the maximum number of tokens that an encoder accepts, or fewer if its tokenizer has a limit."""
    form = form_of(encoder)
    most = form.longest(encoder.config) if form else encoder.config.max_position_embeddings
    return min(most, (tokenizer and tokenizer.max_length) or most)


def form_of(encoder: Encoder) -> CheckpointFormat | None:
    """Return the file format for an encoder, or None if its class has none."""
    return next((form for form in FORMATS if type(encoder) in (form.encoder, form.fast)), None)
