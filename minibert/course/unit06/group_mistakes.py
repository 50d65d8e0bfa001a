"""Known mistakes about `parameter_groups`: the learning rates, the decay, what is frozen, the order.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2; google-research/bert, optimization.py.
"""

from ..checks.edits import edits
from .definitions import decays, parameter_groups


def merged(groups: list[dict], *keys: str) -> list[dict]:
    """Merge the groups that agree in these keys; the other values are those of the first of them."""
    found: dict[tuple, dict] = {}
    for group in groups:
        first = found.setdefault(tuple(group[key] for key in keys), {**group, "names": []})
        first["names"].extend(group["names"])
    return [*found.values()]


GROUPS = edits(
    parameter_groups,
    """
    $norm = not module.endswith("norm")
    $bias = kind != "bias"
    $encoder = name.startswith(ENCODER)
    $frozen = name.startswith(frozen)
    $decays = decays(name) == decayed
    $rate = encoder_rate if encoder else head_rate
    $decay = weight_decay if decayed else 0.0
    $layers = range(frozen_layers)

    names with "norm" anywhere do not decay in your answer. It is the part before the last that is `norm` or
    ends in `_norm`.
        $norm => "norm" not in name
    names with "bias" anywhere do not decay in your answer. It is the last part that is `bias`.
        $bias => "bias" not in name
    names with "norm" or "bias" anywhere do not decay in your answer. Look at the last part, and at the one
    before it.
        $bias and $norm => "bias" not in name and "norm" not in name
    names without the dot after "encoder" count as the encoder. It is those that begin with "encoder.", dot
    included.
        $encoder => name.startswith("encoder")
    the head is only what begins with "heads" in your answer. Everything that does not begin with "encoder."
    is the head.
        $encoder => (not name.startswith("heads"))
    embeddings of the head are frozen too. Only those that begin with "encoder.embeddings." are.
        $frozen => ($frozen or frozen_layers and "embeddings" in name)
    the numbers of layers are compared as texts: "10" comes before "2" there. Make them numbers first:
    int(...).
        $layers => range(99) if str(i) < str(frozen_layers)
    groups with the same learning rate and decay are merged. Encoder and head, decayed and not, are groups of
    their own, whatever their numbers.
        return merged(result, "lr", "weight_decay")
    where weight_decay is 0, everything is in one group. Sort by the names alone.
        $decays => (decays(name) and weight_decay > 0) == decayed
    the head is left out where layers are frozen. Only the encoder's lowest layers are.
        $frozen => ($frozen or frozen_layers and not $encoder)
    the order of the groups is reversed. It is: encoder decayed, encoder not, head decayed, head not.
        return result[::-1]
    the two learning rates are swapped: the encoder has encoder_rate, the head has head_rate.
        $rate => head_rate if encoder else encoder_rate
    all groups have encoder_rate. The head, which is new, has head_rate.
        $rate => encoder_rate
    all groups have head_rate. The encoder has encoder_rate.
        $rate => head_rate
    everything decays. Biases and LayerNorm must not.
        $decay => weight_decay
    nothing decays. Only biases and LayerNorm have decay 0.
        $decay => 0.0
    it is the other way round: biases and LayerNorm have decay 0, all others weight_decay.
        $decay => 0.0 if decayed else weight_decay
    0.01 is written into your answer. Use the argument `weight_decay`.
        $decay => 0.01 if decayed else 0.0
    LayerNorm decays in your answer. Its weight belongs to those without decay, not only its bias.
        $bias and $norm => $bias
    biases decay in your answer, except those of LayerNorm.
        $bias and $norm => $norm
    the LayerNorm of the embeddings decays: its module is called `norm`, without an underscore.
        $norm => "_norm" not in name
    the LayerNorms inside the layers decay: their modules end in `_norm`.
        $norm => ".norm." not in name
    only weights of the head decay in your answer; those of the encoder must, too.
        $decays => (decays(name) and not encoder) == decayed
    embeddings do not decay in your answer. They do: only biases and LayerNorm are left out.
        $decays => (decays(name) and "embeddings" not in name) == decayed
    with frozen_layers=2, layers 10 and 11 are frozen too: their names begin with "encoder.layers.1", or their
    numbers with a 1. Look at the whole number, up to the dot.
        layers.{i}." => layers.{i}"
    one layer too many is frozen. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers and frozen_layers + 1)
    one layer too few is frozen. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers - 1)
    the layers are counted from 1 in your answer. The first layer is encoder.layers.0.
        $layers => range(1, frozen_layers + 1)
    only layer n is frozen, or layer n − 1. All layers from 0 to n − 1 are.
        $layers => $layers[-1:]
    the embeddings are still trained when layers are frozen. They are below the first layer: freeze them too.
        (frozen_layers > 0) => 0
    the embeddings are frozen even with frozen_layers=0. Then everything is trained.
        (frozen_layers > 0) => 1
    frozen_layers is ignored.
        if not $frozen =>
    frozen parameters are in a group with the learning rate 0. They should be in no group at all.
        trained = => kept = [name for name in names if $frozen]\\ntrained =
        groups = [ => groups = [{"names": kept, "lr": 0.0, "weight_decay": 0.0}] + [
    layers of the head are frozen too. Only names that begin with "encoder." belong to the encoder.
        $frozen => any(start.removeprefix(ENCODER) in name for start in frozen)
    the whole encoder is frozen as soon as frozen_layers is above 0.
        $frozen => (frozen_layers and $encoder)
    names with "encoder" anywhere count as the encoder. Only those that begin with "encoder." do.
        $encoder => ("encoder" in name)
    the head is what has "classifier" in its name, in your answer. Everything that does not begin with
    "encoder." is the head, its pooler too.
        $encoder => ("classifier" not in name)
    the embeddings count as the head in your answer. They belong to the encoder.
        $encoder => name.startswith(f"{ENCODER}layers.")
    empty groups are in the list. Leave them out: an optimiser refuses a group without parameters.
        if group["names"] =>
    the head comes first in your list. The order is: encoder decayed, encoder not, head decayed, head not.
        for encoder in (True, False) => for encoder in (False, True)
    groups without decay come first in your list. The order is: encoder decayed, encoder not, head decayed,
    head not.
        for decayed in (True, False) => for decayed in (False, True)
    the order is encoder decayed, head decayed, encoder not, head not in your list. It should be: encoder
    decayed, encoder not, head decayed, head not.
        for encoder in => for other in
        for decayed in => for encoder in
        for other in => for decayed in
    parameters with one learning rate are in one group, whatever their decay. Make two groups of each.
        return merged(result, "lr")
    there is a group for each parameter. Put those with the same learning rate and decay into one.
        return [{**group, "names": [name]} for group in result for name in group["names"]]
    the names within a group are sorted. Leave them in the order in which they come.
        return [{**group, "names": sorted(group["names"])} for group in result]
    these are names alone. Each group is a dict with names, lr and weight_decay.
        return [group["names"] for group in result]
    """,
    decays,
    merged=merged,
)
