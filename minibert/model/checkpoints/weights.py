"""Save and load models in Hugging Face's format, which `transformers` also reads and writes.

Each tensor of a file is loaded into the model, or the file is rejected.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from minibert.config import ModelConfig
from minibert.readers.wording import plural
from minibert.readers.writing import writing
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

from ..heads import ClassifierHead, Model
from .files import find_folder, find_weights, read_json
from .names import (
    BERT,
    CLASSES,
    CheckpointFormat,
    from_hugging_face,
    hugging_face_names,
    role,
    to_hugging_face,
)
from .tensors import read_tensors, write_tensors
from .tokenizer_files import save_tokenizer


def write_model(
    model: Model,
    folder: str | Path,
    tokenizer: WordPiece | LibraryTokenizer | Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    form: CheckpointFormat = BERT,
) -> None:
    """Write a Model to a folder: `config.json`, `model.safetensors` and, if given, the tokenizer's files.

    tokenizer: a tokenizer, or a list of tokens in the order of their ids. labels: names of the classes, in
    the order of the logits. Each file is written atomically, and `config.json` last, so that an incomplete
    folder does not look like a model. Raises ValueError, before it writes anything, if the encoder does not
    have the architecture `form`; OSError, naming the file, if the disk is full.
    """
    folder, state = Path(folder), model.state_dict()
    tensors = {theirs: state[ours] for theirs, ours in hugging_face_names(model, form).items()}
    values = config_values(model, form, labels)
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder / "config.json") as config:
        config.write(json.dumps(values, indent=2) + "\n")
        config.flush()  # detects a full disk before anything is replaced
        write_tensors(folder / "model.safetensors", tensors, like=Path(config.name))
        if tokenizer is not None:
            save_tokenizer(tokenizer, folder, form.longest(model.encoder.config))


def config_values(
    model: Model, form: CheckpointFormat, labels: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return a dict with the contents of `config.json` for a Model.

    labels: names of the classes; without them, the classes are numbered.
    """
    roles = {role(name, head): head for name, head in model.heads.items()}
    values = {
        "architectures": [form.title + CLASSES.get(tuple(sorted(roles)), "Model")],
        "model_type": form.model_type,
        **form.rules,
        **model.encoder.config.to_dict(),
    }
    heads: list[Any] = [roles.get("label"), roles.get("tags")]
    for head in heads:
        if head is not None:  # `transformers` determines the number of labels from their names
            count = head.classifier.out_features
            names = labels if labels and len(labels) == count else [f"LABEL_{i}" for i in range(count)]
            values["id2label"] = {str(i): name for i, name in enumerate(names)}
            values["label2id"] = {name: i for i, name in enumerate(names)}
    return values


def read_config(
    folder: str | Path, forms: Sequence[CheckpointFormat] = (BERT,)
) -> tuple[CheckpointFormat, ModelConfig]:
    """Read a model's file format and configuration from `config.json` in a folder.

    Keys that only Hugging Face's library uses are ignored. Raises ValueError if the file is missing or
    damaged, if the architecture is not among `forms`, or if this package does not support a value.
    """
    path = Path(folder) / "config.json"
    values = read_json(path)
    kind = values.get("model_type", "bert")
    form = next((form for form in forms if form.model_type == kind), None)
    if form is None:
        raise ValueError(
            f"{path}: model_type={kind!r} is not supported; supported types: "
            f"{', '.join(repr(form.model_type) for form in forms)}"
        )
    for key, value in form.rules.items():
        if values.get(key, value) != value:
            raise ValueError(f"{path}: {key}={values[key]!r}; only {value!r} is supported")
    try:
        return form, form.config(
            **{key: values[key] for key in form.config.__dataclass_fields__ if key in values}
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_weights(folder: str | Path, form: CheckpointFormat = BERT) -> tuple[Path, dict[str, torch.Tensor]]:
    """Read the weights in a folder; return their path and the tensors, named as in current `transformers`.

    Older files use gamma and beta for the weight and bias of a LayerNorm, and files of a bare encoder omit
    `bert.`. Some files contain the output matrix in addition to the word embeddings; they must be equal.
    """
    path = find_weights(Path(folder))
    tensors = read_tensors(path)
    start, clean = form.model_type + ".", {}
    for name, tensor in tensors.items():
        new = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if new.split(".")[0] in ("embeddings", "embeddings_project", "encoder", "pooler"):
            new = start + new
        if new.endswith((".position_ids", ".token_type_ids")):
            continue  # constants in files of older versions: 0, 1, 2, ... and 0, 0, 0, ...
        clean[new] = tensor
    bias = to_hugging_face(from_hugging_face(form.decoder + ".bias", form.table), form.table)
    word = to_hugging_face("encoder.embeddings.word.weight", form.table)
    for copy, original in ((form.decoder + ".weight", word), (form.decoder + ".bias", bias)):
        if copy in clean and copy != original:
            tensor = clean.pop(copy)
            if not torch.equal(clean.setdefault(original, tensor), tensor):
                raise ValueError(
                    f"{path}: {copy} differs from {original}, but only tied weights are supported"
                )
    return path, clean


def read_model(
    path_or_name: str | Path,
    heads: Callable[[Any], dict[str, nn.Module]],
    forms: Sequence[CheckpointFormat] = (BERT,),
) -> tuple[Model, set[str]]:
    """Load a Model from a folder; return (model, names of the parts that are missing in its file).

    Missing parts are, for example, "tokens" or "pair.pooler". forms: the supported architectures. Takes the
    other arguments of `published.load_model` and raises the same errors.
    """
    folder = find_folder(path_or_name)
    form, config = read_config(folder, forms)
    encoder = form.fast(config)
    model = Model(encoder, heads(encoder))
    path, weights = read_weights(folder, form)
    names = {
        ours if ours in weights else theirs: ours for theirs, ours in hugging_face_names(model, form).items()
    }
    check(path, form, names, model, weights)
    model.load_state_dict(
        {names[name]: value for name, value in weights.items() if name in names}, strict=False
    )
    return model.eval(), {part(ours, model) for name, ours in names.items() if name not in weights}


def check(
    path: Path, form: CheckpointFormat, names: dict[str, str], model: Model, weights: dict[str, torch.Tensor]
) -> None:
    """Raise ValueError if a file lacks a parameter of the encoder, or contains only part of a head.

    names: Hugging Face's parameter names, mapped to ours. weights: the tensors in the file.
    """
    unknown = [
        name
        for name in weights
        if name not in names and not from_hugging_face(name, form.table).startswith("heads.")
    ]
    if unknown:
        raise ValueError(
            f"{path} has {plural(len(unknown), 'parameter')} that the model in config.json does not have; "
            f"the first is {unknown[0]}"
        )
    begun = {part(ours, model) for name, ours in names.items() if name in weights} | {"encoder"}
    lost = [name for name, ours in names.items() if name not in weights and part(ours, model) in begun]
    if lost:
        raise ValueError(f"{path} lacks {plural(len(lost), 'parameter')}; the first is {lost[0]}")
    own = model.state_dict()
    for name, value in weights.items():
        if name in names and value.shape != own[names[name]].shape:
            raise ValueError(
                f"{path}: {name} has shape {tuple(value.shape)}, but config.json requires "
                f"{tuple(own[names[name]].shape)}"
            )


def part(name: str, model: Model) -> str:
    """Return the part of a model to which a parameter belongs: "encoder", a head, or a head's pooler.

    A classification head is loaded in two parts, because the file of a bare BERT contains only its pooler.
    """
    first, head, rest = [*name.split(".", 2), ""][:3]
    if first == "encoder":
        return first
    return f"{head}.{rest.split('.')[0]}" if isinstance(model.heads[head], ClassifierHead) else head
