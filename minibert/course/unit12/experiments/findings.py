"""Published claims, and the rule that decides whether measurements of three models support them.

A claim says that a number is above or below a limit. The limits and the rule were fixed before anything was
measured.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from minibert.readers.wording import with_minus

DRAWS = 500  # of the bootstrap
CENTRAL = 90  # percent of the resampled values that an interval contains


class Interval(NamedTuple):
    """A value, and the ends of an interval that shows how much it varies by chance."""

    value: float
    low: float
    high: float


class Claim(NamedTuple):
    """A claim from a paper, its source, and the limit that a measure should be above or below.

    above: whether the measure should be above the limit. form: the format of its numbers.
    """

    says: str
    paper: str
    measured: str
    above: bool
    limit: float
    form: str = "{:.2f}"


CLAIMS = {
    "patterns": Claim(
        "Heads repeat a few simple patterns",
        "Kovaleva et al., 4.1",
        "heads with a simple pattern",
        True,
        0.5,
        "{:.0%}",
    ),
    "sep": Claim(
        "Over half of the attention in middle layers goes to [SEP]",
        "Clark et al., 3.2",
        "attention to [SEP]",
        True,
        0.5,
        "{:.0%}",
    ),
    "no-op": Claim(
        "Special tokens contribute less than their weights suggest",
        "Kobayashi et al., abstract",
        "share of output norm / share of weights",
        False,
        1.0,
    ),
    "gradient": Claim(
        "The loss depends less on attention to special tokens",
        "Clark et al., 3.2",
        "gradient: special / other tokens",
        False,
        1.0,
    ),
    "broad": Claim(
        "The lowest layers attend most broadly",
        "Clark et al., 3.3",
        "entropy in nats: first layer − others",
        True,
        0.0,
    ),
    "kin": Claim(
        "Heads of the same layer are more similar",
        "Clark et al., 6",
        "distance: other layers / same layer",
        True,
        1.0,
    ),
    "coreference": Claim(
        "A head finds antecedents better than a fixed distance does",
        "Clark et al., 4.3",
        "accuracy: head − distance",
        True,
        0.0,
        "{:.0%}",
    ),
    "relations": Claim(
        "Heads follow dependency relations better than fixed distances do",
        "Clark et al., 4.2",
        "accuracy on EWT: heads − distances",
        True,
        0.0,
        "{:.0%}",
    ),
    "tuning": Claim(
        "Fine-tuning changes attention more in the last two layers",
        "Kovaleva et al., 4.3",
        "cosine before and after: other layers − last two",
        True,
        0.0,
        "{:.3f}",
    ),
    "effective": Claim(
        "Raw and effective attention differ in long texts",
        "Brunner et al., 3",
        "their correlation: 16 tokens − 96 tokens",
        True,
        0.0,
    ),
    "identity": Claim(
        "Tokens can be recognised in the last layer",
        "Brunner et al., 4",
        "tokens recognised by a linear map",
        True,
        0.5,
        "{:.0%}",
    ),
    "mixing": Claim(
        "In the last layer, most of a vector comes from other tokens",
        "Brunner et al., 5",
        "contribution of the token itself",
        False,
        0.5,
        "{:.0%}",
    ),
    "local": Claim(
        "Neighbours contribute more than distant tokens",
        "Brunner et al., 5",
        "neighbour / five or more tokens away",
        True,
        1.0,
    ),
    "redundant": Claim(
        "Most heads can be removed, one at a time",
        "Michel et al., 3.2",
        "heads whose removal changes the loss by < 0.05",
        True,
        0.5,
        "{:.0%}",
    ),
    "prune": Claim(
        "A third of the heads can be removed together",
        "Michel et al., 4",
        "loss without a third of the heads / with all",
        False,
        1.05,
    ),
    "agreement": Claim(
        "The gradient shows which heads matter",
        "Michel et al., 4",
        "rank correlation with removing each head",
        True,
        0.0,
    ),
    "cone": Claim(
        "Upper layers are more anisotropic",
        "Ethayarajh, 4.1",
        "anisotropy: last layer − embeddings",
        True,
        0.0,
    ),
    "context": Claim(
        "Upper layers are more context-specific",
        "Ethayarajh, 4.2",
        "self-similarity: embeddings − last layer",
        True,
        0.0,
    ),
    "sentence": Claim(
        "Words of a sentence are more similar than any two words",
        "Ethayarajh, 4.2",
        "intra-sentence similarity − anisotropy, last layer",
        True,
        0.0,
    ),
    "apart": Claim(
        "Upper layers make the words of a sentence less similar",
        "Ethayarajh, 4.2",
        "the same: embeddings − last layer",
        True,
        0.0,
    ),
    "variance": Claim(
        "One vector explains less than 5% of a word's variance",
        "Ethayarajh, 4.3",
        "explainable variance (vectors not centred), last layer",
        False,
        0.05,
        "{:.0%}",
    ),
    "senses": Claim(
        "The nearest neighbour has the right sense",
        "Wiedemann et al.",
        "accuracy − most frequent sense",
        True,
        0.0,
        "{:.0%}",
    ),
    "semcor": Claim(
        "The same, on real text",
        "Wiedemann et al.",
        "accuracy on SemCor − most frequent sense",
        True,
        0.0,
        "{:.0%}",
    ),
    "tags": Claim(
        "Layers encode tags better than embeddings do",
        "Rogers et al., 4.3",
        "accuracy: best layer − embeddings",
        True,
        0.0,
        "{:.1%}",
    ),
    "chunks": Claim(
        "Layers encode chunks better than embeddings do",
        "Rogers et al., 3.1",
        "accuracy on EWT: best layer − embeddings",
        True,
        0.0,
        "{:.1%}",
    ),
    "roles": Claim(
        "Layers encode roles better than embeddings do",
        "Rogers et al., 3.1",
        "accuracy on EWT: best layer − embeddings",
        True,
        0.0,
        "{:.1%}",
    ),
    "entities": Claim(
        "Layers encode entity types better than embeddings do",
        "Rogers et al., 3.2",
        "accuracy on wikigold: best layer − embeddings",
        True,
        0.0,
        "{:.1%}",
    ),
    "trees": Claim(
        "Trees can be recovered from vectors",
        "Hewitt and Manning",
        "UUAS on EWT: best layer or embeddings − neighbours",
        True,
        0.0,
        "{:.1%}",
    ),
    "middle": Claim(
        "Syntax is clearest in the middle layers",
        "Rogers et al., 4.3",
        "depth on EWT: middle − first and last layers",
        True,
        0.0,
        "{:.3f}",
    ),
    "used": Claim(
        "The tags are used, not only encoded",
        "Elazar et al.",
        "loss without tags − without random directions",
        True,
        0.0,
    ),
}

# Michel et al., tables 2 and 3: the change, by layer, if only the layer's best head is kept. Accuracy of BERT
# on MNLI in points; BLEU of a translation model that has 36.05 with all heads.
MICHEL = {
    "BERT": (-0.01, 0.10, -0.14, -0.53, -0.29, -0.52, 0.05, -0.72, -0.96, 0.07, -0.19, -0.12),
    "encoder": (-1.31, -0.16, 0.12, -0.15, 0.02, -0.36),
    "decoder to source": (0.24, 0.06, 0.05, -0.24, -1.55, -13.56),
    "decoder": (-0.03, 0.12, 0.18, 0.17, -0.04, 0.24),
}


def interval(
    units: np.ndarray,
    rng: np.random.Generator,
    statistic: Callable[[np.ndarray], float] = lambda units: float(np.mean(units)),
) -> Interval:
    """Return a statistic of N units and an interval that contains CENTRAL percent of its bootstrap values.

    The bootstrap draws N units with replacement, DRAWS times.
    >>> interval(np.ones(5), np.random.default_rng(0))
    Interval(value=1.0, low=1.0, high=1.0)
    """
    units = np.asarray(units)
    drawn = [statistic(units[rng.integers(len(units), size=len(units))]) for _ in range(DRAWS)]
    low, high = np.percentile(drawn, [50 - CENTRAL / 2, 50 + CENTRAL / 2])
    return Interval(float(statistic(units)), float(low), float(high))


def of_seeds(values: Sequence[float]) -> Interval:
    """Return the mean over seeds, with the interval from the lowest to the highest value.

    >>> of_seeds([1.0, 2.0, 3.0])
    Interval(value=2.0, low=1.0, high=3.0)
    """
    return Interval(float(np.mean(values)), float(min(values)), float(max(values)))


def shows(claim: Claim, found: Interval) -> bool | None:
    """Return whether the interval is on the claim's side of the limit, or None if it contains the limit."""
    if found.low > claim.limit:
        return claim.above
    if found.high < claim.limit:
        return not claim.above
    return None


def beyond(claim: Claim, one: Interval, other: Interval) -> bool:
    """Return whether the interval `one` lies entirely beyond `other`, in the direction of the claim.

    >>> beyond(CLAIMS["sep"], Interval(0.6, 0.58, 0.62), Interval(0.5, 0.45, 0.55))
    True
    """
    return one.low > other.high if claim.above else one.high < other.low


def carried_over(english: bool | None, own: bool | None, random: bool | None, stronger: bool = False) -> str:
    """Return in words whether a claim holds, given whether each of three models supports it (None: unclear).

    english, own, random: the English encoder, the course's own model and random weights. stronger: whether
    the English encoder's interval lies beyond that of random weights, as in `beyond`.

    >>> carried_over(True, True, False)
    'yes, in both'
    >>> carried_over(True, True, True)
    'artefact'
    >>> carried_over(True, True, True, stronger=True)
    'partly an artefact'
    """
    if english and random:
        return "partly an artefact" if stronger else "artefact" if own else "no: random weights show it, too"
    if english:
        return {True: "yes, in both", False: "yes, not in the small one", None: "yes; small one unclear"}[own]
    if english is None:
        return "unclear"
    return "no, only in the small one" if own and not random else "no"


def row(claim: Claim, found: Sequence[Interval]) -> tuple[str, ...]:
    """Return a table row: the claim, its limit, the three models' values, and whether the claim holds."""

    def told(spread):
        sign = {True: "✓", False: "✗", None: "?"}[shows(claim, spread)]
        return "{} {} ({} to {})".format(sign, *(with_minus(x, claim.form) for x in spread))

    english, own, random = found
    side = f"{claim.measured} {'>' if claim.above else '<'} {with_minus(claim.limit, claim.form)}"
    return (
        f"{claim.says} ({claim.paper})",
        side,
        *map(told, found),
        carried_over(
            shows(claim, english), shows(claim, own), shows(claim, random), beyond(claim, english, random)
        ),
    )
