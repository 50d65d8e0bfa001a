"""Pack the weights, vocabulary and sizes of a BERT into one buffer, which `bert.js` reads.

The buffer holds the length of the header as a 4-byte integer, the header as JSON in UTF-8, and the tensors at
the offsets given in the header. All numbers are little-endian. A matrix is stored as one float32 scale per
row, followed by its numbers as int8 multiples of their row's scale. Vectors (biases and LayerNorms) are
float32. This takes a quarter of the space of float32 and hardly changes the predictions.
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

ALIGNED = 4  # bytes; a browser can read float32 only at multiples of this offset
MOST = 127  # the largest multiple of a scale
TIED = "heads.tokens.decoder.weight"  # left out, because it is the same as the word embeddings


def pack(model: Model, tokenizer: WordPiece | LibraryTokenizer) -> bytes:
    """Pack a BERT with its masked-LM head and any head for sentence pairs into bytes for the browser.

    The bytes begin with a header, which has the keys config, vocab, the tokenizer's settings and tensors. The
    last maps names in the state dict to [offset after the header, shape, "i8" or "f32"]. Raises
    ValueError for any other architecture, and for a tokenizer that is not WordPiece.
    """
    bert_of(model)
    if not isinstance(tokenizer, WordPiece):
        raise ValueError(
            f"the tokenizer is of class {type(tokenizer).__name__}, but the page needs a WordPiece tokenizer"
            + (f" ({tokenizer.why})" if isinstance(tokenizer, LibraryTokenizer) else "")
        )
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
        "strip_accents": tokenizer.basic.strip_accents,
        "tokenize_chinese_chars": tokenizer.basic.tokenize_chinese_chars,
        "max_characters_per_word": tokenizer.max_characters_per_word,
        "tensors": tensors,
    }
    text = padded(json.dumps(header, ensure_ascii=False).encode(), b" ")
    return struct.pack("<I", len(text)) + text + b"".join(parts)


def matrix(x: Tensor) -> bytes:
    """Return a matrix as bytes: a scale for each row, then the numbers as int8 multiples of these scales."""
    x = x.detach().float().cpu()
    scales = x.abs().amax(dim=1).clamp(min=1e-30) / MOST  # (rows,)
    codes = (x / scales[:, None]).round().to(torch.int8)  # (rows, columns)
    return numbers(scales) + codes.numpy().tobytes()


def numbers(x: Tensor) -> bytes:
    """Return the bytes of a tensor as float32."""
    return x.detach().float().cpu().numpy().astype("<f4").tobytes()


def padded(part: bytes, filler: bytes = b"\0") -> bytes:
    """Pad bytes with `filler` to a multiple of ALIGNED."""
    return part + filler * (-len(part) % ALIGNED)


def unpack(buffer: bytes) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read the bytes that `pack` wrote, and return (header, float32 tensors by name)."""
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
