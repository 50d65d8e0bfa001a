"""Students' common mistakes in `pretraining_loss`, apart from its three planted bugs."""

from ..checks.edits import edits
from .bug_hunt import version

BUGS: frozenset[int] = frozenset()  # no planted bug is left

PRETRAINING_LOSS = edits(
    version(BUGS),
    """
    $first = hidden[:, 0]
    $sum = else mlm + nsp
    $T = hidden.shape[1]

    NSP does not use the state of [CLS] as it is. Use the first state of each sequence.
        $first => {hidden.max(1) | hidden.sum(1) | np.tanh(hidden[:, 0]) | 0 * hidden[:, 0]}
    NSP uses the last state of each sequence. Use the first state, that of [CLS].
        $first => hidden[:, -1]
    NSP uses the second state of each sequence. Use the first state, that of [CLS].
        $first => hidden[:, 1]
    NSP uses the [CLS] state of the first sequence for all sequences. Use that of each sequence.
        $first => hidden[:1, 0].repeat(len(hidden), 0)
    NSP uses the state of a masked token. Use the state of [CLS].
        $first => {asked[:, 0] | asked.mean(1)}
    the two losses are not combined correctly. Add them, each with weight 1.
        $sum => else {(mlm + nsp) / 2 | mlm + nsp / 2 | mlm / 2 + nsp | mlm * nsp | mlm - nsp}
        or
        $sum => else {mlm + len(labels) * nsp | mlm * (labels != IGNORE).mean() + nsp}
    you return only the MLM loss. Add the NSP loss.
        $sum => else mlm
    you return only the NSP loss. Add the MLM loss.
        $sum => else nsp
    word.bias is missing. Add it to the logits of the MLM head.
        + weights["word.bias"] =>
    nsp.bias is missing. Add it to the logits of the NSP head.
        + weights["nsp.bias"] =>
    every class has the bias of the first class. Add the whole bias vector.
        weights["word.bias"] => weights["word.bias"][0]
        weights["nsp.bias"] => weights["nsp.bias"][0]
    you count unused slots, as if their label were the token with id 0. Leave out slots with the label -100.
        , labels) => , np.where(labels == IGNORE, 0, labels))
    you leave out slots at position 0. Leave out only slots with the label -100.
        , labels) => , np.where(places == 0, IGNORE, labels))
    you leave out labels that are 0. Leave out only slots with the label -100.
        , labels) => , np.where(labels == 0, IGNORE, labels))
    you count only the first slot of each sequence. Count every slot with a label.
        , labels) => , np.where(np.arange(labels.shape[1]) == 0, labels, IGNORE))
    the states are one position off. Use `places` as they are, because positions count from 0.
        [row, places] => [row, {(places + 1) % $T | (places - 1) % $T | np.minimum(places + 1, $T - 1)}]
    you sort the positions, so they no longer match their labels. Keep their order.
        [row, places] => [row, np.sort(places)]
    you swapped the NSP labels 0 and 1. Use 0 if B follows A, and 1 if it does not.
        , nsp_labels) => , 1 - nsp_labels)
    """,
    left=BUGS,
)
