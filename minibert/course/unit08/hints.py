"""Three hints for each exercise of unit 08, from a first nudge to almost the complete code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "align_labels": (
        "Go through the tokens. For each, ask two questions: does it belong to a word, and is it the "
        "first token of that word?",
        "A token is the first of its word if the previous token belongs to another word, or to none. Keep "
        "the previous token's word number in a variable.",
        "In a loop over `word_ids`, append IGNORE if `word is None or word == before`, otherwise "
        "`labels[word]`; then set `before = word`.",
    ),
    "decode_entities": (
        "Go through the tags and keep track of the entity that is open, if any. When does it end? "
        "When does a new one begin?",
        "An open entity ends before an O, before a B-, and before another type. After this check, if the "
        "tag is not O and no entity is open, a new one begins here.",
        'Remember `start` and `kind`. Loop over `[*tags, "O"]`: the O at the end closes an open entity, '
        "whose last word is `i - 1`.",
    ),
    "entity_f1": (
        "Three counts are enough for all scores: how many entities are right, how many were "
        "found, and how many are wanted.",
        "For each sentence, make a set of the gold entities and a set of the predicted ones. An entity in "
        "both sets is right. Add up the three counts over the sentences.",
        "`right += len(a & b)`, `found += len(b)`, `wanted += len(a)`; `precision = 100 * right / found` if "
        "anything was found; F1 is `2 * p * r / (p + r)` if anything is right.",
    ),
    "combine_layers": (
        "The six ways are of three kinds: take one layer, concatenate four, or compute a weighted sum. "
        "Which layers does each way read?",
        "Count from the end with negative indices; both ways with four layers read the same "
        "slice. `layers` begins with the embeddings. Concatenate along the last axis. The weights "
        "are the softmax of the scores.",
        "Concatenate with `np.concatenate(list(layers[-4:]), axis=-1)`. A weighted sum is `gamma * "
        "np.tensordot(softmax(scores), chosen, axes=1)`, with zeros for `scores` if it is None.",
    ),
    "test_decode": (
        "Write three or four short tag sequences together with their entities. Which mistake "
        "would none of them reveal?",
        "You need an entity of two words, one at the end of the sentence, two of the same type next to each "
        "other, a stray I- after O and one after another type, and types that are not in alphabetical order.",
        'Compare with the list that you expect, using `==`, for the example of exercise 2 and for `["O", '
        '"I-LOC", "I-LOC"]`. Keep `list(tags)` before the call and compare it with `tags` afterwards.',
    ),
    "read_tags": (
        "Each broken rule has one cause in the code. Start with the loop over the tokens: what does `found` "
        "contain after the last token of a word?",
        "The first token's tag must not be overwritten; every word number below `num_words` needs a tag; a "
        "stray I- can also come after a tag of another type.",
        'The three changes use `and word not in found`, `found.get(word, "O") for word in range(num_words)` '
        "and `before[2:] != tag[2:]`.",
    ),
}
