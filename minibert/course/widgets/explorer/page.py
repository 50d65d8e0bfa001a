"""Write a web page that runs BERT without Python, a server or a network."""

import base64
import json
from pathlib import Path
from string import Template

from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.wording import plural
from minibert.readers.writing import write_text

from ..theme import CSS
from . import EXAMPLE
from .modules import one_script
from .pack import pack

FOLDER = Path(__file__).parent


def write_page(model: Pretrained, path: str | Path, first: str = EXAMPLE, second: str = "") -> int:
    """Write an HTML page in which a BERT runs in the browser, and return the size of the file in bytes.

    first, second: the sentences shown at the start. Raises ValueError unless the model is a BERT with
    WordPiece and a masked-LM head, and OSError, with the file's name, if the file cannot be written.
    """
    try:
        page = page_of(model, first, second)
    except ValueError as error:
        raise ValueError(f"{model.name}: {error}") from None
    write_text(path, page)
    return len(page.encode())


def page_of(model: Pretrained, first: str = EXAMPLE, second: str = "") -> str:
    """Return the HTML page in which a BERT runs in the browser. The arguments are those of `write_page`.

    The vocabulary is encoded in base64, and each < in a sentence is escaped, so that neither can end a script
    element.
    """
    weights, config = pack(model.model, model.tokenizer), model.config
    template = Template((FOLDER / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        layers=plural(config.num_hidden_layers, "layer"),
        heads=plural(config.num_attention_heads, "head"),
        hidden=f"{config.hidden_size:,}",
        tokens=f"{len(model.tokenizer):,}",
        style=CSS,
        sentences=json.dumps([first, second]).replace("<", r"\u003c"),
        weights=base64.b64encode(weights).decode(),
        bert=one_script("worker"),
        view=one_script("view"),
    )
