"""The weights, vocabulary and sizes of a BERT in one buffer: what `bert.js` reads.

The buffer: the length of the header as a 4-byte integer; the header, JSON in UTF-8; then the tensors at the
offsets that it gives, all little-endian. A matrix is one float32 a row, its scale, and then its numbers as
int8, multiples of their row's scale; vectors (biases, LayerNorms) are float32. That is a quarter of the size
of float32, and predictions hardly move.
"""

import json
import struct
from typing import Any

import torch
from torch import Tensor

from minibert.model import Model
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

from .trace import bert_of, pair_head

ALIGNED = 4  # bytes; a browser reads float32 only at such offsets
MOST = 127  # of the multiples of a scale
TIED = "heads.tokens.decoder.weight"  # the word embeddings once more


def pack(model: Model, tokenizer: WordPiece | LibraryTokenizer) -> bytes:
    """The buffer of a BERT with its head for masked tokens and, if it has one, its head for sentence pairs.

    The header has config, vocab, lower_case, max_characters_per_word and tensors ({name as in the state dict:
    [offset after the header, shape, "i8" or "f32"]}). Raises ValueError for a model of another architecture,
    and for a tokenizer that is not WordPiece.
    """
    bert_of(model)
    if not isinstance(tokenizer, WordPiece):
        raise ValueError(f"a tokenizer of class {type(tokenizer).__name__}: the page reads WordPiece only")
    tensors: dict[str, list[Any]] = {}
    parts: list[bytes] = []
    wanted = ("encoder.", "heads.tokens.", *(["heads.pair."] if pair_head(model) else []))
    for key, value in model.state_dict().items():
        if key == TIED or not key.startswith(wanted):
            continue
        kind = "i8" if value.dim() == 2 else "f32"
        tensors[key] = [sum(map(len, parts)), list(value.shape), kind]
        parts.append(padded(matrix(value) if kind == "i8" else numbers(value)))
    header = {
        "config": model.encoder.config.to_dict(),
        "vocab": tokenizer.vocab,
        "lower_case": tokenizer.lower_case,
        "max_characters_per_word": tokenizer.max_characters_per_word,
        "tensors": tensors,
    }
    text = padded(json.dumps(header, ensure_ascii=False).encode(), b" ")
    return struct.pack("<I", len(text)) + text + b"".join(parts)


def matrix(x: Tensor) -> bytes:
    """The scales of the rows, and the numbers as multiples of them."""
    x = x.detach().float().cpu()
    scales = x.abs().amax(dim=1).clamp(min=1e-30) / MOST  # (rows,)
    codes = (x / scales[:, None]).round().to(torch.int8)  # (rows, columns)
    return numbers(scales) + codes.numpy().tobytes()


def numbers(x: Tensor) -> bytes:
    """A tensor as float32."""
    return x.detach().float().cpu().numpy().astype("<f4").tobytes()


def padded(part: bytes, filler: bytes = b"\0") -> bytes:
    """The bytes, filled up to a multiple of ALIGNED."""
    return part + filler * (-len(part) % ALIGNED)


def unpack(buffer: bytes) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read a buffer: (header, float32 tensors by name), as `bert.js` has them."""
    start = struct.calcsize("<I") + struct.unpack_from("<I", buffer)[0]
    header, data = json.loads(buffer[struct.calcsize("<I") : start]), bytearray(buffer[start:])
    tensors = {}
    for name, (offset, shape, kind) in header["tensors"].items():
        values = torch.frombuffer(data, dtype=torch.float32, count=shape[0], offset=offset)
        if kind == "i8":
            after = offset + values.nbytes
            codes = torch.frombuffer(data, dtype=torch.int8, count=shape[0] * shape[1], offset=after)
            values = codes.view(*shape) * values[:, None]
        tensors[name] = values
    return header, tensors
