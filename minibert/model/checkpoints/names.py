"""The names of parameters, ours and those of Hugging Face's checkpoints, in one table that is read both ways.

A CheckpointFormat describes the files of one architecture: BERT's is here, the others are in
`minibert.model.variants`, and `weights` loads and saves by it.
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

# (Hugging Face, ours). A pair with leading dots is replaced anywhere, the longer name first where one
# contains another; the others only at the start of a name. `pooler` and `classifier` serve several heads: a
# name is read by the first row that has it.
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
    """The rows of the embeddings and the list of layers, which differ only in the architecture's name."""
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
    """How the models of one architecture are written on disk."""

    model_type: str  # in config.json; the names of the encoder's tensors start with it, too
    title: str  # the names of its classes in `transformers` start with it
    table: NamePairs  # (Hugging Face's name, ours)
    decoder: str  # the output matrix tied to the word embeddings; its copy in a file is checked, not read
    encoder: type[Encoder] = Encoder  # the readable class of the architecture
    fast: type[Encoder] = FastEncoder  # its fast form, which is loaded
    config: type[ModelConfig] = ModelConfig  # made from config.json
    rules: dict[str, Any] = field(default_factory=dict)  # key of config.json -> the one value that is read
    reserved: int = 0  # positions that no token has

    def longest(self, config: ModelConfig) -> int:
        """The number of tokens that a model of this size reads at most."""
        return config.max_position_embeddings - self.reserved


RULES = {
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
    "tie_word_embeddings": True,
}
BERT = CheckpointFormat("bert", "Bert", TABLE, "cls.predictions.decoder", rules=RULES)

CLASSES = {  # the heads that a model has -> its class in `transformers`, without the title
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
    """Apply each (old, new) row to a name, one after the other."""
    for old, new in rows:
        if old.startswith("."):
            name = name.replace(old + ".", new + ".")
        elif name.startswith(old + ".") or name == old:
            name = new + name[len(old) :]
    return name


def from_hugging_face(name: str, table: NamePairs = TABLE) -> str:
    """Our name of a Hugging Face parameter.

    >>> from_hugging_face("bert.encoder.layer.0.attention.self.query.weight")
    'encoder.layers.0.attention.query.weight'
    """
    return rename(name, table)


def to_hugging_face(name: str, table: NamePairs = TABLE) -> str:
    """Hugging Face's name of one of our parameters; the inverse of from_hugging_face."""
    return rename(name, [(ours, theirs) for theirs, ours in table])


def role(name: str, head: nn.Module) -> str:
    """The name that TABLE has for a head. Its class decides, since a task may name its head as it likes."""
    if isinstance(head, TokenHead):
        return "tokens"
    if isinstance(head, ClassifierHead):
        return name if name in ("pair", "choice") else "label"
    if isinstance(head, TokenClassifierHead):
        return "span" if name == "span" else "tags"
    return getattr(head, "role", name)


def their_names(model: Model, form: CheckpointFormat = BERT) -> dict[str, str]:
    """Hugging Face's name -> ours, for every parameter of a Model; a shared or tied one appears once.

    A head that Hugging Face has no name for, one of our own or the second of its kind, keeps ours. What a
    subclass of Model has beside encoder and heads is left out. Raises ValueError for an encoder of another
    architecture.
    """
    names: dict[str, str] = {}
    for ours, _ in model.named_parameters():  # the encoder first: a tied matrix counts as the encoder's
        if not ours.startswith(("encoder.", "heads.")):
            continue
        known = ours
        if ours.startswith("heads."):
            _, head, rest = ours.split(".", 2)
            known = f"heads.{role(head, model.heads[head])}.{rest}"
        theirs = to_hugging_face(known, form.table)
        if theirs == ours and not ours.startswith("heads."):
            raise ValueError(
                f"parameter {ours} has no name in the {form.model_type!r} format: another architecture"
            )
        names[ours if theirs == known or theirs in names else theirs] = ours
    return names
