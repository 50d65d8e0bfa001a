"""Known mistakes in `parameter_groups`: the learning rates, the decay, the frozen layers, the order.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2; google-research/bert, optimization.py.
"""

from ..checks.edits import edits
from .definitions import decays, parameter_groups


def merged(groups: list[dict], *keys: str) -> list[dict]:
    """Merge the groups with equal values of these keys; the first group's other values are kept."""
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

    names with "norm" anywhere do not decay in your answer. Only the part before the last counts: it is `norm`
    or ends in `_norm`.
        $norm => "norm" not in name
    names with "bias" anywhere do not decay in your answer. Only the last part counts: it must be `bias`.
        $bias => "bias" not in name
    names with "norm" or "bias" anywhere do not decay in your answer. Look only at the
    last part and the one before it.
        $bias and $norm => "bias" not in name and "norm" not in name
    you also count names without a dot after "encoder" as the encoder. It is only the names that begin with
    "encoder.", including the dot.
        $encoder => name.startswith("encoder")
    in your answer the head is only the names that begin with "heads". The head is everything that does not
    begin with "encoder.".
        $encoder => (not name.startswith("heads"))
    you also freeze embeddings of the head. Freeze only names that begin with "encoder.embeddings.".
        $frozen => ($frozen or frozen_layers and "embeddings" in name)
    you compare layer numbers as strings, and "10" comes before "2". Convert them to numbers first: int(...).
        $layers => range(99) if str(i) < str(frozen_layers)
    you merge groups with the same learning rate and decay. Keep encoder and head, decayed and not, in
    separate groups, whatever their values.
        return merged(result, "lr", "weight_decay")
    if weight_decay is 0, you put everything into one group. Sort by the names only.
        $decays => (decays(name) and weight_decay > 0) == decayed
    you leave out the head if layers are frozen. Leave out only the encoder's lowest layers and embeddings.
        $frozen => ($frozen or frozen_layers and not $encoder)
    the order of the groups is reversed. It should be: encoder decayed, encoder not, head decayed, head not.
        return result[::-1]
    the two learning rates are swapped. The encoder should have encoder_rate, the head head_rate.
        $rate => head_rate if encoder else encoder_rate
    all groups have encoder_rate. The new head should have head_rate.
        $rate => encoder_rate
    all groups have head_rate. The encoder should have encoder_rate.
        $rate => head_rate
    everything decays. Biases and LayerNorms must not decay.
        $decay => weight_decay
    nothing decays. Only biases and LayerNorms should have decay 0.
        $decay => 0.0
    the decay is the wrong way round. Biases and LayerNorms should have decay 0, all others weight_decay.
        $decay => 0.0 if decayed else weight_decay
    your decay is always 0.01. Use the argument `weight_decay`.
        $decay => 0.01 if decayed else 0.0
    the LayerNorms' weights decay in your answer. Neither their weights nor their biases should decay.
        $bias and $norm => $bias
    biases decay in your answer, except those of LayerNorms. No bias should decay.
        $bias and $norm => $norm
    the LayerNorm of the embeddings decays. Its module is called `norm`, without an underscore.
        $norm => "_norm" not in name
    the LayerNorms inside the layers decay. The names of their modules end in `_norm`.
        $norm => ".norm." not in name
    only weights of the head decay in your answer. Those of the encoder should decay too.
        $decays => (decays(name) and not encoder) == decayed
    embeddings do not decay in your answer, but they should. Exempt only biases and LayerNorms.
        $decays => (decays(name) and "embeddings" not in name) == decayed
    with frozen_layers=2, you also freeze layers 10 and 11, because their names begin with "encoder.layers.1"
    too. Compare the whole number, up to the dot.
        layers.{i}." => layers.{i}"
    you freeze one layer too many. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers and frozen_layers + 1)
    you freeze one layer too few. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers - 1)
    you count the layers from 1. The first layer is encoder.layers.0.
        $layers => range(1, frozen_layers + 1)
    you freeze only layer n or layer n − 1. Freeze all layers from 0 to n − 1.
        $layers => $layers[-1:]
    the embeddings are still trained if layers are frozen. They are below the first layer: freeze them too.
        (frozen_layers > 0) => 0
    the embeddings are frozen even with frozen_layers=0. In that case, train everything.
        (frozen_layers > 0) => 1
    frozen_layers is ignored. Leave the embeddings and the lowest layers out of the groups.
        if not $frozen =>
    frozen parameters are in a group with the learning rate 0. They should not be in any group.
        trained = => kept = [name for name in names if $frozen]\\ntrained =
        groups = [ => groups = [{"names": kept, "lr": 0.0, "weight_decay": 0.0}] + [
    you also freeze layers of the head. Only names that begin with "encoder." belong to the encoder.
        $frozen => any(start.removeprefix(ENCODER) in name for start in frozen)
    the whole encoder is frozen if frozen_layers is above 0. Freeze the embeddings and that many layers.
        $frozen => (frozen_layers and $encoder)
    names with "encoder" anywhere count as the encoder. Only those that begin with "encoder." do.
        $encoder => ("encoder" in name)
    in your answer the head is only the names with "classifier". The head is everything that does not begin
    with "encoder.", so its pooler too.
        $encoder => ("classifier" not in name)
    the embeddings count as the head in your answer. They belong to the encoder.
        $encoder => name.startswith(f"{ENCODER}layers.")
    your list contains empty groups. Leave them out: an optimiser does not accept a group without parameters.
        if group["names"] =>
    the head comes first in your list. The order should be: encoder decayed,
    encoder not, head decayed, head not.
        for encoder in (True, False) => for encoder in (False, True)
    groups without decay come first in your list. The order should be: encoder decayed,
    encoder not, head decayed, head not.
        for decayed in (True, False) => for decayed in (False, True)
    in your list the order is: encoder decayed, head decayed, encoder not, head not. It should be: encoder
    decayed, encoder not, head decayed, head not.
        for encoder in => for other in
        for decayed in => for encoder in
        for other in => for decayed in
    parameters with the same learning rate are in one group, whatever their decay. Make two
    groups for each learning rate.
        return merged(result, "lr")
    there is a separate group for each parameter. Put parameters with the same learning
    rate and decay into one group.
        return [{**group, "names": [name]} for group in result for name in group["names"]]
    the names within a group are sorted. Keep the order of `names`.
        return [{**group, "names": sorted(group["names"])} for group in result]
    you return lists of names only. Each group is a dict with names, lr and weight_decay.
        return [group["names"] for group in result]
    """,
    decays,
    merged=merged,
)
