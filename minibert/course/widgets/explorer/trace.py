"""Compute all numbers of one forward pass through BERT, for the explorer to draw.

The model is described by Devlin et al. (2019, arXiv 1810.04805), section 3. The forward pass is implemented
again here, because `Encoder` does not return queries or scores. `bert.js` computes the same numbers in a
browser. Axes: L layers, H heads, T tokens, K head size, D hidden, F feed-forward, V vocabulary.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from minibert.data.batch import pack
from minibert.data.packing import truncate_pair
from minibert.model import (
    ClassifierHead,
    Encoder,
    EncoderLayer,
    FastEncoder,
    Model,
    TokenHead,
    merge_heads,
    split_heads,
)
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.readers.wording import plural
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

TOP = 5  # predictions for a masked token
LONGEST = 128  # tokens per pass, because the attention matrices grow with the square of this number
DTYPES = {"f32": "<f4", "f16": "<f2"}
HALF = ("inner",)  # the widest array is sent in float16, and all others in float32
Off = Sequence[Sequence[Any]]  # items ["layer", layer] and ["head", layer, head], counted from 0


@torch.no_grad()
def trace(
    model: Model,
    tokenizer: WordPiece | LibraryTokenizer,
    first: str,
    second: str | None = None,
    masked: Sequence[int] = (),
    off: Off = (),
) -> tuple[dict[str, Any], bytes]:
    """Run a BERT on one or two sentences, and return all numbers that it computes as (header, data).

    first, second: the sentences, in which "[MASK]" is the mask token. A blank second sentence is ignored.
    masked: positions of other tokens to mask. off: the parts to switch off: ["head", layer, head] sets the
    output of a head to 0, and ["layer", layer] passes the hidden states on unchanged (the layer's own numbers
    are then 0).

    The header has these keys:

    - tokens, types: the tokens and their segment ids.
    - special: True for [CLS] and [SEP].
    - masked: all positions of [MASK].
    - cut: the number of tokens left out because the text exceeds LONGEST or the model's limit.
    - sizes: the sizes of the model and the number of tokens.
    - arrays: {name: [offset in bytes, shape, "f32" or "f16"]}.
    - top: for each masked position and each layer, starting with the embeddings, the TOP pairs [token,
      probability] of the output head.
    - was: for each masked position, the probability of the original token at each layer, or None if [MASK]
      is in the text itself.
    - nsp: [probability that the second sentence is the next one, that it is a random one], or None without
      such a head or a second sentence.

    The arrays are token, segment, position (T, D); hidden (L + 1, T, D); query, key, value, context (L, H, T,
    K); scores, probs (L, H, T, T); attended, norm1, fed (L, T, D); inner (L, T, F); and, if there is a head
    for sentence pairs, pooled (D,), its vector of [CLS].

    Raises ValueError unless the model is a BERT with a masked-LM head, and for items of `masked` or `off`
    that do not exist in this pass.
    """
    encoder, config = bert_of(model), model.encoder.config
    parts_off = check_off(off, config.num_hidden_layers, config.num_attention_heads)
    ids, types, cut = read(tokenizer, first, second, min(LONGEST, config.max_position_embeddings))
    special = [i in (tokenizer.specials.cls, tokenizer.specials.sep) for i in ids]
    before = {place: ids[place] for place in check_masked(masked, special)}
    for place in before:
        ids[place] = tokenizer.specials.mask
    device = encoder.embeddings.word.weight.device
    numbers = run(encoder, torch.tensor(ids, device=device), torch.tensor(types, device=device), parts_off)
    places = [place for place, i in enumerate(ids) if i == tokenizer.specials.mask]
    nsp = None
    if pair := next_sentence(model, numbers["hidden"][-1]):
        numbers["pooled"] = pair[0]
        nsp = pair[1] if 1 in types else None
    arrays, data = message(numbers)
    top, was = predictions(
        model.heads["tokens"],
        numbers["hidden"][:, places],
        tokenizer.vocab,
        [before.get(place) for place in places],
    )
    header = {
        "tokens": [tokenizer.vocab[i] for i in ids],
        "types": types,
        "special": special,
        "masked": places,
        "cut": cut,
        "sizes": {
            "layers": config.num_hidden_layers,
            "heads": config.num_attention_heads,
            "hidden": config.hidden_size,
            "inner": config.intermediate_size,
            "tokens": len(ids),
        },
        "arrays": arrays,
        "nsp": nsp,
        "top": top,
        "was": was,
    }
    return header, data


def bert_of(model: Model) -> Encoder:
    """Return the encoder of a BERT with a masked-LM head; raise ValueError for any other model."""
    kind = type(model.encoder)
    if kind not in (Encoder, FastEncoder):
        raise ValueError(f"the encoder is of class {kind.__name__}, but the explorer needs BERT's Encoder")
    if "tokens" not in model.heads or not isinstance(model.heads["tokens"], TokenHead):
        raise ValueError(f"the heads are {list(model.heads)}; the explorer needs the masked-LM head 'tokens'")
    return model.encoder


def read(
    tokenizer: WordPiece | LibraryTokenizer, first: str, second: str | None, longest: int
) -> tuple[list[int], list[int], int]:
    """Return (token ids, segment ids, number of tokens left out) for one or two sentences.

    longest: the maximum number of tokens.
    """
    a = ids_with_masks(tokenizer, first)
    b = ids_with_masks(tokenizer, second) if second and second.strip() else None
    kept_a, kept_b = truncate_pair(a, b or [], longest - (2 if b is None else 3))
    ids, types = pack(kept_a, None if b is None else kept_b, tokenizer.specials)
    return ids, types, len(a) + len(b or []) - len(kept_a) - len(kept_b)


def check_masked(masked: Sequence[int], special: Sequence[bool]) -> Sequence[int]:
    """Return `masked`, a list of positions; raise ValueError if any of them does not hold a word.

    special: for each position, True for a special token.
    """
    for place in masked:
        if not isinstance(place, int) or not 0 <= place < len(special) or special[place]:
            raise ValueError(
                f"masked: {place!r} is not the position of a word; with these {len(special)} tokens, it must "
                f"be one of {[i for i, alone in enumerate(special) if not alone]}"
            )
    return masked


def check_off(off: Off, layers: int, heads: int) -> list[list[Any]]:
    """Return `off`, the parts of a model to switch off, as a list of lists.

    Raises ValueError for a layer or head that the model does not have.
    """
    known: list[list[Any]] = [["layer", i] for i in range(layers)]
    known += [["head", i, h] for i in range(layers) for h in range(heads)]
    for part in off:
        if isinstance(part, str) or not isinstance(part, Sequence) or list(part) not in known:
            raise ValueError(
                f'off: {part!r} is neither ["layer", layer] nor ["head", layer, head] in a model with '
                f"{plural(layers, 'layer')} of {plural(heads, 'head')}, counted from 0"
            )
    return [list(part) for part in off]


def run(encoder: Encoder, ids: Tensor, types: Tensor, off: Off) -> dict[str, Tensor]:
    """Run an encoder, and return all arrays that it computes, by name.

    ids, types: token ids and segment ids (T,). off: the parts to switch off, as for `trace`.
    """
    table = encoder.embeddings
    numbers = {
        "token": table.word(ids),
        "segment": table.token_type(types),
        "position": table.position.weight[: len(ids)],
    }  # (T, D) each
    x = table.norm(numbers["token"] + numbers["position"] + numbers["segment"])
    hidden, layers = [x], []
    H, blocks = encoder.config.num_attention_heads, cast(Iterable[EncoderLayer], encoder.layers)
    for i, layer in enumerate(blocks):
        heads_on = torch.tensor([["head", i, h] not in off for h in range(H)], device=x.device)
        found = run_layer(layer, x, heads_on)
        if ["layer", i] in off:
            found = {name: torch.zeros_like(value) for name, value in found.items()}
            found["norm1"] = found["hidden"] = x
        x = found.pop("hidden")
        hidden.append(x)
        layers.append(found)
    stacked = {name: torch.stack([found[name] for found in layers]) for name in layers[0]}
    return {**numbers, "hidden": torch.stack(hidden), **stacked}


def run_layer(layer: EncoderLayer, x: Tensor, heads_on: Tensor) -> dict[str, Tensor]:
    """Run one layer, and return all arrays that it computes, by name.

    x: the layer's input (T, D). heads_on: (H,) bool, False for heads to switch off.
    """
    attention, H = layer.attention, layer.attention.num_heads
    query, key, value = (
        split_heads(project(x)[None], H)[0] for project in (attention.query, attention.key, attention.value)
    )  # (H, T, K)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (H, T, T)
    probs = scores.softmax(dim=-1)  # (H, T, T)
    context = probs @ value * heads_on[:, None, None]  # (H, T, K)
    attended = attention.out(merge_heads(context[None])[0])  # (T, D)
    norm1 = layer.attention_norm(x + attended)  # (T, D)
    inner = F.gelu(layer.feed_forward.up(norm1))  # (T, F)
    fed = layer.feed_forward.down(inner)  # (T, D)
    return {
        "query": query,
        "key": key,
        "value": value,
        "scores": scores,
        "probs": probs,
        "context": context,
        "attended": attended,
        "norm1": norm1,
        "inner": inner,
        "fed": fed,
        "hidden": layer.feed_forward_norm(norm1 + fed),
    }


def predictions(
    head: torch.nn.Module,
    hidden: Tensor,
    vocab: Sequence[str],
    before: Sequence[int | None],
) -> tuple[list[list[list[list[Any]]]], list[list[float] | None]]:
    """Return the most likely tokens and the original token's probability at each masked position and layer.

    hidden: (L + 1, M, D) for M masked positions. before: the id of the original token at each position, or
    None for a [MASK] in the input. Returns two lists with an item for each position: first, for each layer,
    TOP pairs [token, probability]; second, the probability of the original token at each layer, or None. The
    output head was trained on the last layer; applied to earlier layers, it shows what they would already
    predict ("logit lens").
    """
    probs = head(hidden).float().softmax(-1)[..., : len(vocab)].cpu()  # (L + 1, M, V)
    values, indices = probs.topk(min(TOP, len(vocab)))
    top = [
        [
            [[vocab[i], p] for i, p in zip(row, ps)]
            for row, ps in zip(indices[:, m].tolist(), values[:, m].tolist())
        ]
        for m in range(hidden.shape[1])
    ]
    return top, [None if i is None else probs[:, m, i].tolist() for m, i in enumerate(before)]


def pair_head(model: Model) -> ClassifierHead | None:
    """Return a model's head for next sentence prediction, or None if it has none."""
    if "pair" not in model.heads:
        return None
    pair = model.heads["pair"]
    return pair if isinstance(pair, ClassifierHead) and pair.classifier.out_features == 2 else None


def next_sentence(model: Model, hidden: Tensor) -> tuple[Tensor, list[float]] | None:
    """Return (pooled [CLS] vector (D,), the two probabilities of next sentence prediction), or None.

    hidden: (T, D), the output of the last layer. Returns None if the model has no head for sentence pairs.
    """
    pair = pair_head(model)
    if pair is None:
        return None
    pooled = pair.pooler(hidden[0]).tanh()
    return pooled, pair.classifier(pooled).float().softmax(-1).tolist()


def message(numbers: Mapping[str, Tensor]) -> tuple[dict[str, list[Any]], bytes]:
    """Pack arrays, and return ({name: [offset in bytes, shape, "f32" or "f16"]}, bytes).

    float16 arrays come last, to keep the others aligned.
    """
    where: dict[str, list[Any]] = {}
    parts: list[bytes] = []
    for name in sorted(numbers, key=lambda name: name in HALF):
        kind = "f16" if name in HALF else "f32"
        where[name] = [sum(map(len, parts)), list(numbers[name].shape), kind]
        parts.append(numbers[name].float().cpu().numpy().astype(DTYPES[kind]).tobytes())
    return where, b"".join(parts)
