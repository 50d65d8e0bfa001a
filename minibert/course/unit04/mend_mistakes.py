"""Other changes to `pretraining_loss` than its three bugs."""

from ..checks.edits import edits
from .bug_hunt import version

BUGS: frozenset[int] = frozenset()  # none of them is left

PRETRAINING_LOSS = edits(
    version(BUGS),
    """
    $first = hidden[:, 0]
    $sum = else mlm + nsp
    $T = hidden.shape[1]

    NSP reads the state of [CLS], as it is: the first of each sequence.
        $first => {hidden.max(1) | hidden.sum(1) | np.tanh(hidden[:, 0]) | 0 * hidden[:, 0]}
    NSP reads the last state of each sequence. [CLS] is the first.
        $first => hidden[:, -1]
    NSP reads the second state of each sequence. [CLS] is the first.
        $first => hidden[:, 1]
    NSP reads the [CLS] of the first sequence for all sequences. Each has its own.
        $first => hidden[:1, 0].repeat(len(hidden), 0)
    NSP reads a state at an asked place. It reads that of [CLS].
        $first => {asked[:, 0] | asked.mean(1)}
    the two losses are added, each with the weight 1.
        $sum => else {(mlm + nsp) / 2 | mlm + nsp / 2 | mlm / 2 + nsp | mlm * nsp | mlm - nsp}
        or
        $sum => else {mlm + len(labels) * nsp | mlm * (labels != IGNORE).mean() + nsp}
    only the loss of exercise 1 is there.
        $sum => else mlm
    only the loss of exercise 4 is there.
        $sum => else nsp
    word.bias is missing.
        + weights["word.bias"] =>
    nsp.bias is missing.
        + weights["nsp.bias"] =>
    every class has the first one's bias.
        weights["word.bias"] => weights["word.bias"][0]
        weights["nsp.bias"] => weights["nsp.bias"][0]
    slots that are not used count, as if the token with id 0 were asked for.
        , labels) => , np.where(labels == IGNORE, 0, labels))
    a slot at place 0 is left out. Only the label -100 means that a slot is not used.
        , labels) => , np.where(places == 0, IGNORE, labels))
    labels that are 0 are left out. Only -100 means that a slot is not used.
        , labels) => , np.where(labels == 0, IGNORE, labels))
    only the first slot of each sequence counts.
        , labels) => , np.where(np.arange(labels.shape[1]) == 0, labels, IGNORE))
    the states are taken one place off. Places count from 0.
        [row, places] => [row, {(places + 1) % $T | (places - 1) % $T | np.minimum(places + 1, $T - 1)}]
    the places are sorted, and no longer belong to their labels.
        [row, places] => [row, np.sort(places)]
    0 and 1 are exchanged in NSP: 0 means that B follows A.
        , nsp_labels) => , 1 - nsp_labels)
    """,
    left=BUGS,
)
