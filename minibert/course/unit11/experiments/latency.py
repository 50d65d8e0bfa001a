"""What is timed: a model on random tokens, in PyTorch or in ONNX Runtime.

A model's time depends on its shape and on the program that runs it, not on its weights.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.model.checkpoints.onnx_files import INPUTS, write_onnx
from minibert.model.heads import Model

SHAPES = {"one": (1, 32), "batch": (8, 32)}  # sequences and tokens


class OnnxModel(nn.Module):
    """An ONNX file in the form of a Model, run by ONNX Runtime on one thread."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        import onnxruntime

        self.path = path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session: Any = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        self.outputs = [output.name for output in self.session.get_outputs()]
        self.place = nn.Parameter(torch.empty(0), requires_grad=False)  # the device

    def forward(self, input_ids: Tensor, visible: Tensor | None, token_type_ids: Tensor) -> dict[str, Tensor]:
        """Return {head name: logits}; the arguments are those of a Model."""
        real = torch.ones_like(input_ids) if visible is None else visible.any(dim=1).long()
        arrays = (array.numpy() for array in (input_ids, real, token_type_ids))
        found = self.session.run(self.outputs, dict(zip(INPUTS, arrays)))
        return dict(zip(self.outputs, map(torch.from_numpy, found)))


def onnx_file(model: Model, path: Path, int8: bool = False) -> Path:
    """Return the path of a model's ONNX file, which is written if it does not exist."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_onnx(model, path, {}, int8)
    return path


def call(model: nn.Module, B: int, T: int) -> Callable[[], Any]:
    """Return a function that runs a model on B sequences of T random tokens without padding."""
    ids = torch.from_numpy(np.random.default_rng(0).integers(1000, 20_000, size=(B, T)))
    inputs = {
        "input_ids": ids,
        "visible": torch.ones(B, T, T, dtype=torch.bool),
        "token_type_ids": torch.zeros_like(ids),
    }
    model.eval()

    @torch.no_grad()
    def run() -> Any:
        return model(**inputs)

    return run
