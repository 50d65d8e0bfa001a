"""A pretrained model together with its tokenizer, as `minibert.load` returns it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, overload

import numpy as np
import torch
from torch import nn

from minibert.config import ModelConfig
from minibert.data.batch import pack
from minibert.readers.inputs import as_texts
from minibert.readers.wording import plural
from minibert.spelling import did_you_mean
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

from .. import ClassifierHead, Encoder, Model, TokenHead
from ..electra import ReplacedHead
from ..encoding import Pooling, encode
from ..variants.electra import ElectraEncoder
from .files import check_vocab, find_folder
from .published import FORMATS, longest, save_model, summary
from .tokenizer_files import load_tokenizer
from .weights import read_model

Filled = list[list[tuple[str, float]]]  # for each [MASK], the best tokens with their probabilities
MASK = "[MASK]"  # marks a masked token in a text, for every tokenizer


@dataclass(frozen=True)
class Pretrained:
    """A pretrained encoder with its tokenizer and the output heads from its file.

    model: a Model in evaluation mode, with heads "tokens" (masked tokens), "pair" (next sentence or sentence
    order) and "replaced" (ELECTRA). pooler: the linear map of [CLS] with which a classification head is
    initialised, or None if the file has none. name: the folder or name from which the model was loaded.
    """

    model: Model
    tokenizer: WordPiece | LibraryTokenizer
    pooler: nn.Linear | None = None
    name: str = "model"

    @property
    def encoder(self) -> Encoder:
        """Return the encoder without its heads."""
        return self.model.encoder

    @property
    def config(self) -> ModelConfig:
        """Return the configuration of the encoder."""
        return self.model.encoder.config

    def __repr__(self) -> str:
        return f"Pretrained({self.name!r}: {summary(self.model)}, {plural(len(self.tokenizer), 'token')})"

    @overload
    def fill_mask(self, text: str, top: int = 5) -> Filled: ...
    @overload
    def fill_mask(self, text: list[str], top: int = 5) -> list[Filled]: ...
    def fill_mask(self, text: str | list[str], top: int = 5) -> Filled | list[Filled]:
        """Return the `top` most probable tokens for each [MASK] in a text, or in each of a list of texts.

        The result has the form of `minibert.fill_mask`.
        """
        if "tokens" not in self.model.heads:
            raise ValueError(f"{self.name} has no head for masked tokens, so it cannot fill in [MASK]")
        found = [fill_masks(self.model, self.tokenizer, one, top) for one in as_texts(text)]
        return found[0] if isinstance(text, str) else found

    def predict(self, *inputs: Any, **named: Any) -> NoReturn:
        """Raise ValueError, because only a fine-tuned model can make predictions for a task."""
        raise ValueError(
            f"{self.name} is a pretrained model without a task: fine-tune it with minibert.finetune, or load "
            "a fine-tuned model"
        )

    def encode(
        self, texts: str | Iterable[str], pooling: Pooling | None = "mean", batch_size: int = 32
    ) -> np.ndarray | list[np.ndarray]:
        """Return the vector of a string, or the vectors of multiple strings; see `minibert.encode`."""
        return encode(
            self.encoder, self.tokenizer, texts, pooling, longest(self.encoder, self.tokenizer), batch_size
        )

    @classmethod
    def load(cls, path_or_name: str | Path) -> "Pretrained":
        """Load a BERT, RoBERTa, ALBERT or ELECTRA from a folder, or from Hugging Face's hub by its name.

        Raises ValueError, naming the file, if the folder is damaged or contains something else.
        """
        folder = find_folder(path_or_name)
        model, lacking = read_model(folder, all_heads, FORMATS)
        tokenizer = load_tokenizer(folder)
        check_vocab(folder, tokenizer, model.encoder.config)
        pair = model.heads["pair"]
        assert isinstance(pair, ClassifierHead)
        pooler = None if "pair.pooler" in lacking else pair.pooler
        for name in list(model.heads):
            if name in lacking or f"{name}.classifier" in lacking:
                del model.heads[name]
        return cls(model, tokenizer, pooler, str(path_or_name))

    def save(self, folder: str | Path, heads: Sequence[str] | None = None) -> None:
        """Save the model to a folder that `minibert.load` and `transformers` can load.

        heads: names of heads to write, or "pooler"; None for all heads. When `transformers` loads the folder,
        it lists the weights that the requested class does not use, as it does for Google's own BERT. To avoid
        this, save heads=["tokens"] for AutoModelForMaskedLM and its pipeline, or ["pooler"] for AutoModel.
        """
        there: dict[str, nn.Module] = dict(self.model.heads.items())
        if self.pooler is not None:
            there["pooler"] = PoolerHead(self.pooler)
        names = list(self.model.heads) if heads is None else list(heads)
        if unknown := [name for name in names if name not in there]:
            raise ValueError(
                f"there is no head {unknown[0]!r}; this model has "
                f"{', '.join(there)}{did_you_mean(unknown[0], there)}"
            )
        kept = nn.ModuleDict({name: there[name] for name in names})
        save_model(self.model.with_part("heads", kept), folder, self.tokenizer)


class PoolerHead(nn.Module):
    """A pooler without a classifier, so that it can be saved alone."""

    role = "pooler"

    def __init__(self, pooler: nn.Linear) -> None:
        super().__init__()
        self.pooler = pooler


def with_pooler(model: Model, tokenizer: WordPiece, name: str) -> Pretrained:
    """Combine a model and its tokenizer in a Pretrained, with the pooler of the next sentence head."""
    pair = model.heads["pair"]
    assert isinstance(pair, ClassifierHead)
    return Pretrained(model, tokenizer, pair.pooler, name)


def all_heads(encoder: Encoder) -> dict[str, nn.Module]:
    """Build every output head that a pretrained model of this architecture may have."""
    heads: dict[str, nn.Module] = {
        "tokens": TokenHead(encoder.config, encoder.embeddings.word),
        "pair": ClassifierHead(encoder.config, 2),
    }
    if isinstance(encoder, ElectraEncoder):
        heads["replaced"] = ReplacedHead(encoder.config)
    return heads


@torch.no_grad()
def fill_masks(model: Model, tokenizer: WordPiece | LibraryTokenizer, text: str, top: int = 5) -> Filled:
    """Predict the token at each [MASK] in a text.

    Returns a list for each [MASK], with the `top` most probable tokens as pairs (token, probability), best
    first. Raises ValueError if the text has no [MASK] or is too long for the model.
    """
    if top < 1:
        raise ValueError(f"top={top} must be at least 1")
    if MASK not in text:
        raise ValueError(f"no [MASK] in {text!r}: write it where the model should predict a word")
    specials, device = tokenizer.specials, next(model.parameters()).device
    ids, types = (
        torch.tensor([row], device=device) for row in pack(ids_with_masks(tokenizer, text), None, specials)
    )  # (1, T)
    visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool, device=device)
    outputs = model.eval()(ids, visible, types, counted=ids == specials.mask)
    probs = outputs["tokens"].float().softmax(-1).cpu()  # (N, V)
    values, indices = probs[:, : len(tokenizer)].topk(min(top, len(tokenizer)))
    return [
        [(tokenizer.vocab[i], float(p)) for i, p in zip(row, ps)] for row, ps in zip(indices.tolist(), values)
    ]


def ids_with_masks(tokenizer: WordPiece | LibraryTokenizer, text: str) -> list[int]:
    """Return the ids of a text in which each [MASK] is the mask token, without [CLS] and [SEP]."""
    if isinstance(tokenizer, LibraryTokenizer):  # it has its own rules for spaces around a mask token
        return tokenizer.encode(text.replace(MASK, tokenizer.vocab[tokenizer.specials.mask])).ids
    parts = [tokenizer.encode(part).ids for part in text.split(MASK)]
    return [i for part in parts for i in [*part, tokenizer.specials.mask]][:-1]
