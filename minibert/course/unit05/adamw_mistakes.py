"""Other changes to `adamw_step` than its three bugs."""

from ..checks.edits import edits
from .bug_hunt import version

BUGS: frozenset[int] = frozenset()  # none of them is left

ADAMW = edits(
    version(BUGS),
    """
    $m = mean[name] / (1 - MEAN**step)
    $root = np.sqrt(square[name] / correction)
    $v = SQUARE * memory["square"][name] + (1 - SQUARE) * g**2
    $whole = np.sqrt(sum((g**2).sum() for g in gradients.values()))
    $factor = min(1.0, clip / (length + TINY))
    $after = w - rate * (move + (0.0 if 2 in left else decay * w))
    $corrected_m = "mean": {name: m / (1 - MEAN**step) for name, m in mean.items()}

    1e-8 is added under the root. It is added to the root.
        ($root + TINY) => np.sqrt(square[name] / correction + TINY)
    1e-8 has become another number.
        $root + TINY => $root + {0 | 1e-6 | 1e-7 | 1e-10 | 1e-12}
    the root of v is missing.
        $root => square[name] / correction
    the mean is no longer corrected: divide it by 1 - 0.9**step.
        $m => mean[name]
    neither mean is corrected.
        $m => mean[name]
        1 - SQUARE**step => 1.0
    the corrections of the two means are exchanged.
        1 - SQUARE**step => 1 - MEAN ** step
        1 - MEAN**step => 1 - SQUARE**step
    the corrections are off by one: the first step is step 1.
        **step =>> ** (step + 1)
    step is counted by two.
        + 1, {} => + 2, {}
    the step in the memory is not counted.
        "step": step => "step": step - 1
    the memory holds corrected means. It holds m and v as they are.
        "mean": mean => $corrected_m
        "square": square => "square": {name: v / (1 - SQUARE**step) for name, v in square.items()}
    the memory holds a corrected m. It holds m and v as they are.
        "mean": mean => $corrected_m
    0.999 and 0.001 have become other numbers.
        $v => 0.99 * memory["square"][name] + 0.01 * g**2
    v is made of the gradients before clipping.
        (1 - SQUARE) * g**2 => (1 - SQUARE) * gradients[name] ** 2
    v never falls in your answer.
        $v => np.maximum(memory["square"][name], $v)
    each number of the gradient is clipped by itself. Shorten the whole gradient by one factor.
        g * $factor => np.clip(g, -clip, clip)
    every gradient gets the length `clip`, also a shorter one.
        $factor => clip / (length + TINY)
    the gradient is not divided by its length when it is clipped.
        $factor => min(1.0, clip)
    nothing is clipped.
        $factor => 1
    the length of all gradients is squared: its root is missing.
        $whole => sum((g**2).sum() for g in gradients.values())
    the length of all gradients is not that of the longest array: add up the squares of all.
        $whole => max(map(np.linalg.norm, gradients.values()))
    the length of all gradients is not the sum of the arrays' lengths: add up squares, then take the root.
        $whole => sum(map(np.linalg.norm, gradients.values()))
    weights decay only if they are not a bias. Here all decay.
        decay * w) => decay * w * (name != "bias"))
    the decay is taken of the weight after its move. Take it of the weight before.
        $after => (w - rate * move) * (1 - rate * decay)
    the decay is not multiplied by the rate.
        $after => w - rate * move - decay * w
    the decay is multiplied by the rate twice.
        $after => w - rate * move - rate**2 * decay * w
    the weights no longer decay.
        $after => w - rate * move
    the decay has the wrong sign.
        $after => w - rate * (move - decay * w)
    the weights go uphill: the move has the wrong sign.
        $after => w + rate * (move - decay * w)
    """,
    left=BUGS,
)
