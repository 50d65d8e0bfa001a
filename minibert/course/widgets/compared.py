"""Choose the models whose predictions for masked tokens are shown: the English model and BERT-base.

Google's BERT-base is shown next to the English model if `minibert download bert-base` has put it into the
user's cache. Nothing is downloaded here, and BERT-base is loaded only when its first prediction is needed.
"""

import html
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from IPython.display import display

ALONE, OURS, BASE = "the model", "our English model", "BERT-base"
ENGLISH, NAME = "english", "bert-base"  # names for `minibert.load`
COMMAND = f"minibert download {NAME}"
OFFER = (
    "Google's BERT-base is not on this computer. To see its predictions next to those of our English model, "
    "run {} in a terminal once (440 MB), then run this cell again."
)
Answer = TypeVar("Answer")
Fills = list[list[tuple[str, float]]]  # for each [MASK], (word, probability) pairs, most likely first


def compared_models(model: Any) -> dict[str, Callable[[], Any]]:
    """Return {name to show: function that returns the model} for the models whose predictions are shown.

    model: the first of these models, as returned by `minibert.load`. If it is the English model, BERT-base
    comes second, provided that it is in the user's cache.
    """
    base = bert_base() if getattr(model, "name", None) == ENGLISH else {}
    return {OURS if base else ALONE: lambda: model, **base}


def with_bert_base(models: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given models by name, followed by BERT-base if it is in the user's cache."""
    return {**models, **{name: load() for name, load in bert_base().items()}}


def bert_base() -> dict[str, Callable[[], Any]]:
    """Return {name of BERT-base: function that loads it} if BERT-base is in the user's cache.

    Otherwise, return an empty dict and, once per Python process, display how to download BERT-base.
    """
    from minibert.model.checkpoints.files import cached_folder

    folder = cached_folder(NAME)
    if folder is None:
        offer()
        return {}
    return {BASE: partial(loaded, folder)}


@cache
def loaded(folder: Path) -> Any:
    """Load a pretrained model from a folder; later calls return the same model."""
    from minibert.model.checkpoints.pretrained import Pretrained

    return Pretrained.load(folder)


@cache
def offer() -> None:
    """Display how to download BERT-base; later calls do nothing."""
    line = OFFER.format(f"<code>{COMMAND}</code>")
    shown = f"<details><summary>Compare with BERT-base</summary>{line}</details>"
    display({"text/html": shown, "text/plain": OFFER.format(f"`{COMMAND}`")}, raw=True)


def for_each_model(model: Any, ask: Callable[[Any], Answer]) -> dict[str, Answer]:
    """Call `ask` on each model of `compared_models(model)`, and return the results by model name."""
    return {name: ask(load()) for name, load in compared_models(model).items()}


def predictions(model: Any, text: str, top: int = 5) -> dict[str, Fills]:
    """Return each compared model's `top` most likely words for every [MASK] in `text`, by model name."""
    return for_each_model(model, lambda one: one.fill_mask(text, top))


def first_gap(model: Any, text: str) -> dict[str, list[tuple[str, float]]]:
    """Return {model name: (word, probability) pairs for the first [MASK] in `text`} for each model."""
    return {name: gaps[0] for name, gaps in predictions(model, text).items()}


def titled(name: str) -> str:
    """Return a model's name with a capital letter, for the start of a line."""
    return name[:1].upper() + name[1:]


def labelled(drawn: Mapping[str, str]) -> str:
    """Join HTML about one or more models, with each model's name above its part.

    drawn: {model name: HTML}; a single part is returned unchanged. The parts are side by side if the page is
    wide enough, and otherwise stacked.
    """
    if len(drawn) == 1:
        return "".join(drawn.values())
    parts = "".join(
        f'<div style="max-width:100%"><p style="margin:4px 0"><b>{html.escape(titled(name))}</b></p>'
        f"{part}</div>"
        for name, part in drawn.items()
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:0 24px">{parts}</div>'
