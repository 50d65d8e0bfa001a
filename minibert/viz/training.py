"""The curves of a training run, from the entries of its log: the loss and its parts, and the learning rate."""
import numpy as np
from matplotlib.ticker import MaxNLocator

from .explorer import figure
from .plots import LINES, headline, plain

POINTS = 100        # of a curve: a longer log is drawn as means over neighbouring steps


def training_curves(log, title="The loss of each step, and the learning rate", reachable=None):
    """The log of `minibert.training.train`, or of `read_log`, as (Figure, a description in words).

    log: dicts with step, loss, the parts' losses, rate, tokens, seconds; a part that is the whole loss is not drawn twice.
    reachable: the lowest loss that the data allows, where known. Raises ValueError for no entries, or more than three parts.
    """
    if not log:
        raise ValueError("0 entries: a log needs at least one step")
    names = [name for name in log[0] if name not in ("step", "loss", "rate", "tokens", "seconds")]
    names = ["loss", *names] if len(names) > 1 else ["loss"]
    if len(names) > len(LINES):
        raise ValueError(f"{len(names)} lines in a panel: at most {len(LINES)} can be told apart")
    groups = np.array_split(np.arange(len(log)), min(POINTS, len(log)))

    def means(name):
        return [float(np.mean([log[i][name] for i in group])) for group in groups]
    fig, (left, right) = figure(8.0, 3.1, ncols=2)
    for (color, _, dash), name in zip(LINES, names):
        left.plot(means("step"), means(name), dash, color=color, label=name)
    if reachable is not None:
        left.axhline(reachable, color="black", linestyle=(0, (1, 3)), label="reachable")
    left.set(xlabel="step", ylabel="loss")
    right.plot(means("step"), means("rate"), "-", color=LINES[0][0])
    right.set(xlabel="step", ylabel="learning rate", ylim=(0, None))
    for ax in (left, right):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        plain(ax)
    if len(left.lines) > 1:
        left.legend(frameon=False, fontsize=9)
    headline(fig, title)
    told = ", ".join(f"{name} from {means(name)[0]:.3g} to {means(name)[-1]:.3g}" for name in names)
    bound = "" if reachable is None else f"; reachable {reachable:.3g}"
    return fig, f"{title}. Steps {log[0]['step']} to {log[-1]['step']}: {told}{bound}; the rate ends at {log[-1]['rate']:.2g}."
