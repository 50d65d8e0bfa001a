"""Learning rates that differ by place: one for the new head, one for the trunk, smaller the lower the layer.

Howard and Ruder (2018, arXiv 1801.06146), section 3.2, "discriminative fine-tuning", divide by 2.6 from layer
to layer; Sun et al. (2019, arXiv 1905.05583) multiply by a decay factor xi for BERT: the rate of layer k - 1
is xi times that of layer k.
"""


def rate_groups(model, peak_rate, encoder_rate, layer_decay):
    """`parameter_groups`, or None, for `train`, where all rates are the same."""
    same = encoder_rate in (None, peak_rate) and layer_decay == 1.0
    return None if same else parameter_groups(model, peak_rate, encoder_rate, layer_decay)


def parameter_groups(model, peak_rate, encoder_rate=None, layer_decay=1.0):
    """Groups for an optimiser, [{"params": [...], "lr": rate}], that hold each trained parameter of a Model
    once.

    peak_rate: of what is new, the heads. encoder_rate: of the trunk's top layer; None = the same.
    layer_decay: xi, above 0, at most 1; the embeddings count as the layer below the first. A layer that is
    applied again and again has the rate of its top place; an output matrix tied to the embeddings has theirs.
    Raises ValueError for a rate or a decay out of range, and for a trunk without a list of layers.
    """
    encoder_rate = peak_rate if encoder_rate is None else encoder_rate
    for name, rate in (("peak_rate", peak_rate), ("encoder_rate", encoder_rate)):
        if rate <= 0:
            raise ValueError(f"{name}={rate} must be above 0")
    if not 0 < layer_decay <= 1:
        raise ValueError(f"layer_decay={layer_decay} must be above 0 and at most 1")
    encoder = model.encoder
    if not hasattr(encoder, "layers"):
        raise ValueError(
            f"a trunk of class {type(encoder).__name__} has no list of layers whose rates could differ")
    below = [*reversed(encoder.layers), encoder.embeddings]                     # from the top
    parts = [(encoder_rate * layer_decay**depth, part) for depth, part in enumerate(below)]
    placed = {id(p) for part in below for p in part.parameters()}
    parts.append((encoder_rate, [p for p in encoder.parameters()
                                 if id(p) not in placed]))      # a last norm, where there is one
    parts.append((peak_rate, model))
    groups, taken = [], set()
    for rate, part in parts:
        params = part if isinstance(part, list) else list(part.parameters())
        params = [p for p in params if p.requires_grad and id(p) not in taken]
        taken.update(map(id, params))
        if params:
            groups.append({"params": params, "lr": rate})
    return groups
