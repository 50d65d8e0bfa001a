"""From tokens to vectors: sequences of one or two texts, padding, the sum of three embeddings.

Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2. Axes: B batch, T tokens, D hidden, V
vocabulary, N sentences.
"""

import html
from collections.abc import Callable, Sequence
from functools import cache

import ipywidgets as widgets
import numpy as np
import torch

from minibert.data.batch import pack
from minibert.data.packing import truncate_pair
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.reference import encoder_layer, layer_norm, softmax
from minibert.reference.encoder import sub
from minibert.reference.heads import token_head

from ...models.english import english
from ...texts.passages import passages
from ...widgets.guess import GAP, columns_html, sentence_box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.model_input import embedding_sum, input_table, padding_maps
from ...widgets.plots import bars
from ...widgets.try_it import checked_examples, either
from ...widgets.view import Controls, Drawing
from .reading import our_longest, split_by

LONGEST = 60  # tokens of a sequence
SHOWN = 8  # numbers of a vector
TEXTS = "The dog chased the cat.", "The cat climbed a tree."
RINGING = "She picked up the [MASK].", "It was ringing."
AWAY = 100  # positions


def our_pack(a: Sequence[str], b: Sequence[str]) -> tuple[list[str], list[int]]:
    first, second = ["[CLS]", *a, "[SEP]"], [*b, "[SEP]"] if b else []
    return first + second, [0] * len(first) + [1] * len(second)


def our_add_up(
    ids: Sequence[int], segments: Sequence[int], word: np.ndarray, position: np.ndarray, segment: np.ndarray
) -> np.ndarray:
    return word[ids] + position[: len(ids)] + segment[segments]


def tokens_of(text: str, longest: Callable = our_longest) -> list[str]:
    """Split a text into tokens with a student's function, with each [MASK] as one token."""
    tokens: list[str] = []
    for part in text.split(GAP):
        words = english().tokenizer.basic.split(part)
        tokens += [piece for word in words for piece in split_by(longest, word.text)] + [GAP]
    return tokens[:-1]


def text_boxes(first: str, second: str) -> dict[str, widgets.Text]:
    """Return the controls for two texts, of which the second may be empty."""
    boxes = {"first": sentence_box(first), "second": sentence_box(second)}
    for name, box in boxes.items():
        box.description = name.title()
    return boxes


def sequence(pack: Callable) -> Controls:
    """Show the sequence of one or two texts, packed by the student's function.

    It is padded or truncated to a length.
    """
    used, whose = either(pack, our_pack)

    def draw(first: str, second: str, length: int) -> str:
        a, b = texts = tokens_of(first), tokens_of(second)
        room = length - len(our_pack([], b)[0]) + len(b)  # without [CLS] and [SEP]
        kept = [len(places) for places in truncate_pair(range(len(a)), range(len(b)), room)]
        tokens, segments = used(*(text[:n] for text, n in zip(texts, kept)))
        pads = length - len(tokens)
        real = [True] * len(tokens) + [False] * pads
        said = f"{len(tokens)} tokens, and {pads} [PAD] to fill {length} places."
        shown = input_table([*tokens, *["[PAD]"] * pads], [*segments, *[0] * pads], real, said)
        cuts = [
            f"the {name} text loses <s>{html.escape(' '.join(text[n:]))}</s>"
            for name, text, n in zip(("first", "second"), texts, kept)
            if text[n:]
        ]
        lost = f"<p>Truncated: {', '.join(cuts)}.</p>" if cuts else ""
        return f"<p>{whose}</p>{shown}{lost}"

    return Controls(
        draw,
        **text_boxes(*TEXTS),
        length=widgets.BoundedIntText(18, min=5, max=LONGEST, description="Length"),
    )


@cache
def sentences() -> list[str]:
    """Return the N sentences of the forty passages."""
    return [sentence for passage in passages() for sentence in passage.sentences]


def batched(lengths: np.ndarray, size: int) -> np.ndarray:
    """Return (N, longest) numbers: 1 for a token, 0 for padding, -1 outside the batch."""
    ends = np.concatenate(
        [[part.max()] * len(part) for part in np.split(lengths, range(size, len(lengths), size))]
    )
    place = np.arange(lengths.max())
    return np.where(place < lengths[:, None], 1, np.where(place < ends[:, None], 0, -1))


def padding() -> Controls:
    """Show the padding of the passages' sentences in batches, in their order and sorted by length."""
    lengths = np.array([len(english().tokenizer.encode(text).ids) + 2 for text in sentences()])

    def draw(size: int) -> Drawing:
        maps = {
            "as they come": batched(lengths, size),
            "sorted by length": batched(np.sort(lengths), size),
        }
        shares = [f"{(real == 0).sum() / (real >= 0).sum():.0%}" for real in maps.values()]
        title = (
            f"{len(lengths)} sentences in batches of {size}: {shares[0]} padding, or {shares[1]} if sorted"
        )
        return padding_maps(maps, title)

    return Controls(
        draw, size=widgets.Dropdown(options=[1, 4, 16, 32, 100], value=32, description="Batch size")
    )


@cache
def weights() -> dict[str, np.ndarray]:
    """Return the English model's parameters by name."""
    return {name: weight.numpy() for name, weight in english().model.state_dict().items()}


def tables() -> list[np.ndarray]:
    """Return the three tables of embeddings: word (V, D), position (longest sequence, D), segment (2, D)."""
    return [weights()[f"encoder.embeddings.{name}.weight"] for name in ("word", "position", "token_type")]


def embedding() -> Controls:
    """Show the first numbers of the three embeddings of one token, and of their sum."""

    def draw(first: str, second: str, place: int) -> Drawing:
        tokens, segments = our_pack(tokens_of(first), tokens_of(second))
        if not 0 <= place < len(tokens):
            raise ValueError(
                f"the sequence has {len(tokens)} tokens: choose a position up to {len(tokens) - 1}"
            )
        word, position, segment = tables()
        token, kind = tokens[place], segments[place]
        parts = {
            f"word “{token}”": word[english().tokenizer.ids[token]],
            f"position {place}": position[place],
            f"segment {'AB'[kind]}": segment[kind],
        }
        total = np.sum(list(parts.values()), axis=0)  # (D,)
        normed = layer_norm(total, sub(weights(), "encoder.embeddings.norm"))
        title = f"“{token}” at position {place}: the first {SHOWN} of {len(total)} numbers, rounded"
        return embedding_sum(
            {name: row[:SHOWN] for name, row in parts.items()}, total[:SHOWN], normed[:SHOWN], title
        )

    return Controls(
        draw,
        **text_boxes(*TEXTS),
        place=widgets.BoundedIntText(1, min=0, max=LONGEST, description="Position"),
    )


def fill(vectors: np.ndarray, at: int) -> np.ndarray:
    """Return the probability (V,) of each token at position `at`, from the sums (T, D) of embeddings.

    Everything after the sum is the English model's: LayerNorm, the layers, the output head.
    """
    config, p = english().config, sub(weights(), "encoder")
    x = layer_norm(vectors, sub(p, "embeddings.norm"))[None]  # (1, T, D)
    for number in range(config.num_hidden_layers):
        x, _ = encoder_layer(x, sub(p, f"layers.{number}"), config.num_attention_heads)
    return softmax(token_head(x[:, at], sub(weights(), "heads.tokens")))[0]


def gapped(text: str, most: int) -> tuple[list[int], list[int]]:
    """Return the ids of a text with every seventh token masked if it is a whole word, and the masked ids.

    most: the text is cut after so many tokens.
    """
    tokenizer = english().tokenizer
    tokens, _ = our_pack(tokenizer.encode(text).pieces[:most], [])
    ids, masked = [], []
    for at, token in enumerate(tokens):
        chosen = at % 7 == 3 and token.isalpha() and not tokens[at + 1].startswith("##")
        masked += [tokenizer.ids[token]] * chosen
        ids.append(tokenizer.specials.mask if chosen else tokenizer.ids[token])
    return ids, masked


@cache
@torch.no_grad()
def changed() -> tuple[dict[str, float], int]:
    """Return the accuracy in masked words with the inputs as trained, and with other segments or positions.

    The second result is the number of masked words, in the first two sentences of each passage.
    """
    hits: dict[str, list[torch.Tensor]] = {}
    away = min(AWAY, len(tables()[1]) // 4)
    for passage in passages():
        row, masked = gapped(" ".join(passage.sentences[:2]), len(tables()[1]) - away - 2)
        ids, places = torch.tensor([row]), torch.arange(len(row))[None]  # (1, T)
        inputs = {  # positions, and the segment of every token
            "no change": (places, 0),
            "everything is in segment B": (places, 1),
            f"the positions are {away}, {away + 1}, {away + 2} …": (places + away, 0),
            "every position is 0": (0 * places, 0),
        }
        for name, (position_ids, kind) in inputs.items():
            types, counted = torch.full_like(ids, kind), ids == english().tokenizer.specials.mask
            logits = english().model(ids, None, types, counted=counted, position_ids=position_ids)["tokens"]
            hits.setdefault(name, []).append(logits.argmax(-1) == torch.tensor(masked))
    joined = {name: torch.cat(found) for name, found in hits.items()}
    return {name: found.float().mean().item() for name, found in joined.items()}, len(joined["no change"])


def guess_change() -> GuessChoice:
    """Ask which change of the embeddings the English model hardly notices."""

    def see() -> Drawing:
        shares, count = changed()
        title = f"At {count} [MASK] tokens, another segment changes little; the positions matter"
        return bars(list(shares), list(shares.values()), "right predictions", title, 1, form="{:.1%}")

    return GuessChoice(
        "A single text is in segment A, at positions 0, 1, 2 … Which change harms the predictions least?",
        [
            "everything is in segment B",
            f"the positions are {AWAY}, {AWAY + 1}, {AWAY + 2} …",
            "every position is 0",
        ],
        lambda: max(list(changed()[0])[1:], key=changed()[0].__getitem__),
        see=see,
    )


def top_words(probs: np.ndarray) -> list[tuple[str, float]]:
    """Return the five most probable tokens, with their probabilities (V,)."""
    return [(english().tokenizer.vocab[i], float(probs[i])) for i in np.argsort(-probs)[:5]]


@torch.no_grad()
def by_package(first: str, second: str) -> list[tuple[str, float]]:
    """Return the package's five most probable tokens for the gap in one or two texts."""
    tokenizer = english().tokenizer
    a, b = (ids_with_masks(tokenizer, text) for text in (first, second))
    ids, types = (torch.tensor([row]) for row in pack(a, b or None, tokenizer.specials))  # (1, T)
    logits = english().model(ids, None, types, counted=ids == tokenizer.specials.mask)["tokens"]
    return top_words(logits[0].softmax(-1).numpy())


def owner(mine: Callable) -> str:
    """Return as HTML whether the student's function is used, or why the course's is used instead."""
    name, checked = f"<code>{mine.__name__}</code>", checked_examples(mine)
    wrong = sum(not one.right for one in checked)
    if not wrong:
        return f"your {name}"
    if not any(one.got for one in checked):
        return f"the course's {name}, because yours is not written yet"
    return f"the course's {name}, because yours is wrong on {wrong} of {len(checked)} examples"


def with_mine(longest: Callable, pack: Callable, add_up: Callable) -> Controls:
    """Fill a gap with an input made by the student's three functions, in the English model.

    A function that is not right yet is replaced by ours, and the sentence above says so. The package's
    predictions are shown for comparison if one of the functions is the student's.
    """
    mine: list[Callable] = [longest, pack, add_up]
    ours: list[Callable] = [our_longest, our_pack, our_add_up]
    used = [either(yours, our)[0] for yours, our in zip(mine, ours)]
    right = [function in mine for function in used]
    said = "Tokens: {}. Sequence: {}. Vectors: {}.".format(*map(owner, mine))
    if not all(right):
        said += " Write what is missing, then run this cell again."

    def draw(first: str, second: str) -> str:
        tokens, segments = used[1](tokens_of(first, used[0]), tokens_of(second, used[0]))
        if tokens.count(GAP) != 1 or len(tokens) > LONGEST:
            raise ValueError(f"write texts with one [MASK], and up to {LONGEST} tokens together")
        ids = [english().tokenizer.ids[token] for token in tokens]
        probs = fill(used[2](ids, segments, *tables()), tokens.index(GAP))
        answers = {"with these functions": top_words(probs)}
        if any(right):
            answers["the package"] = by_package(first, second)
        return f"<p><b>{said}</b></p>{columns_html(answers)}"

    return Controls(draw, **text_boxes(*RINGING))
