"""Known mistakes about `parameter_groups`: the learning rates, the decay, what is frozen, the order.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2; google-research/bert, optimization.py.
"""

from collections.abc import Callable, Sequence

from minibert.course.unit06.definitions import ENCODER, decays

from ..checks.exercise import Mistake


def in_encoder(name: str) -> bool:
    return name.startswith(ENCODER)


def is_frozen(name: str, n: int) -> bool:
    return n > 0 and name.startswith((f"{ENCODER}embeddings.", *(f"{ENCODER}layers.{i}." for i in range(n))))


def grouper(
    frozen: Callable = is_frozen,
    encoder: Callable = in_encoder,
    decayed: Callable = decays,
    order: Sequence[tuple[bool, bool]] = ((True, True), (True, False), (False, True), (False, False)),
    rate: Callable = lambda encoder, encoder_rate, head_rate: encoder_rate if encoder else head_rate,
    decay: Callable = lambda decayed, weight_decay: weight_decay if decayed else 0.0,
    empty: bool = False,
    finish: Callable = lambda groups: groups,
) -> Callable:
    """Build `parameter_groups` with some of its steps replaced.

    order: (in the encoder, decays) of each group.
    """

    def wrong(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
        trained = [name for name in names if not frozen(name, frozen_layers)]
        groups = [
            {
                "names": [name for name in trained if encoder(name) == place and decayed(name) == kind],
                "lr": rate(place, encoder_rate, head_rate),
                "weight_decay": decay(kind, weight_decay),
            }
            for place, kind in order
        ]
        return finish([group for group in groups if group["names"] or empty])

    return wrong


def merged(groups: list[dict]) -> list[dict]:
    """One group for each learning rate, with the weight decay of its first group."""
    rates = dict.fromkeys(group["lr"] for group in groups)
    return [
        {
            "names": [name for group in groups if group["lr"] == rate for name in group["names"]],
            "lr": rate,
            "weight_decay": next(group["weight_decay"] for group in groups if group["lr"] == rate),
        }
        for rate in rates
    ]


def each_alone(groups: list[dict]) -> list[dict]:
    return [{**group, "names": [name]} for group in groups for name in group["names"]]


def layers_only(name: str, n: int) -> bool:
    return name.startswith(tuple(f"{ENCODER}layers.{i}." for i in range(n)))


def with_frozen(
    names: list[str],
    encoder_rate: float,
    head_rate: float,
    weight_decay: float = 0.01,
    frozen_layers: int = 0,
) -> list[dict]:
    """`parameter_groups` that keeps frozen parameters in the groups."""
    return grouper(frozen=lambda name, n: False)(names, encoder_rate, head_rate, weight_decay)


def frozen_with_rate_0(
    names: list[str],
    encoder_rate: float,
    head_rate: float,
    weight_decay: float = 0.01,
    frozen_layers: int = 0,
) -> list[dict]:
    kept = [name for name in names if is_frozen(name, frozen_layers)]
    groups = grouper()(names, encoder_rate, head_rate, weight_decay, frozen_layers)
    return [*([{"names": kept, "lr": 0.0, "weight_decay": 0.0}] if kept else []), *groups]


def same_merged(groups: list[dict]) -> list[dict]:
    """One group for each pair of rate and decay, whichever parts of the model share them."""
    found: dict[tuple, list] = {}
    for group in groups:
        found.setdefault((group["lr"], group["weight_decay"]), []).extend(group["names"])
    return [{"names": names, "lr": lr, "weight_decay": decay} for (lr, decay), names in found.items()]


def layer_of(name: str) -> str:
    """The number of the encoder's layer, as text; empty for a name outside of the layers."""
    return name.split(".")[2] if name.startswith(f"{ENCODER}layers.") else ""


def embedded(name: str) -> bool:
    return name.startswith(f"{ENCODER}embeddings.")


def without_head(
    names: list[str],
    encoder_rate: float,
    head_rate: float,
    weight_decay: float = 0.01,
    frozen_layers: int = 0,
) -> list[dict]:
    return grouper(frozen=lambda name, n: is_frozen(name, n) or n > 0 and not in_encoder(name))(
        names, encoder_rate, head_rate, weight_decay, frozen_layers
    )


GROUPS = (
    Mistake(
        'names with "norm" anywhere do not decay in your answer. It is the part before the last that '
        "is "
        "`norm` or ends in `_norm`.",
        grouper(decayed=lambda name: name.rpartition(".")[2] != "bias" and "norm" not in name),
    ),
    Mistake(
        'names with "bias" anywhere do not decay in your answer. It is the last part that is `bias`.',
        grouper(decayed=lambda name: decays(name) and "bias" not in name),
    ),
    Mistake(
        'names with "norm" or "bias" anywhere do not decay in your answer. Look at the last part, '
        "and at "
        "the one before it.",
        grouper(decayed=lambda name: "norm" not in name and "bias" not in name),
    ),
    Mistake(
        'names without the dot after "encoder" count as the encoder. It is those that begin with '
        '"encoder.", dot included.',
        grouper(encoder=lambda name: name.startswith(ENCODER[:-1])),
    ),
    Mistake(
        'the head is only what begins with "heads" in your answer. Everything that does not begin with '
        '"encoder." is the head.',
        grouper(encoder=lambda name: not name.startswith("heads")),
    ),
    Mistake(
        'embeddings of the head are frozen too. Only those that begin with "encoder.embeddings." are.',
        grouper(frozen=lambda name, n: n > 0 and ("embeddings" in name or layers_only(name, n))),
    ),
    Mistake(
        'the numbers of layers are compared as texts: "10" comes before "2" there. Make them numbers '
        "first: int(...).",
        grouper(frozen=lambda name, n: n > 0 and (embedded(name) or "" < layer_of(name) < str(n))),
    ),
    Mistake(
        "groups with the same learning rate and decay are merged. Encoder and head, decayed and not, are "
        "groups of their own, whatever their numbers.",
        grouper(finish=same_merged),
    ),
    Mistake(
        "where weight_decay is 0, everything is in one group. Sort by the names alone.",
        lambda names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0: grouper(
            decayed=decays if weight_decay else lambda name: False
        )(names, encoder_rate, head_rate, weight_decay, frozen_layers),
    ),
    Mistake(
        "the head is left out where layers are frozen. Only the encoder's lowest layers are.", without_head
    ),
    Mistake(
        "the order of the groups is reversed. It is: encoder decayed, encoder not, head decayed, head not.",
        grouper(finish=lambda groups: groups[::-1]),
    ),
    Mistake(
        "the two learning rates are swapped: the encoder has encoder_rate, the head has head_rate.",
        grouper(rate=lambda encoder, encoder_rate, head_rate: head_rate if encoder else encoder_rate),
    ),
    Mistake(
        "all groups have encoder_rate. The head, which is new, has head_rate.",
        grouper(rate=lambda encoder, encoder_rate, head_rate: encoder_rate),
    ),
    Mistake(
        "all groups have head_rate. The encoder has encoder_rate.",
        grouper(rate=lambda encoder, encoder_rate, head_rate: head_rate),
    ),
    Mistake(
        "everything decays. Biases and LayerNorm must not.",
        grouper(decay=lambda decayed, weight_decay: weight_decay),
    ),
    Mistake(
        "nothing decays. Only biases and LayerNorm have decay 0.",
        grouper(decay=lambda decayed, weight_decay: 0.0),
    ),
    Mistake(
        "it is the other way round: biases and LayerNorm have decay 0, all others weight_decay.",
        grouper(decay=lambda decayed, weight_decay: 0.0 if decayed else weight_decay),
    ),
    Mistake(
        "0.01 is written into your answer. Use the argument `weight_decay`.",
        grouper(decay=lambda decayed, weight_decay: 0.01 if decayed else 0.0),
    ),
    Mistake(
        "LayerNorm decays in your answer. Its weight belongs to those without decay, not only its bias.",
        grouper(decayed=lambda name: not name.endswith("bias")),
    ),
    Mistake(
        "biases decay in your answer, except those of LayerNorm.",
        grouper(decayed=lambda name: not name.rpartition(".")[0].endswith("norm")),
    ),
    Mistake(
        "the LayerNorm of the embeddings decays: its module is called `norm`, without an underscore.",
        grouper(decayed=lambda name: not name.endswith("bias") and "_norm" not in name),
    ),
    Mistake(
        "the LayerNorms inside the layers decay: their modules end in `_norm`.",
        grouper(decayed=lambda name: not name.endswith("bias") and ".norm." not in name),
    ),
    Mistake(
        "only weights of the head decay in your answer; those of the encoder must, too.",
        grouper(decayed=lambda name: decays(name) and not in_encoder(name)),
    ),
    Mistake(
        "embeddings do not decay in your answer. They do: only biases and LayerNorm are left out.",
        grouper(decayed=lambda name: decays(name) and "embeddings" not in name),
    ),
    Mistake(
        "with frozen_layers=2, layers 10 and 11 are frozen too: their names begin with "
        '"encoder.layers.1", or their numbers with a 1. Look at the whole number, up to the dot.',
        grouper(
            frozen=lambda name, n: (
                n > 0
                and name.startswith((f"{ENCODER}embeddings", *(f"{ENCODER}layers.{i}" for i in range(n))))
            )
        ),
    ),
    Mistake(
        "one layer too many is frozen. frozen_layers=n freezes layers 0 to n − 1.",
        grouper(frozen=lambda name, n: n > 0 and is_frozen(name, n + 1)),
    ),
    Mistake(
        "one layer too few is frozen. frozen_layers=n freezes layers 0 to n − 1.",
        grouper(frozen=lambda name, n: n > 0 and (is_frozen(name, n - 1) or "embeddings" in name)),
    ),
    Mistake(
        "the layers are counted from 1 in your answer. The first layer is encoder.layers.0.",
        grouper(
            frozen=lambda name, n: (
                n > 0
                and name.startswith(
                    (f"{ENCODER}embeddings.", *(f"{ENCODER}layers.{i}." for i in range(1, n + 1)))
                )
            )
        ),
    ),
    Mistake(
        "only layer n is frozen, or layer n − 1. All layers from 0 to n − 1 are.",
        grouper(
            frozen=lambda name, n: (
                n > 0 and name.startswith((f"{ENCODER}embeddings.", f"{ENCODER}layers.{n - 1}."))
            )
        ),
    ),
    Mistake(
        "the embeddings are still trained when layers are frozen. They lie below the first layer: freeze "
        "them too.",
        grouper(frozen=layers_only),
    ),
    Mistake(
        "the embeddings are frozen even with frozen_layers=0. Then everything is trained.",
        grouper(frozen=lambda name, n: name.startswith(f"{ENCODER}embeddings.") or is_frozen(name, n)),
    ),
    Mistake("frozen_layers is ignored.", with_frozen),
    Mistake(
        "frozen parameters are in a group with the learning rate 0. They should be in no group at all.",
        frozen_with_rate_0,
    ),
    Mistake(
        'layers of the head are frozen too. Only names that begin with "encoder." belong to the encoder.',
        grouper(
            frozen=lambda name, n: (
                n > 0 and ("embeddings." in name or any(f"layers.{i}." in name for i in range(n)))
            )
        ),
    ),
    Mistake(
        "the whole encoder is frozen as soon as frozen_layers is above 0.",
        grouper(frozen=lambda name, n: n > 0 and in_encoder(name)),
    ),
    Mistake(
        'names with "encoder" anywhere count as the encoder. It is those that begin with "encoder."',
        grouper(encoder=lambda name: "encoder" in name),
    ),
    Mistake(
        'the head is what has "classifier" in its name, in your answer. Everything that does not begin '
        'with "encoder." is the head, its pooler too.',
        grouper(encoder=lambda name: "classifier" not in name),
    ),
    Mistake(
        "the embeddings count as the head in your answer. They belong to the encoder.",
        grouper(encoder=lambda name: name.startswith(f"{ENCODER}layers.")),
    ),
    Mistake(
        "empty groups are in the list. Leave them out: an optimiser refuses a group without parameters.",
        grouper(empty=True),
    ),
    Mistake(
        "the head comes first in your list. The order is: encoder decayed, encoder not, head decayed, "
        "head not.",
        grouper(order=((False, True), (False, False), (True, True), (True, False))),
    ),
    Mistake(
        "groups without decay come first in your list. The order is: encoder decayed, encoder not, head "
        "decayed, head not.",
        grouper(order=((True, False), (True, True), (False, False), (False, True))),
    ),
    Mistake(
        "the order is encoder decayed, head decayed, encoder not, head not in your list. It should be: "
        "encoder decayed, encoder not, head decayed, head not.",
        grouper(order=((True, True), (False, True), (True, False), (False, False))),
    ),
    Mistake(
        "parameters with one learning rate are in one group, whatever their decay. Make two groups of each.",
        grouper(finish=merged),
    ),
    Mistake(
        "there is a group for each parameter. Put those with the same learning rate and decay into one.",
        grouper(finish=each_alone),
    ),
    Mistake(
        "the names within a group are sorted. Leave them in the order in which they come.",
        grouper(finish=lambda groups: [{**group, "names": sorted(group["names"])} for group in groups]),
    ),
    Mistake(
        "these are names alone. Each group is a dict with names, lr and weight_decay.",
        grouper(finish=lambda groups: [group["names"] for group in groups]),
    ),
)
