"""The ways to use a pretrained trunk, by name: train it with the head, leave it as it is below the head, or
read its layers.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7.
"""
from .features import WAYS, feature_heads
from .frozen import frozen
from .words import some_words

# full: all is trained; frozen: the task's head alone; WAYS: a BiLSTM on some layers
NAMES = ("full", "frozen", *WAYS)


def check_way(way, encoder_rate=None, layer_decay=1.0):
    """Raise ValueError for an unknown way, and for rates of a trunk that the way does not train."""
    if way not in NAMES:
        raise ValueError(f"unknown way {way!r}; known ways: {', '.join(NAMES)}")
    if way != "full" and (encoder_rate is not None or layer_decay != 1.0):
        raise ValueError(f"way {way!r} does not train the trunk: encoder_rate and layer_decay go with 'full'")


def way_heads(task, way, encoder):
    """The output layers of a task, for a way. Raises ValueError where the way does not fit the task or the
    trunk.
    """
    heads = task.heads(encoder)
    return feature_heads(heads, encoder.config, way) if way in WAYS else heads


def prepared(model, task, way, rows):
    """A context in which `train` trains what the way trains: "full" all that `rows` show; else the trunk
    knows them already.
    """
    return some_words(model, task, rows) if way == "full" else frozen(model, task, rows, WAYS.get(way))
