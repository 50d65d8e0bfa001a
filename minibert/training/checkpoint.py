"""A training state on disk, whole or not at all: parameters, optimiser, random states and the step."""
import os
from pathlib import Path

import torch


def save_checkpoint(path, state):
    """Write a dict of tensors and plain values; the file appears only when it is complete."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(f"{path}.partial")
    torch.save(state, partial)
    os.replace(partial, path)


def load_checkpoint(path):
    """Read what save_checkpoint wrote; nothing in the file is executed. Raises ValueError for a damaged file."""
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path}: truncated or not a checkpoint ({type(error).__name__})") from None
