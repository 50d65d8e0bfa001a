"""minibert: a small, readable BERT, and the course around it (Devlin et al., 2019, arXiv 1810.04805).

    import minibert
    bert = minibert.load()                                      # or a folder, or a name on Hugging Face's hub
    bert.fill_mask("She lives in [MASK].")

`__all__` is all that a user needs; `help(minibert.load)` has an example, like each of the functions. PyTorch
is loaded by the first call, not by importing this package, `minibert.reference`, `minibert.data.batch` or
`minibert.course`.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import evaluate, fill_mask, finetune, load, predict, pretrain, world
    from .config import ModelConfig
    from .model import Encoder

# PyTorch's threads wait for one another many times a step. On Linux (libgomp) they keep their cores busy
# meanwhile: with one other busy program a step takes many times as long, unless they soon go to sleep. OpenMP
# on macOS and Windows yields by itself. libgomp reads this when PyTorch is loaded.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")

__version__ = "0.1.0"
__all__ = [
    "Encoder",
    "ModelConfig",
    "evaluate",
    "fill_mask",
    "finetune",
    "load",
    "predict",
    "pretrain",
    "world",
]
# where a name is defined, if not in .api
_MODULES = {"ModelConfig": ".config", "Encoder": ".model"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, ".api"), __name__), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
