"""Test inputs for `gibbs_step` and `metropolis_accept`, two steps of a Markov chain, and common mistakes.

Wang and Cho (2019, arXiv 1902.04094), section 3; Goyal et al. (2022, arXiv 2106.02736), section 3. Axes:
N texts, T tokens, V vocabulary.
"""

from collections.abc import Callable

import numpy as np

from minibert.generation.sampling import LogProbs

from ..checks.chance import all_plausible, plausible
from ..checks.edits import edits, pairs_of_edits
from .table_models import fits, table_model


def gibbs_cases(rng: np.random.Generator) -> list[tuple]:
    """Return texts, positions, models, ids of [MASK], and generators."""

    def drawn(N: int, T: int, V: int, position: int, mask: int, masked: float = 0.0) -> tuple:
        ids = rng.integers(V - 1, size=(N, T))
        ids += ids >= mask
        ids = np.where(rng.random((N, T)) < masked, mask, ids)
        fresh = np.random.default_rng(int(rng.integers(2**30)))
        return ids, position, table_model(rng, V, mask, 1 / np.sqrt(T)), mask, fresh

    return [
        drawn(3, 4, 6, 1, 5),
        drawn(6, 5, 4, 2, 0),
        drawn(5, 3, 8, 0, 3),
        drawn(4, 6, 9, 5, 4),
        drawn(1, 4, 5, 2, 1),
        drawn(4, 1, 7, 0, 6),
        drawn(7, 6, 10, 3, 4, 0.5),
        drawn(5, 4, 6, 2, 2, 1.0),
        drawn(20, 3, 7, 1, 5),
        drawn(40, 5, 12, int(rng.integers(5)), 9, 0.2),
        drawn(3, 20, 30, int(rng.integers(20)), 17),
        drawn(5, 2, 2, 1, 0),
    ]


FIXED = gibbs_cases(np.random.default_rng(0))[0][:-1]  # arguments before `rng`


def gibbs_allowed(
    ids: np.ndarray, position: int, log_probs: LogProbs, mask: int, rng: np.random.Generator
) -> bool:
    return 0 <= position < ids.shape[-1] and fits(ids, log_probs, mask)


def gibbs(
    ids: np.ndarray, position: int, log_probs: LogProbs, mask: int, rng: np.random.Generator
) -> np.ndarray:
    """Return what `gibbs_step` should."""
    rows, masked = np.arange(len(ids)), ids.copy()
    masked[:, position] = mask
    probs = np.exp(log_probs(masked)[:, position])
    uniform = rng.random(len(ids))
    drawn = (probs.cumsum(1) <= uniform[:, None]).sum(1)
    new = ids.copy()
    new[rows, position] = drawn
    return new


GIBBS = (
    *edits(
        gibbs,
        r"""
        $hide = masked[:, position] = mask
        $probs = np.exp(log_probs(masked)[:, position])
        $uniform = rng.random(len(ids))
        $drawn = (probs.cumsum(1) <= uniform[:, None]).sum(1)
        $write = new[rows, position] = drawn

        you do not mask the token, so the model reads the answer. Replace it by [MASK] before you ask.
            $hide => pass
        you mask all tokens. Mask only the one at `position`: the others are its context.
            $hide => masked[:] = mask
        you mask the next token. Mask the one at `position`.
            $hide => masked[:, (position + 1) % ids.shape[1]] = mask
        you take the probabilities at another position. Take those at `position`.
            (masked)[:, position] => (masked)[:, {0 | -1}]
            or
            (masked)[:, position] => (masked)[:, position - 1]
            or
            (masked)[:, position] => (masked)[:, (position + 1) % ids.shape[1]]
        you take the most probable token. Draw one, with the probabilities of the model.
            $drawn => probs.argmax(1)
        you give all tokens the same probability. Draw with those of the model.
            $probs => np.full((len(ids), log_probs(masked).shape[2]), 1 / log_probs(masked).shape[2])
            or
            $drawn => (uniform * probs.shape[1]).astype(int)
            or
            $drawn => rng.integers(probs.shape[1], size=len(ids))
            or
            $drawn => rng.integers(probs.shape[1], size=len(ids))
            uniform = $uniform => pass
        the model gives logarithms. Take `np.exp` of them before you add them up.
            $probs => log_probs(masked)[:, position]
        you take a softmax of probabilities. `np.exp` of the logarithms is enough.
            probs = $probs => e = np.exp($probs)\nprobs = e / e.sum(1)[:, None]
        you draw one number for all texts. Draw one for each text.
            $uniform => np.full(len(ids), rng.random())
        you draw a number for each token of each text. Draw one for each text.
            $uniform => rng.random(ids.shape)[:, {position | 0 | -1}]
        you draw a number for each token of the vocabulary. Draw one for each text.
            $uniform => rng.random(probs.shape)[:, 0]
            or
            $drawn => (probs.cumsum(1) <= rng.random(probs.shape)).sum(1)
        you draw the texts' numbers in the opposite order. The first number is for the first text.
            $uniform => rng.random(len(ids))[::-1]
        you draw from a generator of your own. Use the argument `rng`.
            $uniform => np.random.default_rng({0 | 42}).random(len(ids))
        you draw too many numbers. Draw one for each text.
            uniform = $uniform => rng.random()\nuniform = $uniform
            or
            uniform = $uniform => rng.random(len(ids))\nuniform = $uniform
        the token is one too high. Take the first one whose cumulative probability is above the number.
            $drawn => $drawn + 1
        the token is one too low. Take the first one whose cumulative probability is above the number.
            $drawn => np.maximum($drawn - 1, 0)
            or
            $drawn => $drawn - 1
        you count the tokens whose cumulative probability is above the number. Count those where it is not.
            $drawn => (probs.cumsum(1) > uniform[:, None]).sum(1)
        you compare each probability with the number. Add up the probabilities first, with `cumsum`.
            $drawn => (probs <= uniform[:, None]).sum(1)
            or
            $drawn => (probs > uniform[:, None]).argmax(1)
        you add up the probabilities over the texts. Each text has its own distribution, a row.
            probs.cumsum(1) => probs.cumsum(0)
        you add up from the last token to the first. Begin with token 0.
            $drawn => probs.shape[1] - 1 - (probs[:, ::-1].cumsum(1) <= uniform[:, None]).sum(1)
        you add up the probabilities from the largest to the smallest. Keep the order of the vocabulary.
            $drawn => np.argsort(-probs)[rows, (np.sort(-probs).cumsum(1) >= -uniform[:, None]).sum(1)]
        all texts get the probabilities of the first one. Each has its own.
            $probs => np.exp(log_probs(masked)[[0] * len(ids), position])
        all texts get the mean of their probabilities. Each has its own.
            drawn = $drawn => probs[:] = probs.mean(0)\ndrawn = $drawn
        the first text's token is written into all texts. Draw one for each text.
            $write => new[rows, position] = drawn[0]
        nothing is written into the text. Put the drawn tokens at `position`.
            $write => pass
        the token stays [MASK] in your result. Put the drawn tokens at `position`.
            new = ids.copy() => new = masked.copy()
            $write => pass
        you draw all tokens of the text again. A step changes the one at `position` only.
            $write => new = (np.exp(log_probs(masked)).cumsum(2) <= uniform[:, None, None]).sum(2)
        you also fill other [MASK]s. A step changes the token at `position` only.
            return new => return np.where(new == mask, drawn[:, None], new)
            or
            return new => return np.where(new == mask, log_probs(masked).argmax(2), new)
        you return the drawn tokens alone. Return the whole texts.
            return new => return drawn
        you keep the old token if it is more probable. Gibbs sampling always takes the new one.
            $write => old = ids[:, position]\nbetter = probs[rows, old] > probs[rows, drawn]\n$write
            position] = drawn => position] = np.where(better, old, drawn)
        you never draw the old token again. It may be drawn, too.
            probs = $probs => probs = $probs\nprobs[rows, ids[:, position]] = 0
            uniform = $uniform => uniform = $uniform\nprobs /= probs.sum(1)[:, None]
        """,
    ),
    *pairs_of_edits(
        gibbs,
        """
        you do not mask the token
            masked[:, position] = mask => pass
        one number decides for all texts
            rng.random(len(ids)) => np.full(len(ids), rng.random())
        the probabilities are those of another position
            (masked)[:, position] => (masked)[:, position - 1]
        """,
    ),
)


def other_tokens_stay(f: Callable, rng: np.random.Generator) -> bool:
    ids, position, log_probs, mask, one = gibbs_cases(rng)[0]
    others = np.arange(ids.shape[1]) != position
    return np.array_equal(np.asarray(f(ids, position, log_probs, mask, one))[:, others], ids[:, others])


def token_is_not_read(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether the old token changes nothing, or a message about what the model was asked."""
    ids, position, log_probs, mask, _ = gibbs_cases(rng)[0]
    read = []

    def noted(some):
        read.append(np.array(some))
        return log_probs(some)

    for token in range(2):
        some = ids.copy()
        some[:, position] = (ids[:, position] + token) % mask
        f(some, position, noted, mask, np.random.default_rng(7))
    for some in read:
        if some.ndim == 2 and (some[:, position] != mask).any():
            return "the model reads the token that is drawn. Replace it by [MASK] before you ask the model."
    return bool(read) or "your function does not call `log_probs`."


def like_the_probabilities(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether many equal texts get tokens in proportion to their probabilities."""
    ids, position, log_probs, mask, one = gibbs_cases(rng)[0]
    many = np.repeat(ids[:1], 2000, 0)
    masked = ids[:1].copy()
    masked[:, position] = mask
    probs = np.exp(log_probs(masked)[0, position])
    tokens = np.asarray(f(many, position, log_probs, mask, one))[:, position]
    counts = np.bincount(tokens, minlength=len(probs))
    if (counts > 0).sum() == 1:
        return "2,000 equal texts all get the same token. Draw one for each text."
    return len(counts) == len(probs) and all_plausible(counts, probs)


def numbers(rng: np.random.Generator, N: int, size: float = 2.0, shift: float = 0.0) -> tuple:
    """Return the arguments of `metropolis_accept` for N texts; shift: of the texts' log scores."""
    old, new, forward, backward = rng.normal(size=(4, N)) * size
    return old + shift, new + shift, forward - size, backward - size, 1 - rng.random(N)


def accept_cases(rng: np.random.Generator) -> list[tuple]:
    """Return log scores, also of improbable and impossible texts, and of proposals that need not be equal."""
    impossible = tuple(x.astype(np.float32) for x in numbers(rng, 5))
    impossible[1][[0, 2]] = -np.inf
    impossible[3][[2, 3]] = -np.inf
    worse = tuple(np.array([x]) for x in (-5.0, -8.0, -1.5, -1.5, rng.uniform(0.1, 1)))
    same = rng.normal(size=6)
    return [
        numbers(rng, 8),
        numbers(rng, 20, 1.0),
        numbers(rng, 30, 0.7, -5.0),
        numbers(rng, 12, 1.0, -2000.0),
        numbers(rng, 15, 1.0, 900.0),
        numbers(rng, 6, 400.0),
        impossible,
        numbers(rng, 1),
        worse,
        (same, same.copy(), same - 3, same - 3, 1 - rng.random(6)),
        (same, same.copy(), *numbers(rng, 6)[2:]),
        (*numbers(rng, 6)[:2], same, same.copy(), 1 - rng.random(6)),
        tuple(x.astype(np.float32) for x in numbers(rng, 10)),
        numbers(rng, 100, 0.8),
    ]


def accept_allowed(
    old: np.ndarray, new: np.ndarray, forward: np.ndarray, backward: np.ndarray, uniform: np.ndarray
) -> bool:
    """Return whether only `new` and `backward` may be -inf, and no number is close to its probability."""
    arrays = (old, new, forward, backward, uniform)
    if not all(x.shape == old.shape for x in arrays) or not ((uniform > 0) & (uniform < 1)).all():
        return False
    if not np.isfinite([old, forward]).all() or max(new.max(), backward.max()) == np.inf:
        return False
    probs = np.exp(np.minimum(0.0, new.astype(float) - old + backward - forward))
    return bool(((probs == 1) | (abs(probs - uniform) > 1e-4)).all())


def accept(
    old: np.ndarray, new: np.ndarray, forward: np.ndarray, backward: np.ndarray, uniform: np.ndarray
) -> np.ndarray:
    """Return what `metropolis_accept` should."""
    scores = new - old
    proposals = backward - forward
    logs = scores + proposals
    probs = np.exp(np.minimum(0, logs))
    return uniform < probs


ACCEPT = (
    *edits(
        accept,
        """
        $scores = scores = new - old
        $proposals = proposals = backward - forward
        $logs = logs = scores + proposals
        $probs = probs = np.exp(np.minimum(0, logs))
        $decide = uniform < probs

        you leave out the proposals. A token that is proposed often must be accepted less often.
            $logs => logs = scores
        you use the proposals alone. The scores of the two texts decide, too.
            $logs => logs = proposals
        `forward` and `backward` are swapped. The probability of the way back is in the numerator.
            $proposals => proposals = forward - backward
        `old` and `new` are swapped. The score of the new text is in the numerator.
            $scores => scores = old - new
        your ratio is upside down. The new text's score and the way back are in the numerator.
            $logs => logs = -scores - proposals
        you multiply by the probability of the proposal. Divide by it.
            $proposals => proposals = backward + forward
        `backward` is missing. The old text may be easier or harder to propose than the new one.
            $proposals => proposals = -forward
        `forward` is missing. The new text may be easier or harder to propose than the old one.
            $proposals => proposals = backward
        you compare with a logarithm. Take `np.exp` of it first, or the logarithm of `uniform`.
            $probs => probs = logs
            or
            $probs => probs = np.minimum(1, logs)
        you divide logarithms. The logarithm of a ratio is a difference.
            $logs => logs = new * backward / (old * forward)
            or
            $scores => scores = new / old
            $proposals => proposals = backward / forward
            or
            $probs => probs = np.minimum(1, new * backward / (old * forward))
        `np.exp` of a log score can be 0 or infinite in a computer. Subtract the logarithms first.
            $probs => probs = np.exp(new) * np.exp(backward) / (np.exp(old) * np.exp(forward))
            or
            $probs => probs = np.exp(new) / np.exp(old) * np.exp(backward) / np.exp(forward)
            or
            $probs => probs = np.exp(new + backward) / np.exp(old + forward)
            or
            $probs => probs = np.exp(new) / np.exp(old) * np.exp(backward - forward)
        you accept only improvements. A worse text is accepted, too, with a smaller probability.
            $decide => logs >= 0
            or
            $decide => logs > 0
            or
            $decide => scores > 0
            or
            $decide => scores >= 0
        you accept everything. Take the minimum of 0 and the logarithm, and compare with `uniform`.
            $decide => uniform < 2
            or
            np.minimum => np.maximum
        you accept nothing: a logarithm of at most 0 is never above `uniform`. Take `np.exp` of it first.
            $probs => probs = np.minimum(0, logs)
        your decision is inverted. Accept if `uniform` is below the probability.
            $decide => uniform > probs
        you use the probability of rejecting. Accept if `uniform` is below the probability itself.
            $decide => uniform < 1 - probs
        you compare the probability with 0.5. Compare it with `uniform`.
            $decide => probs > 0.5
            or
            $decide => probs >= 0.5
        one number decides for all texts. Each has its own in `uniform`.
            $decide => uniform[0] < probs
        one decision holds for all texts. Decide for each of them.
            $logs => logs = np.full(len(old), np.mean(scores + proposals))
            or
            $logs => logs = np.full(len(old), np.sum(scores + proposals))
            or
            $decide => np.full(len(old), (uniform < probs).all())
            or
            $decide => np.full(len(old), (uniform < probs).any())
        you return the probabilities. Return whether each proposal is accepted.
            $decide => probs
        both ratios are limited to 1, each by itself. Limit their product.
            $logs => logs = np.minimum(0, scores) + np.minimum(0, proposals)
        only the ratio of the scores is limited to 1. Limit the whole product.
            $probs => probs = np.exp(np.minimum(0, scores)) * np.exp(proposals)
        only the ratio of the proposals is limited to 1. Limit the whole product.
            $probs => probs = np.exp(scores) * np.exp(np.minimum(0, proposals))
        you use r / (1 + r), another rule. Use the minimum of 1 and r.
            $probs => probs = 1 / (1 + np.exp(-logs))
            or
            $probs => probs = np.exp(logs) / (1 + np.exp(logs))
        you use logarithms to base 2 or 10. These are natural: use `np.exp`.
            $probs => probs = {2.0 | 10.0} ** np.minimum(0, logs)
        you use the square root of the ratio. Use the ratio itself.
            $probs => probs = np.exp(np.minimum(0, logs / 2))
        """,
    ),
    *pairs_of_edits(
        accept,
        """
        `forward` and `backward` are swapped
            backward - forward => forward - backward
        the decision is inverted
            uniform < probs => uniform > probs
        the logarithm is compared with `uniform`, without `np.exp`
            np.exp(np.minimum(0, logs)) => logs
        """,
    ),
)


def better_is_accepted(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a better text is always accepted if both ways are equally probable."""
    old, _, forward, _, uniform = numbers(rng, 20)
    return bool(np.all(f(old, old + 0.01, forward, forward.copy(), uniform)))


def exact_proposals(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether everything is accepted if the proposals have the distribution of the scores."""
    old, new, _, _, uniform = numbers(rng, 20)
    return bool(np.all(f(old, new, new - 3, old - 3, 0.999 * uniform)))


def half_as_probable(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether a text of half the probability is accepted half of the time."""
    N = 2000
    old, forward, uniform = np.full(N, -900.0), np.full(N, -2.0), 1 - rng.random(N)
    count = int(np.sum(f(old, old - np.log(2), forward, forward.copy(), uniform)))
    return plausible(count, N, 0.5)


def constant_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether adding a constant to both scores changes nothing."""
    old, new, *others = numbers(rng, 20)
    return np.array_equal(f(old, new, *others), f(old - 1500, new - 1500, *others))
