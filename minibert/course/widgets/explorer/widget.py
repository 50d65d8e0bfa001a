"""Show the explorer in a notebook, where `view.js` draws the numbers that the kernel computes.

The browser sends a message {id, first, second, masked, off, model}. The answer is a message {id, header} with
the bytes of a trace as its buffer, or {id, error}.
"""

import html
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import anywidget
import traitlets

from minibert.model import Model

from ..compared import compared_models, titled
from ..theme import CSS
from ..view import beside
from . import EXAMPLE
from .modules import one_script
from .trace import trace


class Loaded(Protocol):
    """A model with its tokenizer, as returned by `minibert.load`."""

    model: Any
    tokenizer: Any


class Explorer(anywidget.AnyWidget):
    """A widget that shows every number that BERT computes for one or two sentences."""

    _esm = one_script("widget") + "export default { render: widgetModule.show };\n"
    _css = CSS
    first = traitlets.Unicode().tag(sync=True)
    second = traitlets.Unicode().tag(sync=True)
    models = traitlets.List(traitlets.Unicode()).tag(sync=True)  # names to choose from, or one name
    brief = traitlets.Bool().tag(sync=True)

    def __init__(
        self, loads: Mapping[str, Callable[[], Any]], first: str, second: str | None, brief: bool
    ) -> None:
        self.loads = list(loads.values())
        self.header, _ = trace(*parts(self.loads[0]()), first, second)  # raises an error early
        names = [titled(name) for name in loads]
        super().__init__(first=first, second=second or "", models=names, brief=brief)
        self.on_msg(self.answer)

    def answer(self, _: Any, question: dict[str, Any], buffers: Any = None) -> None:
        """Answer a message from the browser with the numbers of a forward pass, or with an error message.

        question: the sentences and options of the pass, as for `trace`, and the model's index in `models`.
        """
        asked = question.get("id")
        try:
            header, data = trace(
                *parts(self.loads[question.get("model", 0)]()),
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
        """Return Jupyter's display data: the live widget, and static HTML for pages without a kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), still(self.header))


def still(header: dict[str, Any]) -> str:
    """Return a static HTML view with the tokens and predictions, for a page without a Python kernel.

    header: the header that `trace` returns.
    """
    lines = [
        "The explorer needs a running notebook. Run this cell to explore the model.",
        "Tokens: " + " ".join(header["tokens"]),
    ]
    for place, layers in zip(header["masked"], header["top"]):
        words = ", ".join(f"{word} {share:.0%}" for word, share in layers[-1])
        lines.append(f"Prediction for token {place + 1}: {words}")
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)


def explore(
    model: "Loaded | tuple[Model, Any]", text: str = EXAMPLE, second: str | None = None, brief: bool = False
) -> Explorer:
    """Return a widget that shows every number that BERT computes for one or two sentences.

    model: a BERT as returned by `minibert.load`, or (model, tokenizer), as returned by
    `minibert.course.models.class_model.class_model`. text, second: the sentences shown at the start, in which
    [MASK] is the mask token; if there is none, the last word is masked. brief: True to leave out sentence B,
    next sentence prediction, the vector of [CLS], and all norms. The widget can switch between the
    English model and BERT-base if BERT-base has been downloaded. Raises ValueError unless the model is a BERT
    with a masked-LM head.

    Example: minibert.course.widgets.explorer.widget.explore(minibert.load(), "She lives in [MASK].")
    """
    parts(model)
    return Explorer(compared_models(model), text, second, brief)


def parts(model: "Loaded | tuple[Model, Any]") -> tuple[Model, Any]:
    """Return (model, tokenizer); raise ValueError if one of them is missing or has the wrong type."""
    pair = (
        model
        if isinstance(model, tuple)
        else tuple(getattr(model, name, None) for name in ("model", "tokenizer"))
    )
    if len(pair) != 2 or not isinstance(pair[0], Model) or pair[1] is None:
        raise ValueError(
            f"the model is of type {type(model).__name__}; pass a BERT from minibert.load, or "
            "(model, tokenizer)"
        )
    return pair[0], pair[1]
