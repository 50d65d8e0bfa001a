"""Weights on disk under Hugging Face's names: `config.json`, `model.safetensors`, `vocab.txt`.

One table of names, read both ways. What is saved here, `transformers.BertForPreTraining.from_pretrained` reads.
"""
import json
import os
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from ..config import ModelConfig
from ..corpora.errors import write_text
from .encoder import Encoder

TABLE = (                                                   # (Hugging Face, ours); the longer name first where one holds another
    ("bert.embeddings.word_embeddings", "encoder.embeddings.word"),
    ("bert.embeddings.position_embeddings", "encoder.embeddings.position"),
    ("bert.embeddings.token_type_embeddings", "encoder.embeddings.token_type"),
    ("bert.embeddings.LayerNorm", "encoder.embeddings.norm"),
    ("bert.encoder.layer", "encoder.layers"),
    (".attention.self.query", ".attention.query"),
    (".attention.self.key", ".attention.key"),
    (".attention.self.value", ".attention.value"),
    (".attention.output.dense", ".attention.out"),
    (".attention.output.LayerNorm", ".attention_norm"),
    (".intermediate.dense", ".feed_forward.up"),
    (".output.dense", ".feed_forward.down"),
    (".output.LayerNorm", ".feed_forward_norm"),
    ("bert.pooler.dense", "heads.pair.pooler"),
    ("cls.predictions.transform.dense", "heads.tokens.transform"),
    ("cls.predictions.transform.LayerNorm", "heads.tokens.norm"),
    ("cls.predictions.bias", "heads.tokens.decoder.bias"),
    ("cls.predictions.decoder", "heads.tokens.decoder"),
    ("cls.seq_relationship", "heads.pair.classifier"),
    ("qa_outputs", "heads.span.classifier"),
)


def from_hugging_face(name):
    """Our name of a Hugging Face parameter.

    >>> from_hugging_face("bert.encoder.layer.0.attention.self.query.weight")
    'encoder.layers.0.attention.query.weight'
    """
    for theirs, ours in TABLE:
        name = name.replace(theirs, ours)
    return name


def to_hugging_face(name):
    """Hugging Face's name of one of our parameters; the inverse of from_hugging_face."""
    for theirs, ours in TABLE:
        name = name.replace(ours, theirs)
    return name


def save_pretrained(model, folder, vocab=None):
    """Write `config.json` and `model.safetensors` (and `vocab.txt`) of a Model; each file appears whole or not at all."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    state = {to_hugging_face(name): value.detach().cpu().contiguous() for name, value in model.state_dict().items()
             if name != "heads.tokens.decoder.weight"}      # tied to the word embeddings
    config = {"architectures": ["BertForPreTraining"], "model_type": "bert", "hidden_act": "gelu",
              **model.encoder.config.to_dict()}
    partial = folder / "model.safetensors.partial"
    save_file(state, partial, metadata={"format": "pt"})
    os.replace(partial, folder / "model.safetensors")
    write_text(folder / "config.json", json.dumps(config, indent=2) + "\n")
    if vocab is not None:
        write_text(folder / "vocab.txt", "\n".join(vocab) + "\n")


def read_config(folder):
    """The ModelConfig in a folder's `config.json`; keys that only Hugging Face's library uses are passed over."""
    path = Path(folder) / "config.json"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; a model folder has config.json, model.safetensors and vocab.txt")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if values.get("model_type", "bert") != "bert" or values.get("hidden_act", "gelu") != "gelu":
        raise ValueError(f"{path}: model_type={values.get('model_type')!r} with hidden_act={values.get('hidden_act')!r}; "
                         "only 'bert' with 'gelu' is read")
    return ModelConfig(**{key: value for key, value in values.items() if key in ModelConfig.__dataclass_fields__})


def read_weights(folder):
    """The parameters in a folder's `model.safetensors`, under our names."""
    path = Path(folder) / "model.safetensors"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; a model folder has config.json, model.safetensors and vocab.txt")
    try:
        return {from_hugging_face(name): value for name, value in load_file(path).items()}
    except SafetensorError as error:
        raise ValueError(f"{path}: truncated or not a safetensors file ({error})") from None


def load_pretrained(folder, heads=lambda encoder: {}):
    """A Model with the trunk of `folder` and the heads that `heads(encoder)` makes; in evaluation mode.

    Heads that the folder holds under the same names are loaded, others keep their fresh weights. Raises ValueError for a
    missing, truncated or mis-shaped file.
    """
    from .heads import Model
    config, weights = read_config(folder), read_weights(folder)
    encoder = Encoder(config)
    model = Model(encoder, heads(encoder))
    own = model.state_dict()
    for name, value in weights.items():
        if name in own and own[name].shape != value.shape:
            raise ValueError(f"{folder}: {to_hugging_face(name)} has shape {tuple(value.shape)}; "
                             f"config.json asks for {tuple(own[name].shape)}")
    missing, _ = model.load_state_dict({name: value for name, value in weights.items() if name in own}, strict=False)
    lost = [to_hugging_face(name) for name in missing if name.startswith("encoder.")]
    if lost:
        raise ValueError(f"{folder}: model.safetensors lacks {len(lost)} parameters, first {lost[0]}")
    return model.eval()
