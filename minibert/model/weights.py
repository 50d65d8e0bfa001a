"""Weights on disk under Hugging Face's names: `config.json`, `model.safetensors`, `vocab.txt`.

What is saved here, `transformers` reads, and the other way round. `names` says how a tensor is called,
`files` finds the files, `tensors` reads and writes the one of tensors; here each tensor gets its place, or
the file is refused.
"""
import json
from pathlib import Path

import torch

from ..files import write_text
from .files import find_folder, find_weights, read_json
from .heads import ClassifierHead, Model
from .names import BERT, CLASSES, from_hugging_face, role, their_names, to_hugging_face
from .tensors import read_tensors, write_tensors


def save_pretrained(model, folder, vocab=None, form=BERT):
    """Write `config.json` and `model.safetensors` (and `vocab.txt`) of a Model; each file appears whole or
    not at all.

    vocab: the pieces in the order of their ids. Raises ValueError, before anything is written, for a trunk
    that is not of the architecture `form`; OSError, naming the file, where the disk is full.
    """
    folder, state = Path(folder), model.state_dict()
    tensors = {theirs: state[ours] for theirs, ours in their_names(model, form).items()}
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "config.json", json.dumps(config_values(model, form), indent=2) + "\n")
    write_tensors(folder / "model.safetensors", tensors, like=folder / "config.json")
    if vocab is not None:
        write_text(folder / "vocab.txt", "\n".join(vocab) + "\n")


def config_values(model, form):
    """What stands in the `config.json` of a Model."""
    roles = {role(name, head): head for name, head in model.heads.items()}
    values = {"architectures": [form.title + CLASSES.get(tuple(sorted(roles)), "Model")],
              "model_type": form.model_type,
              **form.rules, **model.encoder.config.to_dict()}
    for head in (roles.get("label"), roles.get("tags")):
        if head is not None:                                # `transformers` counts the labels by their names
            values["id2label"] = {str(i): f"LABEL_{i}" for i in range(head.classifier.out_features)}
            values["label2id"] = {name: int(i) for i, name in values["id2label"].items()}
    return values


def read_config(folder, forms=(BERT,)):
    """(Format, configuration) of a folder's `config.json`; keys that only Hugging Face's library uses are
    passed over.

    Raises ValueError for a missing or damaged file, an architecture that is not among `forms`, and a value
    that this package does not compute.
    """
    path = Path(folder) / "config.json"
    values = read_json(path)
    kind = values.get("model_type", "bert")
    form = next((form for form in forms if form.model_type == kind), None)
    if form is None:
        raise ValueError(
            f"{path}: model_type={kind!r}; only {', '.join(repr(form.model_type) for form in forms)} is read")
    for key, value in form.rules.items():
        if values.get(key, value) != value:
            raise ValueError(f"{path}: {key}={values[key]!r}; only {value!r} is read")
    try:
        return form, form.config(**{key: values[key] for key in form.config.__dataclass_fields__
                                    if key in values})
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_weights(folder, form=BERT):
    """(path, name -> tensor) of a folder's weights, under the names that `transformers` uses today.

    Older files say gamma and beta for a LayerNorm's weight and bias; those of a bare trunk leave out `bert.`;
    some hold the output matrix a second time, beside the word embeddings: it must be the same.
    """
    path = find_weights(Path(folder))
    tensors = read_tensors(path)
    start, clean = form.model_type + ".", {}
    for name, tensor in tensors.items():
        new = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if new.split(".")[0] in ("embeddings", "embeddings_project", "encoder", "pooler"):
            new = start + new
        if new.endswith((".position_ids", ".token_type_ids")):
            continue  # 0, 1, 2, ... and 0, 0, 0, ...: constants of older versions
        clean[new] = tensor
    bias = to_hugging_face(from_hugging_face(form.decoder + ".bias", form.table), form.table)
    word = to_hugging_face("encoder.embeddings.word.weight", form.table)
    for copy, original in ((form.decoder + ".weight", word), (form.decoder + ".bias", bias)):
        if copy in clean and copy != original:
            tensor = clean.pop(copy)
            if not torch.equal(clean.setdefault(original, tensor), tensor):
                raise ValueError(f"{path}: {copy} differs from {original}; only tied ones are read")
    return path, clean


def load_pretrained(path_or_name, heads=lambda encoder: {}, forms=(BERT,)):
    """A Model with a published trunk and the heads that `heads(encoder)` makes; in evaluation mode.

    path_or_name: a folder, or a name on Hugging Face's hub, from this user's cache or downloaded. A head that
    the file holds is loaded, one that it lacks keeps its fresh weights, one that is not asked for is passed
    over. Raises ValueError, naming file, tensor and rule, for a missing, truncated or mis-shaped file, one of
    another architecture, an unknown tensor, and a name that cannot be reached.
    """
    folder = find_folder(path_or_name)
    form, config = read_config(folder, forms)
    encoder = form.fast(config)
    model = Model(encoder, heads(encoder))
    path, weights = read_weights(folder, form)
    names = {ours if ours in weights else theirs: ours for theirs, ours in their_names(model, form).items()}
    check(path, form, names, model, weights)
    model.load_state_dict({names[name]: value for name, value in weights.items() if name in names},
                          strict=False)
    return model.eval()


def check(path, form, names, model, weights):
    """Raise ValueError unless a file's tensors are those of the trunk, and of each head wholly or not at
    all.
    """
    unknown = [name for name in weights
               if name not in names and not from_hugging_face(name, form.table).startswith("heads.")]
    if unknown:
        raise ValueError(
            f"{path}: {unknown[0]} (and {len(unknown) - 1} more) is no tensor of the model in config.json")
    begun = {part(ours, model) for name, ours in names.items() if name in weights} | {"encoder"}
    lost = [name for name, ours in names.items() if name not in weights and part(ours, model) in begun]
    if lost:
        raise ValueError(f"{path} lacks {len(lost)} parameters, first {lost[0]}")
    own = model.state_dict()
    for name, value in weights.items():
        if name in names and value.shape != own[names[name]].shape:
            raise ValueError(f"{path}: {name} has shape {tuple(value.shape)}; config.json asks for "
                             f"{tuple(own[names[name]].shape)}")


def part(name, model):
    """What of a model is loaded as a whole: the trunk, a head; of a classifier, its pooler alone too, as in a
    bare BERT.
    """
    first, head, rest = [*name.split(".", 2), ""][:3]
    if first == "encoder":
        return first
    return f"{head}.{rest.split('.')[0]}" if isinstance(model.heads[head], ClassifierHead) else head
