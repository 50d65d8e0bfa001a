"""Models as ONNX files, which ONNX Runtime runs without PyTorch, in 32-bit numbers or with 8-bit integers.

ONNX: https://onnx.ai. The integers are ONNX Runtime's: a scale for each output of a matrix, and activations
quantised dynamically, as in `minibert.finetuning.compression.quantization`. Axes: B sequences, T tokens.
"""

import copy
import json
import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.readers.writing import naming

from ..fast import FastEncoder
from ..heads import Model
from ..low_rank import without_adapters
from ..transfer import device_of

INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # (B, T) int64 each; the names of Hugging Face
TOLERANCE = 1e-4  # of the largest logit, or of 1 if all are smaller
PACKAGES = ("onnx", "onnxruntime", "onnxscript")


class ExportedModel(nn.Module):
    """A Model with the inputs of Hugging Face, computed by the readable encoder, whose graph is simple."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        on_cpu = device_of(model).type == "cpu"
        self.model = without_adapters(model if on_cpu else copy.deepcopy(model).cpu())

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, ...]:
        """Return the logits of each head; attention_mask: (B, T), 0 for padding and 1 for other tokens."""
        encoder: Any = self.model.encoder
        run = super(FastEncoder, encoder).forward if isinstance(encoder, FastEncoder) else encoder
        visible = attention_mask.bool()[:, None].expand(-1, input_ids.shape[1], -1)  # (B, T, T)
        known = {**run(input_ids, visible, token_type_ids), "visible": visible, "counted": None}
        return tuple(self.model.read(known).values())


def check_packages() -> None:
    """Raise ValueError, with a remedy, if a package of the extra `onnx` is missing."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise ValueError(
            f"ONNX files need the packages {', '.join(PACKAGES)}, but {' and '.join(missing)} cannot be "
            f"imported; install them with: pip install 'minibert[onnx]'"
        )


def write_onnx(model: Model, path: str | Path, about: Mapping[str, Any], int8: bool = False) -> float:
    """Write a model to an ONNX file and return how far its logits are from PyTorch's, for random tokens.

    The inputs are INPUTS, with any number of sequences and tokens; the outputs have the names of the heads.
    about: plain values for the file's metadata, such as {"labels": ["no", "yes"]}; each is stored as JSON.
    int8: quantise all matrices, including the embeddings. Raises ValueError if the extra `onnx` is missing,
    or if the model cannot be exported; and if 32-bit logits differ by more than TOLERANCE.
    """
    check_packages()
    import onnx

    path, exported = Path(path), ExportedModel(model.eval()).eval()
    with naming(path), TemporaryDirectory(dir=path.parent) as scratch, quiet():
        partial = Path(scratch, path.name)
        graph = graph_of(exported)
        if int8:
            graph = quantized(graph, partial)
        onnx.helper.set_model_props(graph, {name: json.dumps(value) for name, value in about.items()})
        onnx.save(graph, partial)
        difference = largest_difference(exported, partial)
        if not (int8 or difference <= TOLERANCE):
            raise ValueError(f"{path}: ONNX Runtime's logits differ from PyTorch's by {difference:.2g}")
        os.replace(partial, path)
    return difference


def graph_of(exported: ExportedModel) -> Any:
    """Return a model as an ONNX graph with variable B and T. Raises ValueError if that is impossible."""
    example = inputs_of(exported.model.encoder, 2, 3)
    axes = {0: torch.export.Dim("sequences"), 1: torch.export.Dim("tokens")}
    try:
        program = torch.onnx.export(
            exported,
            tuple(map(torch.from_numpy, example.values())),
            input_names=list(INPUTS),
            output_names=list(exported.model.heads),
            dynamic_shapes=tuple(axes for _ in INPUTS),
            verbose=False,
        )
    except Exception as error:  # of many classes, from torch.export or the converter
        kind = type(exported.model.encoder).__name__
        raise ValueError(f"a model with an encoder of class {kind} cannot be exported ({error})") from None
    assert program is not None  # it is, if no file is named
    return program.model_proto


def quantized(graph: Any, scratch: Path) -> Any:
    """Return an ONNX graph with int8 weights. scratch: a file that may be overwritten."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(graph, scratch, per_channel=True, weight_type=QuantType.QInt8)
    return onnx.load(scratch)


def run_onnx(path: str | Path, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return {head name: logits} of a file, computed on the CPU. inputs: arrays named as in INPUTS."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(inputs))))


@torch.no_grad()
def largest_difference(exported: ExportedModel, path: Path) -> float:
    """Return the largest difference of logits between PyTorch and a file, relative to the largest logit."""
    worst = 0.0
    for B, T in ((1, 4), (3, 9)):
        inputs = inputs_of(exported.model.encoder, B, T)
        expected = exported(*map(torch.from_numpy, inputs.values()))
        for found, theirs in zip(run_onnx(path, inputs).values(), expected):
            size = max(1.0, float(theirs.abs().max()))
            worst = max(worst, float(np.abs(found - theirs.numpy()).max()) / size)
    return worst


def inputs_of(encoder: Any, B: int, T: int) -> dict[str, np.ndarray]:
    """Return random inputs for a check; the last token of the first sequence is padding."""
    ids = np.random.default_rng(0).integers(encoder.config.vocab_size, size=(B, T))
    mask = np.ones_like(ids)
    mask[0, -1] = 0
    return dict(zip(INPUTS, (ids, mask, np.zeros_like(ids))))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the warnings and log lines of the exporter and of ONNX Runtime's quantisation."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
