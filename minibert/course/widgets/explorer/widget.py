"""The explorer in a notebook: the picture of `view.js`, with numbers that the kernel computes.

The browser asks with one message, {id, first, second, masked, off}; the answer is one message, {id, header}
with a trace's bytes as its buffer, or {id, error}.
"""

import html
from typing import Any, Protocol

import anywidget
import traitlets

from minibert.model import Model

from ..theme import CSS
from ..view import beside
from . import EXAMPLE
from .modules import one_script
from .trace import trace


class Loaded(Protocol):
    """What `minibert.load` returns."""

    model: Any
    tokenizer: Any


class Explorer(anywidget.AnyWidget):
    """A whole BERT to walk into: see `explore`."""

    _esm = one_script("widget") + "export default { render: widgetModule.show };\n"
    _css = CSS
    first = traitlets.Unicode().tag(sync=True)
    second = traitlets.Unicode().tag(sync=True)

    def __init__(self, model: Model, tokenizer: Any, first: str, second: str | None) -> None:
        self.bert, self.tokenizer = model, tokenizer
        self.header, _ = trace(model, tokenizer, first, second)  # says at once what cannot be shown
        super().__init__(first=first, second=second or "")
        self.on_msg(self.answer)

    def answer(self, _: Any, question: dict[str, Any], buffers: Any = None) -> None:
        """Send the trace that the browser asks for. What goes wrong is sent, too: the view shows it."""
        asked = question.get("id")
        try:
            header, data = trace(
                self.bert,
                self.tokenizer,
                question["first"],
                question.get("second"),
                question.get("masked", ()),
                question.get("off", ()),
            )
        except ValueError as error:
            self.send({"id": asked, "error": str(error)})
        except Exception as error:
            self.send({"id": asked, "error": f"{type(error).__name__}: {error}"})
        else:
            self.send({"id": asked, "header": header}, [data])

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, and a text for places without a kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), still(self.header))


def still(header: dict[str, Any]) -> str:
    """What a page without a kernel shows, as HTML: the tokens, and what is predicted for masked ones."""
    lines = [
        "The explorer needs a running notebook: run this cell to walk into the model.",
        "Tokens: " + " ".join(header["tokens"]),
    ]
    for place, layers in zip(header["masked"], header["top"]):
        words = ", ".join(f"{word} {share:.0%}" for word, share in layers[-1])
        lines.append(f"Prediction for token {place + 1}: {words}")
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)


def explore(model: "Loaded | tuple[Model, Any]", text: str = EXAMPLE, second: str | None = None) -> Explorer:
    """A widget in which one or two sentences can be followed through a whole BERT, with its numbers.

    model: what `minibert.load` returns for a BERT, or (model, tokenizer), as from
    `minibert.course.models.class_model.class_model`. text, second: the sentences at the start; [MASK] in them
    is the mask token, and without one, the last word is masked. Raises ValueError for a model that is no BERT
    with a head for masked tokens.

    Example:
        minibert.course.widgets.explorer.widget.explore(minibert.load(), "She lives in [MASK].")
    """
    pair = (
        model
        if isinstance(model, tuple)
        else tuple(getattr(model, name, None) for name in ("model", "tokenizer"))
    )
    if len(pair) != 2 or not isinstance(pair[0], Model) or pair[1] is None:
        raise ValueError(
            f"{type(model).__name__} where a pretrained BERT is needed: what minibert.load "
            "returns, or (model, tokenizer)"
        )
    return Explorer(pair[0], pair[1], text, second)
