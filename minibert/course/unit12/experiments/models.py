"""The three models that lesson 12 compares: an English encoder, the course's own, and a random one.

The random model has the English encoder's shape. A property that all three share comes from the architecture
or the measure. Axes: B sequences, L layers, H heads, T tokens, K head size, D hidden, N masked tokens.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from minibert.analysis.attribution import transformed_values, weighted_norms
from minibert.analysis.heads import Evaluate
from minibert.api import load
from minibert.course.models.class_model import WORLD_SEED, class_model
from minibert.course.models.elmo_gpt_bert import load_trained
from minibert.course.texts.passages import passages
from minibert.data.batch import collate, pack, visible_all, visible_causal
from minibert.generated import World
from minibert.model import Encoder, Model, TokenHead
from minibert.model.attention import MultiHeadAttention, split_heads
from minibert.model.checkpoints.pretrained import Pretrained, ids_with_masks

LONGEST = 100  # tokens of a sequence; the course's own model can read that many
MASKED = 0.2  # share of a sequence's tokens that are masked to measure the loss
NAMES = ENGLISH, OWN, RANDOM = "English", "the course's", "random weights"


@dataclass(frozen=True, eq=False)
class Subject:
    """A model to analyse, with its name, its tokenizer, and documents in its language."""

    name: str
    model: Model
    tokenizer: Any  # a FastWordPiece, which reports the word of each token
    documents: list[list[str]]

    @property
    def encoder(self) -> Encoder:
        """Return the model's encoder, without output heads."""
        return self.model.encoder

    @property
    def sizes(self) -> tuple[int, int]:
        """Return the number of layers and the number of heads in each, (L, H)."""
        return self.encoder.config.num_hidden_layers, self.encoder.config.num_attention_heads

    @property
    def attentions(self) -> list[MultiHeadAttention]:
        """Return the attention modules of all layers."""
        return [cast(MultiHeadAttention, layer.attention) for layer in self.encoder.layers]

    def sentences(self, count: int) -> list[str]:
        """Return the first `count` sentences of at least four words in the documents."""
        return [text for document in self.documents for text in document if text.count(" ") > 2][:count]

    def pairs(self, count: int) -> list[tuple[str, str]]:
        """Return the first two sentences of each of the first `count` documents."""
        return [(one[0], one[1]) for one in self.documents if len(one) > 1][:count]


class Pass(NamedTuple):
    """The arrays of one forward pass.

    tokens: T strings. words: the index of each token's word, (T,), -1 for [CLS] and [SEP]. segments: (T,)
    ids. special: (T,) bool, True for [CLS] and [SEP]. hidden: hidden states (L + 1, T, D). probs: attention
    weights (L, H, T, T). values: (L, H, T, K).
    """

    tokens: list[str]
    words: np.ndarray
    segments: np.ndarray
    special: np.ndarray
    hidden: np.ndarray
    probs: np.ndarray
    values: np.ndarray


def weights_of(subject: Subject) -> str:
    """Return a fingerprint that identifies a model's weights in stored results."""
    state, digest = subject.encoder.state_dict(), hashlib.sha256()
    for key in sorted(state):
        digest.update(state[key].numpy().tobytes()[:4096])
    return digest.hexdigest()[:12]


def readable(model: Model) -> Model:
    """Return a copy of the model with the slower kind of encoder, which can return attention weights."""
    encoder = Encoder(model.encoder.config)
    encoder.load_state_dict(model.encoder.state_dict())
    own = Model(encoder, {"tokens": TokenHead(encoder.config, encoder.embeddings.word)})
    own.heads["tokens"].load_state_dict(model.heads["tokens"].state_dict())
    return own.eval().requires_grad_(False)


def english() -> Subject:
    """Return the English encoder with its MLM head, or the course's own model if there is no English one."""
    found = load("english")
    documents = [one.sentences for one in passages()] if found.name == "english" else generated()
    return Subject(ENGLISH, readable(found.model), found.tokenizer, documents)


def own() -> Subject:
    """Return the course's own model, pretrained on the generated language."""
    model, tokenizer = class_model()
    return Subject(OWN, readable(model), tokenizer, generated())


def random_weights(like: Subject, seed: int) -> Subject:
    """Return an untrained model with the shape, tokenizer and documents of the model `like`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        encoder = Encoder(like.encoder.config)
        model = Model(encoder, {"tokens": TokenHead(encoder.config, encoder.embeddings.word)})
    return Subject(RANDOM, model.eval().requires_grad_(False), like.tokenizer, like.documents)


def generated(count: int = 120) -> list[list[str]]:
    """Return documents in the generated language that no model was trained on, as lists of sentences."""
    return [
        one.sentences
        for one in World(WORLD_SEED).documents(count, seed=12, split="test")
        if len(one.sentences) > 1
    ]


def look(subject: Subject, first: str, second: str | None = None) -> Pass:
    """Run a model on a sentence or a pair of sentences, and return the arrays of the forward pass.

    Longer texts are truncated to LONGEST tokens.
    """
    tokenizer = subject.tokenizer
    a, b = tokenizer.encode(first).ids, None if second is None else tokenizer.encode(second).ids
    ids, segments = pack(a[: LONGEST - 2], b, tokenizer.specials)
    return arrays(subject, ids[:LONGEST], segments[:LONGEST])


def look_at_words(subject: Subject, words: Sequence[str]) -> Pass:
    """Run a model on a list of words, without truncating it, and return the arrays of the forward pass."""
    encoding = subject.tokenizer.encode_words(list(words))
    ids, segments = pack(encoding.ids, None, subject.tokenizer.specials)
    return arrays(subject, ids, segments)._replace(words=np.array([-1, *encoding.words, -1]))


@torch.no_grad()
def arrays(subject: Subject, ids: Sequence[int], segments: Sequence[int]) -> Pass:
    """Run the encoder on token ids and segment ids, and return the arrays of the forward pass.

    Each token counts as a word.
    """
    specials, vocab = subject.tokenizer.specials, subject.tokenizer.vocab
    out = subject.encoder(torch.tensor([ids]), None, torch.tensor([segments]))
    H = subject.sizes[1]
    values = [
        split_heads(attention.value(x), H)[0].numpy()
        for attention, x in zip(subject.attentions, out["layers"])
    ]
    special = np.isin(ids, (specials.cls, specials.sep))
    return Pass(
        [vocab[i] for i in ids],
        np.where(special, -1, np.cumsum(~special) - 1),
        np.array(segments),
        special,
        np.stack([x[0].numpy() for x in out["layers"]]),
        np.stack([x[0].numpy() for x in out["probs"]]),
        np.stack(values),
    )


def word_vectors(one: Pass) -> np.ndarray:
    """Return one vector per word, the mean over its tokens, (L + 1, words, D)."""
    member = (one.words[:, None] == np.arange(one.words.max() + 1)).astype(np.float32)  # (T, W)
    return np.einsum("tw,ltd->lwd", member / member.sum(axis=0), one.hidden)


def read_words(subject: Subject, text: Sequence[list[str]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the vectors (L + 1, N, D), words (N,) and sentence numbers (N,) of the N words of a text.

    text: sentences as lists of words. Words are returned as numbers.
    """
    return (
        np.concatenate([word_vectors(look_at_words(subject, words)) for words in text], axis=1),
        np.unique([word.lower() for words in text for word in words], return_inverse=True)[1],
        np.repeat(np.arange(len(text)), [len(words) for words in text]),
    )


def value_weighted(subject: Subject, one: Pass) -> np.ndarray:
    """Return the norm of each token's contribution to each other token in each head, (L, H, T, T)."""
    return np.stack(
        [
            weighted_norms(probs, transformed_values(values, attention.out.weight.numpy()))
            for attention, probs, values in zip(subject.attentions, one.probs, one.values)
        ]
    )


class Masked(NamedTuple):
    """B sequences of T tokens, some of them masked: tensors of ids, segments and attention masks.

    where: the positions (sequence, token) of the N masked tokens, (N, 2). right: the original ids, (N,).
    """

    ids: Tensor
    segments: Tensor
    visible: Tensor
    where: Tensor
    right: Tensor


def masked(subject: Subject, texts: Sequence[str], rng: np.random.Generator) -> Masked:
    """Return texts with a random share MASKED of their tokens masked, at least one in each text."""
    specials = subject.tokenizer.specials
    rows = [subject.tokenizer.encode(text).ids[: LONGEST - 2] for text in texts]
    batch = collate([(row, None) for row in rows], specials)
    where = np.array(
        [
            (b, 1 + t)
            for b, row in enumerate(rows)
            for t in sorted(rng.permutation(len(row))[: max(1, round(MASKED * len(row)))])
        ]
    )
    ids = batch.input_ids.copy()
    right = ids[tuple(where.T)]
    ids[tuple(where.T)] = specials.mask
    return Masked(*map(torch.from_numpy, (ids, batch.token_type_ids, visible_all(batch.real), where, right)))


def masked_logits(subject: Subject, hidden: Tensor, asked: Masked) -> Tensor:
    """Return the logits of the masked tokens, (N, V). hidden: the last layer's states (B, T, D)."""
    return subject.model.heads["tokens"](hidden[asked.where[:, 0], asked.where[:, 1]])


def losses(subject: Subject, hidden: Tensor, asked: Masked) -> Tensor:
    """Return the mean loss on the masked tokens of each sequence, (B,).

    hidden: the last layer's states (B, T, D).
    """
    each = torch.nn.functional.cross_entropy(
        masked_logits(subject, hidden, asked), asked.right, reduction="none"
    )  # (N,)
    zero = each.new_zeros(len(asked.ids))
    return zero.index_add(0, asked.where[:, 0], each) / zero.index_add(
        0, asked.where[:, 0], torch.ones_like(each)
    )


def gated_hidden(subject: Subject, asked: Masked) -> Callable[[np.ndarray], Tensor]:
    """Return a function that maps a gate (L, H) to the last layer's hidden states (B, T, D).

    A gate is 0 for heads that are removed, and 1 for the others.
    """
    layers = subject.encoder.layers
    with torch.no_grad():
        whole = [subject.encoder.embeddings(asked.ids, asked.segments)]
        for layer in layers:
            whole.append(layer(whole[-1], asked.visible)[0])

    def hidden(gate: np.ndarray) -> Tensor:
        changed = (gate != 1).any(axis=1)
        first = int(changed.argmax()) if changed.any() else len(gate)
        x = whole[first]
        for i in range(first, len(gate)):
            x, _ = layers[i](x, asked.visible, torch.from_numpy(gate[i]).float())
        return x

    return hidden


def gated(subject: Subject, asked: Masked) -> Evaluate:
    """Return a function that maps a gate (L, H), 0 for removed heads, to the losses (B,)."""
    hidden = gated_hidden(subject, asked)
    return torch.no_grad()(lambda gate: losses(subject, hidden(gate), asked).numpy())


def answering(subject: Subject, asked: Masked) -> Evaluate:
    """Return a function from a gate (L, H), 0 if removed, to whether each prediction is right, (N,) bool."""
    hidden = gated_hidden(subject, asked)
    return torch.no_grad()(
        lambda gate: (masked_logits(subject, hidden(gate), asked).argmax(-1) == asked.right).numpy()
    )


@torch.no_grad()
def mask_probs(subject: Subject | Pretrained, text: str, words: Sequence[str]) -> dict[str, float | None]:
    """Return {word: its probability at [MASK]}, with None for words of multiple tokens.

    subject: a Subject, or a model from `minibert.load`. Raises ValueError unless the text has exactly one
    [MASK].
    """
    tokenizer = subject.tokenizer
    ids = [tokenizer.specials.cls, *ids_with_masks(tokenizer, text), tokenizer.specials.sep]
    places = [at for at, i in enumerate(ids) if i == tokenizer.specials.mask]
    if len(places) != 1:
        raise ValueError(f"the text must contain exactly one [MASK], but contains {len(places)}: {text!r}")
    out = subject.encoder(torch.tensor([ids]), None, torch.zeros(1, len(ids), dtype=torch.long))
    probs = subject.model.heads["tokens"](out["hidden"][0, places[0]]).softmax(-1)
    spelled = {word: tokenizer.encode(word).ids for word in words}
    return {word: probs[found[0]].item() if len(found) == 1 else None for word, found in spelled.items()}


@torch.no_grad()
def twin_vectors(name: str, count: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the hidden states (L + 1, N, D), ids (N,) and text numbers (N,) of tokens in `count` texts.

    name: "ELMo", "GPT" or "BERT", one of the models of lesson 9.
    """
    model, tokenizer, _ = load_trained(name)
    layers, every, number = [], [], []
    lives = [
        one.sentences for one in World(WORLD_SEED).documents(25 * count, 12, "test") if one.kind == "life"
    ]
    for at, life in enumerate(lives[:count]):
        ids, _ = pack(tokenizer.encode(" ".join(life)).ids[:100], None, tokenizer.specials)
        real = np.ones((1, len(ids)), bool)
        visible = torch.from_numpy(visible_causal(real) if name == "GPT" else visible_all(real))
        out = model.encoder(torch.tensor([ids]), visible, torch.zeros(1, len(ids), dtype=torch.long))
        layers.append(np.stack([x[0, 1:-1].numpy() for x in out["layers"]]))
        every += ids[1:-1]
        number += [at] * (len(ids) - 2)
    return np.concatenate(layers, axis=1), np.array(every), np.array(number)
