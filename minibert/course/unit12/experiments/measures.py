"""Measure one model on texts; most functions return one value for each unit.

A unit is a sentence, a pair of sentences, a word or a part of the text. `findings.interval` resamples units
to estimate how much a mean varies by chance. The axes are explained in `models`.
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from minibert.analysis.attribution import attention_gradient, no_op, own_and_neighbours, transformed_values
from minibert.analysis.contextuality import anisotropy, intra_sentence_similarity, word_variances
from minibert.analysis.definitions import (
    effective_attention,
    head_importance,
    self_similarity,
    token_attribution,
)
from minibert.analysis.heads import scores_with_one_head, scores_without_head
from minibert.analysis.identifiability import identified, linear_map, raw_and_effective
from minibert.analysis.patterns import CLASSES, attention_to, classify, entropy, head_distances
from minibert.model.attention import split_heads

from .models import Pass, Subject, answering, gated, look, losses, masked, value_weighted

PAIRS, SENTENCES, PARTS = 16, 120, 6
PROJECTIONS = 8  # random directions that replace the D numbers of a hidden state
LONG_ENOUGH = 18  # tokens of a sentence whose gradients are taken
ENOUGH = 4  # occurrences of a word whose vectors are compared


def middle(L: int) -> list[int]:
    """Return the indices of the layers that correspond to layers 6 to 10 in a model with 12 layers.

    >>> middle(12), middle(6), middle(3)
    ([5, 6, 7, 8, 9], [2, 3, 4], [1, 2])
    """
    return [i for i in range(L) if math.ceil(6 * L / 12) <= i + 1 <= math.ceil(10 * L / 12)]


def pair_passes(subject: Subject, count: int = PAIRS) -> list[Pass]:
    """Run the model on `count` pairs of sentences, and return the arrays of each forward pass."""
    return [look(subject, *pair) for pair in subject.pairs(count)]


def patterns(passes: list[Pass]) -> np.ndarray:
    """Return the kind of attention pattern of each head for each pair of sentences, (pairs, L, H)."""
    return np.stack([classify(one.probs, one.special, one.segments) for one in passes])


def simple_heads(passes: list[Pass]) -> np.ndarray:
    """Return the share of heads with a simple attention pattern for each pair of sentences, (pairs,)."""
    return (patterns(passes) != CLASSES[-1]).mean(axis=(1, 2))


def is_sep(one: Pass) -> np.ndarray:
    """Return whether each token of a forward pass is [SEP], (T,) bool."""
    return one.special & (np.arange(len(one.special)) > 0)


def is_punctuation(one: Pass) -> np.ndarray:
    """Return whether each token of a forward pass is a full stop or comma, (T,) bool."""
    return np.isin(one.tokens, [".", ","])


def targets(passes: list[Pass]) -> dict[str, np.ndarray]:
    """Return {kind of token: share of attention to it in each layer (L,)}.

    The kinds are [CLS], [SEP] and punctuation. Shares are averaged over heads and pairs of sentences.
    """

    def share(chosen):
        return np.mean([attention_to(one.probs, chosen(one)).mean(axis=-1) for one in passes], axis=0)

    return {
        "[CLS]": share(lambda one: np.arange(len(one.special)) == 0),
        "[SEP]": share(is_sep),
        ". and ,": share(is_punctuation),
    }


def sep_share(passes: list[Pass]) -> np.ndarray:
    """Return the share of attention to [SEP] in the middle layers, for each pair of sentences, (pairs,)."""
    return np.array([attention_to(one.probs[middle(len(one.probs))], is_sep(one)).mean() for one in passes])


def special_token_shares(subject: Subject, passes: list[Pass]) -> np.ndarray:
    """Return the share of [CLS] and [SEP] in attention weights and in weighted values, (pairs, L, 2)."""

    def shares(one, layer):
        out = subject.attentions[layer].out.weight.numpy()
        return [
            x.mean() for x in no_op(one.probs[layer], transformed_values(one.values[layer], out), one.special)
        ]

    return np.array([[shares(one, layer) for layer in range(len(one.probs))] for one in passes])


def gradient_ratio(subject: Subject, count: int = PAIRS) -> np.ndarray:
    """Return the ratio of the loss's gradients for attention to [CLS] and [SEP] and to other tokens.

    The result is (pairs, L).
    """
    result = []
    for first, second in subject.pairs(count):
        asked = masked(subject, [f"{first} {second}"], np.random.default_rng(len(first)))
        x, probs = subject.encoder.embeddings(asked.ids, asked.segments).requires_grad_(), []
        for layer in subject.encoder.layers:
            x, found = layer(x)
            probs.append(found)
        gradients = torch.autograd.grad(losses(subject, x, asked).sum(), probs)
        special = np.zeros(asked.ids.shape[1], bool)
        special[[0, -1]] = True
        result.append(
            [
                attention_gradient(one[0].numpy(), special).mean()
                / attention_gradient(one[0].numpy(), ~special).mean()
                for one in gradients
            ]
        )
    return np.array(result)


def entropy_drop(passes: list[Pass]) -> np.ndarray:
    """Return the attention entropy of the first layer minus the mean of the others, in nats, (pairs,)."""
    found = np.array([entropy(one.probs).mean(axis=-1) for one in passes])  # (pairs, L)
    return found[:, 0] - found[:, 1:].mean(axis=1)


def distances(one: Pass) -> np.ndarray:
    """Return the Jensen-Shannon distances in nats between heads, averaged over tokens, (L H, L H)."""
    return head_distances(one.probs) / len(one.tokens)


def between_within_ratio(passes: list[Pass]) -> np.ndarray:
    """Return the ratio of mean head distances between and within layers for each pass, (pairs,)."""
    result = []
    for one in passes:
        L, H = one.probs.shape[:2]
        layer, apart = np.repeat(np.arange(L), H), distances(one)
        same = np.equal.outer(layer, layer) & ~np.eye(L * H, dtype=bool)
        result.append(apart[layer[:, None] != layer].mean() / apart[same].mean())
    return np.array(result)


def long_texts(subject: Subject, count: int) -> list[str]:
    """Return `count` texts, each made of four documents."""
    documents = subject.documents
    return [
        " ".join(s for at in range(i, i + 4) for s in documents[at % len(documents)])
        for i in range(0, 4 * count, 4)
    ]


def effective_by_length(subject: Subject, lengths: tuple[int, ...], count: int = 4) -> np.ndarray:
    """Return the correlation between raw and effective attention, averaged over heads, (count, lengths).

    lengths: the numbers of tokens to which each of `count` texts is truncated.
    """
    result = []
    for text in long_texts(subject, count):
        one = look(subject, text)
        parts = [(one.probs[..., :n, :n], one.values[:, :, :n]) for n in lengths]
        result.append(
            [
                np.nanmean([raw_and_effective(p / p.sum(-1, keepdims=True), v) for p, v in zip(*both)])
                for both in parts
            ]
        )
    return np.array(result)


def all_tokens(subject: Subject, count: int = SENTENCES) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the hidden states (L + 1, N, D), ids (N,) and sentence numbers (N,) of a text's tokens.

    The text is the first `count` sentences of the model's documents.
    """
    passes = [look(subject, text) for text in subject.sentences(count)]
    number = {token: i for i, token in enumerate(subject.tokenizer.vocab)}
    kept = [~one.special for one in passes]
    return (
        np.concatenate([one.hidden[:, keep] for one, keep in zip(passes, kept)], axis=1),
        np.array(
            [
                number[token]
                for one in passes
                for token in one.tokens
                if not token.startswith("[CLS") and token != "[SEP]"
            ]
        ),
        np.repeat(np.arange(len(passes)), [keep.sum() for keep in kept]),
    )


def identifiable_share(layers: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """Return the share of tokens that can be recognised from the last layer, for each part of the text.

    A token is recognised if a linear map, fitted on other sentences, brings its last hidden state closest to
    its own input embedding.
    """
    inputs, last, result = layers[0], layers[-1], []
    for part in range(PARTS):
        held = sentence % PARTS == part
        result.append(identified(linear_map(last, inputs, ~held), inputs, sentence)[held].mean())
    return np.array(result)


def jacobian(subject: Subject, text: str, layer: int, rng: np.random.Generator) -> np.ndarray:
    """Return the gradient of a layer's hidden states with respect to the inputs, (T, PROJECTIONS, T, D).

    The D numbers of each hidden state are projected onto random directions, which takes a fiftieth of the
    time and hardly changes the shares of norms.
    """
    ids = [
        subject.tokenizer.specials.cls,
        *subject.tokenizer.encode(text).ids[:LONG_ENOUGH],
        subject.tokenizer.specials.sep,
    ]
    start = subject.encoder.embeddings(torch.tensor([ids]), torch.zeros(1, len(ids), dtype=torch.long))
    x = start.requires_grad_()
    for one in subject.encoder.layers[:layer]:
        x, _ = one(x)
    T, D = x.shape[1:]
    wanted = x.new_zeros(T, PROJECTIONS, 1, T, D)
    for t in range(T):
        wanted[t, :, 0, t] = torch.from_numpy(rng.normal(size=(PROJECTIONS, D))).float()
    (found,) = torch.autograd.grad(x, start, wanted.flatten(0, 1), is_grads_batched=True)
    return found.view(T, PROJECTIONS, T, D).numpy()


def jacobians(subject: Subject, layer: int, count: int = 8) -> list[np.ndarray]:
    return [
        jacobian(subject, text, layer, np.random.default_rng(i))
        for i, text in enumerate(subject.sentences(count))
    ]


def own_share(found: list[np.ndarray]) -> np.ndarray:
    """Return the mean share of a token's own input in its hidden state, for each sentence.

    found: the result of `jacobian` for each sentence.
    """
    return np.array([np.diagonal(token_attribution(one)[0]).mean() for one in found])


def near_over_far(found: list[np.ndarray]) -> np.ndarray:
    """Return, for each sentence, how much direct neighbours contribute relative to tokens 5 or more away.

    found: the result of `jacobian` for each sentence.
    """
    by_distance = [token_attribution(one)[1] for one in found]
    return np.array([one[1] / one[5:].mean() for one in by_distance if len(one) > 8])


def contributions(found: list[np.ndarray], farthest: int = 8) -> np.ndarray:
    """Return the mean contribution of tokens that are 0, 1, ..., `farthest` away, (farthest + 1,).

    found: the result of `jacobian` for each sentence.
    """
    return own_and_neighbours(found, farthest)[0]


def without_each_head(subject: Subject, count: int = PAIRS) -> tuple[np.ndarray, np.ndarray]:
    """Return the loss of each of N sentences with all heads, (N,), and without each head, (L, H, N)."""
    evaluate = gated(subject, masked(subject, subject.sentences(count), np.random.default_rng(0)))
    return evaluate(np.ones(subject.sizes)), scores_without_head(evaluate, *subject.sizes)


def with_each_head_alone(
    subject: Subject, texts: list[str], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each of N masked tokens is predicted correctly, with all or with selected heads.

    Returns (N,) bool for all heads, and (L, H, N) bool for keeping only one head in one layer.
    """
    evaluate = answering(subject, masked(subject, texts, rng))
    return evaluate(np.ones(subject.sizes)), scores_with_one_head(evaluate, *subject.sizes)


def share_removable(change: np.ndarray) -> float:
    """Return the share of heads whose removal changes the mean loss by less than 0.05 nats.

    change: how much the loss of each sentence changes without each head, (N, heads).
    """
    return float((np.abs(change.mean(axis=0)) < 0.05).mean())


def importance(
    subject: Subject, texts: list[str], seed: int = 0, gate: np.ndarray | None = None
) -> np.ndarray:
    """Return the importance of each head, (L, H), as in `minibert.analysis.definitions.head_importance`.

    gate: (L, H), 0 for heads that are already removed; their importance is 0.
    """
    asked, kept, H = masked(subject, texts, np.random.default_rng(seed)), [], subject.sizes[1]
    on = torch.ones(subject.sizes) if gate is None else torch.from_numpy(gate).float()
    x: Tensor = subject.encoder.embeddings(asked.ids, asked.segments).requires_grad_()

    def keep(_, inputs):
        kept.append(inputs[0])

    hooks = [attention.out.register_forward_pre_hook(keep) for attention in subject.attentions]
    for layer, heads in zip(subject.encoder.layers, on):
        x, _ = layer(x, asked.visible, heads)
    for hook in hooks:
        hook.remove()
    gradients = torch.autograd.grad(losses(subject, x, asked).sum(), kept)
    contexts, derivatives = (
        np.stack([split_heads(one.detach(), H).numpy() for one in some]) for some in (kept, gradients)
    )
    return head_importance(contexts, derivatives)  # (L, H)


def by_part(
    layers: np.ndarray, sentence: np.ndarray, measure: Callable[[np.ndarray, np.ndarray], float]
) -> np.ndarray:
    """Return measure(vectors, sentence numbers) for each part of the text in each layer, (PARTS, L + 1).

    layers: (L + 1, N, D). sentence: (N,).
    """
    parts = [sentence % PARTS == part for part in range(PARTS)]
    return np.array([[measure(x[part], sentence[part]) for x in layers] for part in parts])


def cone(layers: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """Return the anisotropy of each part of the text in each layer, (PARTS, L + 1)."""
    return by_part(layers, sentence, lambda x, _: anisotropy(x))


def sentence_similarity(layers: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """Return intra-sentence similarity minus anisotropy by part of the text and layer, (PARTS, L + 1)."""
    return by_part(layers, sentence, intra_sentence_similarity) - cone(layers, sentence)


def word_similarity(layers: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Return each frequent word's self-similarity minus the baseline in each layer, (words, L + 1)."""
    words, counts = np.unique(ids, return_counts=True)
    similar = [self_similarity(x, ids) for x in layers]
    return np.array([[one[word] for one in similar] for word in words[counts >= ENOUGH].tolist()])


def word_variance(x: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Return each frequent word's maximum explainable variance minus that of random vectors, (words,).

    There are as many random vectors as occurrences of the word.
    """
    return word_variances(x, ids, ENOUGH)


def attention_views(subject: Subject, one: Pass) -> dict[str, np.ndarray]:
    """Return {kind of attention: weights (L, H, T, T)} for "raw", "effective" and "value-weighted".

    Value-weighted attention is scaled so that its rows sum to 1.
    """
    moved = value_weighted(subject, one)
    return {
        "raw": one.probs,
        "effective": np.stack([effective_attention(p, v) for p, v in zip(one.probs, one.values)]),
        "value-weighted": moved / moved.sum(axis=-1, keepdims=True),
    }
