"""The known mistakes about GPT's visibility and ELMo's mix of layers, each as a small wrong implementation.

Radford et al. (2018), section 3.1; Peters et al. (2018, arXiv 1802.05365), equation (1). Axes: B batch, T
tokens, L layers.
"""
import numpy as np

from minibert.reference import softmax

from ..engine.base import Mistake, pairs


def as_keys(real):
    return real[:, None, :]


def as_queries(real):
    return real[:, :, None]


def visible(last=0, who=as_keys, turned=False):
    """Causal visibility with some pieces replaced. last: how far to the right a token sees; who: what padding
    hides.
    """
    def wrong(real):
        T = real.shape[1]
        left = np.tril(np.ones((T, T), bool), last)
        return (left.T if turned else left) & who(real)
    return wrong


def unseen_padding(real):
    return np.ones_like(real)[:, None, :]


VISIBLE = (
    Mistake("this is turned round: each token sees those on its right. Rows are queries: query t sees keys "
            "s <= t.",
            visible(turned=True)),
    Mistake("a token does not see itself. It may: what it predicts is the next one.", visible(-1)),
    Mistake("a token sees one place too far: the very token that it is to predict. Its last key is itself.",
            visible(1)),
    Mistake("padding is not hidden: `real` says which keys there are to look at.",
            visible(who=unseen_padding)),
    Mistake("you use `real` for the queries, the rows. Padding is hidden as a key: use `real[:, None, :]`.",
            visible(who=as_queries)),
    Mistake("you also empty the rows of padding. These queries see the real keys on their left like any "
            "other; nobody reads "
            "what they find.", visible(who=lambda real: as_keys(real) & as_queries(real))),
    Mistake("every token sees every real one: that is BERT's visibility. Here the right side is hidden.",
            lambda real: np.repeat(as_keys(real), real.shape[1], axis=1)),
    Mistake(
        "you hide the last places, as many as there is padding. It may stand anywhere: `real` says where.",
            visible(who=lambda real: as_keys(np.arange(real.shape[1]) < real.sum(1, keepdims=True)))),
    Mistake("a row is missing its own batch: all rows get the padding of the first.", visible(
        who=lambda real: np.broadcast_to(real[:1, None, :], (len(real), 1, real.shape[1])))),
    *pairs(visible, (dict(last=-1), "a token does not see itself"),
           (dict(last=1), "a token sees the one after it"),
           (dict(who=unseen_padding), "padding is not hidden"),
           (dict(who=as_queries), "`real` is used for the queries, not for the keys")),
)


def mix(share=softmax, scale=lambda gamma, layers: gamma):
    """The mix with a piece replaced. share(weights): of each layer; scale: what the sum is multiplied by."""
    def wrong(layers, weights, gamma):
        shares = share(np.asarray(weights, float))
        return scale(gamma, layers) * sum(s * layer for s, layer in zip(shares, layers))
    return wrong


def exponentials(weights):
    return np.exp(weights)


MIX = (
    Mistake("`@` sums over the last axis but one of the layers, their tokens. Sum over the layers: in a "
            "loop, or with "
            "np.tensordot(shares, layers, 1).",
            lambda layers, weights, gamma: gamma * (softmax(weights) @ np.array(layers))),
    Mistake("the softmax is missing: the weights may be any numbers, their shares sum to 1.",
            mix(lambda w: w)),
    Mistake("you divide the weights by their sum. Some are negative; take their softmax.",
            mix(lambda w: w / w.sum())),
    Mistake("these are the exponentials of the weights, not yet divided by their sum.", mix(exponentials)),
    Mistake("these are sigmoids of the weights, which do not sum to 1. Take their softmax.",
            mix(lambda w: 1 / (1 + np.exp(-w)))),
    Mistake("gamma is missing. It scales the whole sum.", mix(scale=lambda gamma, layers: 1)),
    Mistake("you divide by gamma. Multiply.", mix(scale=lambda gamma, layers: 1 / gamma)),
    Mistake("gamma stands inside the softmax, where it sharpens the shares. It scales the whole sum.",
            lambda layers, weights, gamma: mix(scale=lambda gamma, layers: 1)(layers, gamma * weights,
                                                                              gamma)),
    Mistake("you also divide by the number of layers. The shares sum to 1: their sum is a mean already.",
            mix(scale=lambda gamma, layers: gamma / len(layers))),
    Mistake("the weights are ignored: this is the plain mean of the layers.",
            mix(lambda w: np.ones(len(w)) / len(w))),
    Mistake("the shares meet the layers in the wrong order: the first weight belongs to the first layer, "
            "the embeddings.",
            mix(lambda w: softmax(w)[::-1])),
    Mistake("only the top layer is there: the others have no share.",
            lambda layers, weights, gamma: gamma * layers[-1]),
    Mistake("only the layer with the largest weight is there. Its share is the largest, and the others have "
            "theirs.",
            lambda layers, weights, gamma: gamma * layers[int(np.argmax(weights))]),
    Mistake("np.exp overflows for large weights. Take the `softmax` that is given, or subtract the largest "
            "weight first.",
            mix(lambda w: np.exp(w) / np.exp(w).sum())),
    *pairs(mix, (dict(share=lambda w: w), "the softmax is missing"),
           (dict(share=lambda w: softmax(w)[::-1]), "the shares meet the layers in the wrong order"),
           (dict(share=lambda w: w / w.sum()),
            "the weights are divided by their sum, in place of their softmax"),
           (dict(scale=lambda gamma, layers: 1), "gamma is missing"),
           (dict(scale=lambda gamma, layers: gamma / len(layers)),
            "the sum is divided by the number of layers")),
)
