"""Students' common mistakes in `parameter_groups`: learning rates, decay, frozen layers and order.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2; google-research/bert, optimization.py.
"""

from ..checks.edits import edits
from .definitions import decays, parameter_groups


def merged(groups: list[dict], *keys: str) -> list[dict]:
    """Return parameter groups, merging groups with equal values for all `keys`.

    A merged group has all their names, and the other values of the first.
    """
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

    you exempt every name that contains "norm" from decay. Only the module's name counts: it is `norm` or ends
    in `_norm`.
        $norm => "norm" not in name
    you exempt every name that contains "bias" from decay. Check only the last part of the name.
        $bias => "bias" not in name
    you exempt every name that contains "norm" or "bias" from decay. Check only the last part and the one
    before it.
        $bias and $norm => "bias" not in name and "norm" not in name
    you count every name that begins with "encoder" as the encoder, even without a dot after it.
        $encoder => name.startswith("encoder")
    you count only names that begin with "heads" as the head. The head is everything that does not begin with
    "encoder.".
        $encoder => (not name.startswith("heads"))
    you also freeze embeddings in the head. Freeze only names that begin with "encoder.embeddings.".
        $frozen => ($frozen or frozen_layers and "embeddings" in name)
    you compare layer numbers as strings, so "10" comes before "2". Convert them to integers first.
        $layers => range(99) if str(i) < str(frozen_layers)
    you merge groups with the same learning rate and decay. Keep four groups, even if their values are equal.
        return merged(result, "lr", "weight_decay")
    if weight_decay is 0, you do not separate parameters with and without decay. Group them by their names,
    whatever the values.
        $decays => (decays(name) and weight_decay > 0) == decayed
    you leave out the head if layers are frozen. Leave out only the embeddings and the lowest layers of the
    encoder.
        $frozen => ($frozen or frozen_layers and not $encoder)
    the order of the groups is reversed. It should be: encoder with decay, encoder without, head with decay,
    head without.
        return result[::-1]
    the two learning rates are swapped. The encoder should get encoder_rate, and the head head_rate.
        $rate => head_rate if encoder else encoder_rate
    all groups have encoder_rate. The new head should get head_rate.
        $rate => encoder_rate
    all groups have head_rate. The encoder should get encoder_rate.
        $rate => head_rate
    all parameters decay in your answer. Biases and LayerNorms must not decay.
        $decay => weight_decay
    no parameter decays in your answer. Only biases and LayerNorms should have a decay of 0.
        $decay => 0.0
    the decay values are swapped. Biases and LayerNorms should have a decay of 0, all others weight_decay.
        $decay => 0.0 if decayed else weight_decay
    your decay is always 0.01. Use the argument `weight_decay`.
        $decay => 0.01 if decayed else 0.0
    the LayerNorms' weights decay in your answer. Neither their weights nor their biases should decay.
        $bias and $norm => {$bias | "bias" not in name}
    biases decay in your answer, except those of LayerNorms. No bias should decay.
        $bias and $norm => $norm
    the LayerNorm of the embeddings decays in your answer, but it should not. Its module is called `norm`,
    without an underscore.
        $norm => "_norm" not in name
    the LayerNorms inside the layers decay in your answer, but they should not. The names of their modules end
    in `_norm`.
        $norm => ".norm." not in name
    only the weights of the head decay in your answer. Those of the encoder should decay too.
        $decays => (decays(name) and not encoder) == decayed
    embeddings do not decay in your answer, but they should. Exempt only biases and LayerNorms.
        $decays => (decays(name) and "embeddings" not in name) == decayed
    with frozen_layers=2, you also freeze layers 10 and 11, because their names also begin with
    "encoder.layers.1". Compare the whole number, up to the dot.
        layers.{i}." => layers.{i}"
    you freeze one layer too many. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers and frozen_layers + 1)
    you freeze one layer too few. frozen_layers=n freezes layers 0 to n − 1.
        $layers => range(frozen_layers - 1)
    you count the layers from 1. The first layer is encoder.layers.0.
        $layers => range(1, frozen_layers + 1)
    you freeze only one layer, n or n − 1. Freeze all layers from 0 to n − 1.
        $layers => $layers[-1:]
    you still train the embeddings if layers are frozen. They are below the first layer, so freeze them too.
        (frozen_layers > 0) => 0
    you freeze the embeddings even if frozen_layers is 0. In that case, train everything.
        (frozen_layers > 0) => 1
    frozen_layers is ignored. Leave the embeddings and the lowest layers out of the groups.
        if not $frozen =>
    you put frozen parameters into a group with a learning rate of 0. Leave them out of all groups.
        trained = => kept = [name for name in names if $frozen]\\ntrained =
        groups = [ => groups = [{"names": kept, "lr": 0.0, "weight_decay": 0.0}] + [
    you also freeze layers in the head. Freeze only those whose names begin with "encoder.".
        $frozen => any(start.removeprefix(ENCODER) in name for start in frozen)
        or
        $frozen => any(start.replace("encoder.l", "l") in name for start in frozen)
    you freeze the whole encoder if frozen_layers is above 0. Freeze only the embeddings and the given number
    of layers.
        $frozen => (frozen_layers and $encoder)
    you count every name that contains "encoder" as the encoder. Only names that begin with "encoder." belong
    to it.
        $encoder => ("encoder" in name)
    you count only names that contain "classifier" as the head. The head is everything that does not begin
    with "encoder.", including its pooler.
        $encoder => ("classifier" not in name)
    you count the embeddings as part of the head. They belong to the encoder.
        $encoder => name.startswith(f"{ENCODER}layers.")
    your list contains empty groups. Leave them out: an optimiser does not accept a group without parameters.
        if group["names"] =>
    the head comes first in your list. The order should be: encoder with decay, encoder without, head with
    decay, head without.
        for encoder in (True, False) => for encoder in (False, True)
    groups without decay come first in your list. The order should be: encoder with decay, encoder without,
    head with decay, head without.
        for decayed in (True, False) => for decayed in (False, True)
    your list alternates between encoder and head. The order should be: encoder with decay, encoder without,
    head with decay, head without.
        for encoder in => for other in
        for decayed in => for encoder in
        for other in => for decayed in
    you put parameters with the same learning rate into one group, whatever their decay. Make two groups for
    each learning rate, with and without decay.
        return merged(result, "lr")
    you make a separate group for each parameter. Put parameters with the same learning rate and decay into
    one group.
        return [{**group, "names": [name]} for group in result for name in group["names"]]
    you sort the names within a group. Keep the order of `names`.
        return [{**group, "names": sorted(group["names"])} for group in result]
    you return only lists of names. Each group should be a dict with the keys names, lr and weight_decay.
        return [group["names"] for group in result]
    """,
    decays,
    merged=merged,
)
