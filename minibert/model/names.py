"""Names of parameters: ours, and those of Hugging Face's checkpoints, in one table that is read both ways.

A Format is what the files of one architecture have of their own; BERT's is here, others in
`minibert.variants`. `weights` loads and saves by it.
"""
from dataclasses import dataclass, field

from ..config import ModelConfig
from .encoder import Encoder
from .fast import FastEncoder
from .heads import ClassifierHead, TokenClassifierHead, TokenHead

# (Hugging Face, ours). A pair with leading dots is replaced anywhere, the longer name first where one holds
# another; the others only where a name begins. `pooler` and `classifier` serve several heads: the first row
# is what a name is read as.
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


def trunk(prefix, layers="encoder.layer"):
    """The rows of the embeddings and the list of layers, which differ only in the architecture's name."""
    return ((f"{prefix}.embeddings.word_embeddings", "encoder.embeddings.word"),
            (f"{prefix}.embeddings.position_embeddings", "encoder.embeddings.position"),
            (f"{prefix}.embeddings.token_type_embeddings", "encoder.embeddings.token_type"),
            (f"{prefix}.embeddings.LayerNorm", "encoder.embeddings.norm"),
            (f"{prefix}.{layers}", "encoder.layers"))


TABLE = (
    *trunk("bert"),
    *LAYER,
    ("bert.pooler.dense", "heads.pair.pooler"),
    ("bert.pooler.dense", "heads.label.pooler"),
    ("bert.pooler.dense", "heads.choice.pooler"),
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
class Format:
    """How one architecture is written on disk."""

    model_type: str             # in config.json; also opens the names of the trunk's tensors
    title: str                  # opens the names of its classes in `transformers`
    table: tuple                # (Hugging Face's name, ours)
    decoder: str  # the output matrix tied to the word embeddings; its copy in a file is checked, not read
    encoder: type[Encoder] = Encoder            # the readable class of the architecture
    fast: type[Encoder] = FastEncoder           # its fast form, which is loaded
    config: type = ModelConfig  # made from config.json
    rules: dict = field(default_factory=dict)   # key of config.json -> the one value that is read


RULES = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False,
         "add_cross_attention": False,
         "tie_word_embeddings": True}
BERT = Format("bert", "Bert", TABLE, "cls.predictions.decoder", rules=RULES)

CLASSES = {                     # the heads that a model has -> its class in `transformers`, without the title
    (): "Model", ("pair", "tokens"): "ForPreTraining", ("tokens",): "ForMaskedLM",
    ("pair",): "ForNextSentencePrediction",
    ("label",): "ForSequenceClassification", ("tags",): "ForTokenClassification",
    ("span",): "ForQuestionAnswering",
    ("choice",): "ForMultipleChoice", ("replaced",): "ForPreTraining"}


def rename(name, rows):
    """A name with each (old, new) row applied in turn."""
    for old, new in rows:
        if old.startswith("."):
            name = name.replace(old + ".", new + ".")
        elif name.startswith(old + ".") or name == old:
            name = new + name[len(old):]
    return name


def from_hugging_face(name, table=TABLE):
    """Our name of a Hugging Face parameter.

    >>> from_hugging_face("bert.encoder.layer.0.attention.self.query.weight")
    'encoder.layers.0.attention.query.weight'
    """
    return rename(name, table)


def to_hugging_face(name, table=TABLE):
    """Hugging Face's name of one of our parameters; the inverse of from_hugging_face."""
    return rename(name, [(ours, theirs) for theirs, ours in table])


def role(name, head):
    """The name by which TABLE knows a head: the class decides, since a task may call its head as it likes."""
    if isinstance(head, TokenHead):
        return "tokens"
    if isinstance(head, ClassifierHead):
        return name if name in ("pair", "choice") else "label"
    if isinstance(head, TokenClassifierHead):
        return "span" if name == "span" else "tags"
    return getattr(head, "role", name)


def their_names(model, form=BERT):
    """Hugging Face's name -> ours, of every parameter of a Model; shared and tied ones once, by their first
    name.

    What Hugging Face has no name for, a head of our own or the second of its kind, keeps ours; what a
    subclass of Model has beside trunk and heads is left out. Raises ValueError for a trunk of another
    architecture.
    """
    names = {}
    for ours, _ in model.named_parameters():  # the trunk first: a tied matrix counts as the trunk's
        if not ours.startswith(("encoder.", "heads.")):
            continue
        known = ours
        if ours.startswith("heads."):
            _, head, rest = ours.split(".", 2)
            known = f"heads.{role(head, model.heads[head])}.{rest}"
        theirs = to_hugging_face(known, form.table)
        if theirs == ours and not ours.startswith("heads."):
            raise ValueError(
                f"parameter {ours} has no name in the {form.model_type!r} format: another architecture")
        names[ours if theirs == known or theirs in names else theirs] = ours
    return names
