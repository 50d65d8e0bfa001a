"""Tables that translate between our parameter names and those of Hugging Face's checkpoints.

This file has the table for BERT; `published` has those of RoBERTa, ALBERT and ELECTRA.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from torch import nn

from minibert.config import ModelConfig

from ..encoder import Encoder
from ..fast import FastEncoder
from ..heads import ClassifierHead, Model, TokenClassifierHead, TokenHead

NamePairs = tuple[tuple[str, str], ...]

# Pairs (Hugging Face's name, ours). Names with a leading dot are replaced anywhere, others only at the start
# of a name. If one name contains another, the longer one comes first. Several heads have a `pooler` or a
# `classifier`; when reading, the first matching row is used.
LAYER = (
    (".attention.self.query", ".attention.query"),
    (".attention.self.key", ".attention.key"),
    (".attention.self.value", ".attention.value"),
    (".attention.output.dense", ".attention.out"),
    (".attention.output.LayerNorm", ".attention_norm"),
    (".intermediate.dense", ".feed_forward.up"),
    (".output.dense", ".feed_forward.down"),
    (".output.LayerNorm", ".feed_forward_norm"),
)


def encoder_rows(prefix: str, layers: str = "encoder.layer") -> NamePairs:
    """Return pairs (Hugging Face's name, our name) for the embeddings and layers of an architecture.

    prefix, layers: the parts of Hugging Face's names that depend on the architecture.
    """
    return (
        (f"{prefix}.embeddings.word_embeddings", "encoder.embeddings.word"),
        (f"{prefix}.embeddings.position_embeddings", "encoder.embeddings.position"),
        (f"{prefix}.embeddings.token_type_embeddings", "encoder.embeddings.token_type"),
        (f"{prefix}.embeddings.LayerNorm", "encoder.embeddings.norm"),
        (f"{prefix}.{layers}", "encoder.layers"),
    )


TABLE = (
    *encoder_rows("bert"),
    *LAYER,
    ("bert.pooler.dense", "heads.pair.pooler"),
    ("bert.pooler.dense", "heads.label.pooler"),
    ("bert.pooler.dense", "heads.choice.pooler"),
    ("bert.pooler.dense", "heads.pooler.pooler"),
    ("cls.predictions.transform.dense", "heads.tokens.transform"),
    ("cls.predictions.transform.LayerNorm", "heads.tokens.norm"),
    ("cls.predictions.bias", "heads.tokens.decoder.bias"),
    ("cls.predictions.decoder", "heads.tokens.decoder"),
    ("cls.seq_relationship", "heads.pair.classifier"),
    ("qa_outputs", "heads.span.classifier"),
    ("classifier", "heads.tags.classifier"),
    ("classifier", "heads.label.classifier"),
    ("classifier", "heads.choice.classifier"),
)


@dataclass(frozen=True)
class CheckpointFormat:
    """The file format for models of one architecture, such as BERT."""

    model_type: str  # in config.json; also the prefix of the names of the encoder's tensors
    title: str  # prefix of its class names in `transformers`
    table: NamePairs  # (Hugging Face's name, ours)
    decoder: str  # output matrix tied to the word embeddings; if the file has a copy, it is only checked
    encoder: type[Encoder] = Encoder  # the readable class of the architecture
    fast: type[Encoder] = FastEncoder  # the fast class, which is used for loading
    config: type[ModelConfig] = ModelConfig  # the class of its configuration
    rules: dict[str, Any] = field(default_factory=dict)  # keys of config.json with their only supported value
    reserved: int = 0  # number of positions that are never used

    def longest(self, config: ModelConfig) -> int:
        """Return the maximum number of tokens in a sequence for a model with this configuration."""
        return config.max_position_embeddings - self.reserved


RULES = {
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
    "tie_word_embeddings": True,
}
BERT = CheckpointFormat("bert", "Bert", TABLE, "cls.predictions.decoder", rules=RULES)

CLASSES = {  # heads of a model -> the class in `transformers`, without the title
    (): "Model",
    ("pooler",): "Model",
    ("pair", "tokens"): "ForPreTraining",
    ("tokens",): "ForMaskedLM",
    ("pair",): "ForNextSentencePrediction",
    ("label",): "ForSequenceClassification",
    ("tags",): "ForTokenClassification",
    ("span",): "ForQuestionAnswering",
    ("choice",): "ForMultipleChoice",
    ("replaced",): "ForPreTraining",
}


def rename(name: str, rows: Iterable[tuple[str, str]]) -> str:
    """Replace `old` by `new` in a parameter name, for each pair (old, new) in turn."""
    for old, new in rows:
        if old.startswith("."):
            name = name.replace(old + ".", new + ".")
        elif name.startswith(old + ".") or name == old:
            name = new + name[len(old) :]
    return name


def from_hugging_face(name: str, table: NamePairs = TABLE) -> str:
    """Convert a Hugging Face parameter name to ours.

    >>> from_hugging_face("bert.encoder.layer.0.attention.self.query.weight")
    'encoder.layers.0.attention.query.weight'
    """
    return rename(name, table)


def to_hugging_face(name: str, table: NamePairs = TABLE) -> str:
    """Convert one of our parameter names to Hugging Face's; this is the inverse of from_hugging_face."""
    return rename(name, [(ours, theirs) for theirs, ours in table])


def role(name: str, head: nn.Module) -> str:
    """Return the standard name of a head, such as "tokens" or "label", from its class."""
    if isinstance(head, TokenHead):
        return "tokens"
    if isinstance(head, ClassifierHead):
        return name if name in ("pair", "choice") else "label"
    if isinstance(head, TokenClassifierHead):
        return "span" if name == "span" else "tags"
    return getattr(head, "role", name)


def hugging_face_names(model: Model, form: CheckpointFormat = BERT) -> dict[str, str]:
    """Return a dict that maps Hugging Face's parameter names to ours; shared parameters appear once.

    Only the encoder and the heads are included. Heads that Hugging Face does not have, and a second head of
    the same class, keep our names. Raises ValueError if the encoder is of another architecture.
    """
    names: dict[str, str] = {}
    for ours, _ in model.named_parameters():  # encoder first, so that a tied matrix belongs to the encoder
        if not ours.startswith(("encoder.", "heads.")):
            continue
        known = ours
        if ours.startswith("heads."):
            _, head, rest = ours.split(".", 2)
            known = f"heads.{role(head, model.heads[head])}.{rest}"
        theirs = to_hugging_face(known, form.table)
        if theirs == ours and not ours.startswith("heads."):
            raise ValueError(
                f"parameter {ours} has no counterpart in the {form.model_type!r} format; the model has a "
                "different architecture"
            )
        names[ours if theirs == known or theirs in names else theirs] = ours
    return names
