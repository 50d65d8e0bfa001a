"""A small, readable BERT (Devlin et al., 2019, arXiv 1810.04805), and a course about it.

    import minibert
    bert = minibert.load()                                      # or a folder, or a name on Hugging Face's hub
    bert.fill_mask("She lives in [MASK].")

`__all__` lists the public API; `help(minibert.load)` and so on show an example each. The first call loads
PyTorch; importing this package does not.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import encode, evaluate, export, fill_mask, finetune, load, predict, pretrain, push, world
    from .config import ModelConfig
    from .model import Encoder

# PyTorch's threads wait for each other many times per step. On Linux (libgomp), they spin while they wait, so
# a step takes many times as long if another busy program runs. With this setting, they soon go to sleep
# instead. OpenMP on macOS and Windows yields by itself. libgomp reads the setting when PyTorch is loaded.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")

__version__ = "0.1.0"
__all__ = [
    "Encoder",
    "ModelConfig",
    "encode",
    "evaluate",
    "export",
    "fill_mask",
    "finetune",
    "load",
    "predict",
    "pretrain",
    "push",
    "world",
]
# The module of each name that is not defined in .api.
_MODULES = {"ModelConfig": ".config", "Encoder": ".model"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, ".api"), __name__), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
