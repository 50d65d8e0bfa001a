"""Known mistakes in `adamw_step` other than its three planted bugs."""

from ..checks.edits import edits
from .bug_hunt import version

BUGS: frozenset[int] = frozenset()  # all three are fixed

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

    1e-8 is added under the root. Take the root first, then add 1e-8.
        ($root + TINY) => np.sqrt(square[name] / correction + TINY)
    the constant 1e-8 has changed. Add 1e-8 to the root.
        $root + TINY => $root + {0 | 1e-6 | 1e-7 | 1e-10 | 1e-12}
    the root of v is missing. Divide by its root, not by v itself.
        $root => square[name] / correction
    the mean is no longer corrected. Divide it by 1 - 0.9**step.
        $m => mean[name]
    neither mean is corrected. Divide m and v by their corrections.
        $m => mean[name]
        1 - SQUARE**step => 1.0
    the corrections of the two means are swapped. m needs the one with 0.9, v the one with 0.999.
        1 - SQUARE**step => 1 - MEAN ** step
        1 - MEAN**step => 1 - SQUARE**step
    the step number in the corrections is off by one: the first step is step 1.
        **step =>> ** (step + 1)
    the step count increases by two. Each call is one step.
        + 1, {} => + 2, {}
    the step count in the memory does not increase. Return it increased by one.
        "step": step => "step": step - 1
    the memory holds corrected means. Store m and v before their correction.
        "mean": mean => $corrected_m
        "square": square => "square": {name: v / (1 - SQUARE**step) for name, v in square.items()}
    the memory holds a corrected m. Store m and v before their correction.
        "mean": mean => $corrected_m
    the weights 0.999 and 0.001 of v's running mean have changed. Put them back.
        $v => 0.99 * memory["square"][name] + 0.01 * g**2
    v is computed from the gradients before clipping. Use the clipped gradients.
        (1 - SQUARE) * g**2 => (1 - SQUARE) * gradients[name] ** 2
    v never decreases in your answer. It is a running mean, which may go down as well as up.
        $v => np.maximum(memory["square"][name], $v)
    each number of the gradient is clipped separately. Scale the whole gradient by one factor.
        g * $factor => np.clip(g, -clip, clip)
    every gradient is scaled to the length `clip`, even a shorter one. Scale down only those that are longer.
        $factor => clip / (length + TINY)
    clipping does not divide by the gradient's length. The factor is `clip` over the length, at most 1.
        $factor => min(1.0, clip)
    the gradient is not clipped. Scale it down if it is longer than `clip`.
        $factor => 1
    the square root is missing from the length of all gradients.
        $whole => sum((g**2).sum() for g in gradients.values())
    you use the length of the longest array. For the length of all gradients
    together, add up all their squares.
        $whole => max(map(np.linalg.norm, gradients.values()))
    you add up the lengths of the arrays. For the length of all gradients together, add up all their squares,
    then take the root.
        $whole => sum(map(np.linalg.norm, gradients.values()))
    biases do not decay in your answer. Here all parameters decay.
        decay * w) => decay * w * (name != "bias"))
    the decay is computed from the weight after its move. Use the weight before the move.
        $after => (w - rate * move) * (1 - rate * decay)
    the decay is not multiplied by the learning rate.
        $after => w - rate * move - decay * w
    the decay is multiplied by the learning rate twice. Once is enough.
        $after => w - rate * move - rate**2 * decay * w
    the weights no longer decay. Subtract the decay together with the move.
        $after => w - rate * move
    the decay has the wrong sign: it must pull the weights towards 0.
        $after => w - rate * (move - decay * w)
    the weights move uphill, because the move has the wrong sign.
        $after => w + rate * (move - decay * w)
    """,
    left=BUGS,
)
