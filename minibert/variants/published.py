"""Published weights of BERT, RoBERTa, ALBERT and ELECTRA: names of tensors, load and save.

`minibert.model.weights` does the work and knows BERT alone; the architecture is told by `config.json` or by
the trunk.
"""
from dataclasses import dataclass

from ..config import ModelConfig
from ..model import weights
from ..model.names import BERT, LAYER, RULES, Format, trunk
from .albert import AlbertEncoder, FactorisedConfig
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .roberta import RobertaEncoder

TASKS = (("qa_outputs", "heads.span.classifier"), ("classifier", "heads.tags.classifier"),
         ("classifier", "heads.choice.classifier"))


@dataclass(frozen=True)
class RobertaConfig(ModelConfig):
    """The defaults of RoBERTa-base, two positions included that no token has."""

    vocab_size: int = 50265
    max_position_embeddings: int = 514
    type_vocab_size: int = 1
    layer_norm_eps: float = 1e-5


ROBERTA = Format("roberta", "Roberta", (
    *trunk("roberta"), *LAYER,
    ("roberta.pooler.dense", "heads.pair.pooler"),  # of a bare trunk; never trained by RoBERTa's objective
    ("roberta.pooler.dense", "heads.choice.pooler"),
    ("lm_head.dense", "heads.tokens.transform"),
    ("lm_head.layer_norm", "heads.tokens.norm"),
    ("lm_head.bias", "heads.tokens.decoder.bias"),
    ("lm_head.decoder", "heads.tokens.decoder"),
    ("classifier.dense", "heads.label.pooler"),  # tanh of a linear map of <s>: a pooler by another name
    ("classifier.out_proj", "heads.label.classifier"),
    *TASKS), "lm_head.decoder", RobertaEncoder, FastRobertaEncoder, RobertaConfig,
    RULES | {"pad_token_id": 1})

ALBERT = Format("albert", "Albert", (
    *trunk("albert", "encoder.albert_layer_groups.0.albert_layers"),
    ("albert.encoder.embedding_hidden_mapping_in", "encoder.embeddings.project"),
    (".attention.dense", ".attention.out"),
    (".attention.LayerNorm", ".attention_norm"),
    (".ffn_output", ".feed_forward.down"),
    (".ffn", ".feed_forward.up"),
    (".full_layer_layer_norm", ".feed_forward_norm"),
    ("albert.pooler", "heads.pair.pooler"),
    ("albert.pooler", "heads.label.pooler"),
    ("albert.pooler", "heads.choice.pooler"),
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
    *trunk("electra"),
    ("electra.embeddings_project", "encoder.embeddings.project"),
    *LAYER,
    ("generator_predictions.dense", "heads.tokens.transform"),
    ("generator_predictions.LayerNorm", "heads.tokens.norm"),
    ("generator_lm_head", "heads.tokens.decoder"),
    ("discriminator_predictions.dense", "heads.replaced.transform"),
    ("discriminator_predictions.dense_prediction", "heads.replaced.classifier"),
    *TASKS), "generator_lm_head", ElectraEncoder, FastElectraEncoder, ElectraConfig, RULES)

FORMATS = (BERT, ROBERTA, ALBERT, ELECTRA)


def load_pretrained(path_or_name, heads=lambda encoder: {}):
    """Load any of the four architectures; `config.json` says which. As `minibert.model.load_pretrained`."""
    return weights.load_pretrained(path_or_name, heads, FORMATS)


def save_pretrained(model, folder, vocab=None):
    """Save any of the four architectures, as `minibert.model.save_pretrained`.

    Raises ValueError for another encoder."""
    form = next((form for form in FORMATS if type(model.encoder) in (form.encoder, form.fast)), None)
    if form is None:
        raise ValueError(
            f"a trunk of class {type(model.encoder).__name__} has no published format; those that have one: "
                         f"{', '.join(form.encoder.__name__ for form in FORMATS)}")
    weights.save_pretrained(model, folder, vocab, form)
