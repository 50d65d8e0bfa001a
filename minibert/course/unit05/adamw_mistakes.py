"""Students' common mistakes in `adamw_step`, apart from its three planted bugs."""

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

    1e-8 is added inside the square root. Take the root first, then add it.
        ($root + TINY) => np.sqrt(square[name] / correction + TINY)
    the constant that is added to the root has changed. It should be 1e-8.
        $root + TINY => $root + {0 | 1e-6 | 1e-7 | 1e-10 | 1e-12}
    the square root of v is missing. Divide by the root, not by v itself.
        $root => square[name] / correction
    the running mean m is not corrected for its start at 0. Divide it by its correction, as for v.
        $m => mean[name]
    neither running mean is corrected for its start at 0. Divide each by its correction.
        $m => mean[name]
        1 - SQUARE**step => 1.0
    the corrections of the two running means are swapped. Each belongs to its own decay rate.
        1 - SQUARE**step => 1 - MEAN ** step
        1 - MEAN**step => 1 - SQUARE**step
    the step number in the corrections is too large by one. Use 1 in the first step.
        **step =>> ** (step + 1)
    the step count increases by two. Increase it by one in each call.
        + 1, {} => + 2, {}
    the step count in `memory` does not increase. Return it increased by one.
        "step": step => "step": step - 1
    the returned memory contains corrected running means. Store m and v without their corrections.
        "mean": mean => $corrected_m
        "square": square => "square": {name: v / (1 - SQUARE**step) for name, v in square.items()}
    the returned memory contains the corrected m. Store m and v without their corrections.
        "mean": mean => $corrected_m
    the running mean v uses other weights than 0.999 and 0.001. Use these two again.
        $v => 0.99 * memory["square"][name] + 0.01 * g**2
    v is computed from the gradients before clipping. Use the clipped gradients.
        (1 - SQUARE) * g**2 => (1 - SQUARE) * gradients[name] ** 2
    v never decreases in your answer. Let it decrease too, because it is a running mean.
        $v => np.maximum(memory["square"][name], $v)
    each element of the gradient is clipped separately. Scale the whole gradient by one factor.
        g * $factor => np.clip(g, -clip, clip)
    every gradient is scaled to the norm `clip`, even a smaller one. Scale down only gradients with a larger
    norm.
        $factor => clip / (length + TINY)
    clipping ignores the norm of the gradient. Divide `clip` by it to get the factor, which is at most 1.
        $factor => min(1.0, clip)
    the gradient is not clipped. Scale it down if its norm is above `clip`.
        $factor => 1
    the square root is missing from the norm of all gradients. Take it from the sum of squares.
        $whole => sum((g**2).sum() for g in gradients.values())
    you use the largest norm of a single array. Add up the squares of all gradients, then take the root.
        $whole => max(map(np.linalg.norm, gradients.values()))
    you add up the norms of the arrays. Add up the squares of all gradients, then take the root.
        $whole => sum(map(np.linalg.norm, gradients.values()))
    biases do not decay in your answer. Apply the decay to all parameters.
        decay * w) => decay * w * (name != "bias"))
    the decay is computed from the weight after its move. Use the weight before the move.
        $after => (w - rate * move) * (1 - rate * decay)
    the decay is not multiplied by the learning rate. Multiply it, like the move.
        $after => w - rate * move - decay * w
    the decay is multiplied by the learning rate twice. Multiply it only once.
        $after => w - rate * move - rate**2 * decay * w
    the weights do not decay. Subtract the decay together with the move, both multiplied by the learning rate.
        $after => w - rate * move
    the decay has the wrong sign. Subtract it, so that it pulls the weights towards 0.
        $after => w - rate * (move - decay * w)
    the weights move uphill, because the move has the wrong sign. Subtract it.
        $after => w + rate * (move - decay * w)
    """,
    left=BUGS,
)
