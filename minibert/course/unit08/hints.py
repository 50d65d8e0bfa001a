"""Hints for the exercises of unit 08, from a first idea to nearly complete code."""

HINTS = {
    "align_labels": (
        "Go through the tokens, and ask two questions about each of them. Does it belong to a word? If so, "
        "is it the first token of that word?",
        "A token is the first of its word if the previous token belongs to another word or to no word. Keep "
        "the previous token's word number in a variable.",
        "In a loop over `word_ids`, append IGNORE if `word is None or word == before`, otherwise "
        "`labels[word]`; then set `before = word`.",
    ),
    "decode_entities": (
        "Go through the tags and keep track of the current entity, if there is one. When does it end? When "
        "does a new one begin?",
        "An entity ends before an O, before a B-, and before a tag of another type. After this check, a new "
        "entity begins if the tag is not O and no entity is open.",
        'Store the `start` and `kind` of the current entity. Loop over `[*tags, "O"]`: the additional O ends '
        "an entity that is still open. The last word of an entity is `i - 1`.",
    ),
    "entity_f1": (
        "You can compute all scores from three counts: the correct entities, the predicted entities and the "
        "gold entities.",
        "For each sentence, make one set of the gold entities and one of the predicted entities. An entity "
        "in both sets is correct. Add up the three counts over the sentences.",
        "Use `right += len(a & b)`, `found += len(b)` and `wanted += len(a)` for each sentence. Then "
        "`precision = 100 * right / found` if `found` is not 0, and F1 is `2 * p * r / (p + r)` if `right` "
        "is not 0.",
    ),
    "combine_layers": (
        "There are three kinds of methods: take one layer, concatenate four layers, or compute a weighted "
        "sum. Which layers does each method read?",
        "Count from the end with negative indices. Both methods that use four layers read the same slice. "
        "`layers` begins with the embeddings. Concatenate along the last axis. The weights are the softmax "
        "of the scores.",
        "Concatenate with `np.concatenate(list(layers[-4:]), axis=-1)`. A weighted sum is `gamma * "
        "np.tensordot(softmax(scores), chosen, axes=1)`; if `scores` is None, use zeros instead.",
    ),
    "test_decode": (
        "Write three or four short sequences of tags together with their entities. Which mistake would none "
        "of them reveal?",
        "Include an entity of two words, one at the end of the sentence, two adjacent ones of the same type, "
        "a stray I- after O, another after a different type, and types that are not in alphabetical order.",
        "Compare the result with the list that you expect, using `==`, for the example of exercise 2 and for "
        '`["O", "I-LOC", "I-LOC"]`. Store `list(tags)` before the call and compare it with `tags` '
        "afterwards.",
    ),
    "read_tags": (
        "Each broken rule has one cause in the code. Start with the loop over the tokens. What does `found` "
        "contain after the last token of a word?",
        "A word's later tokens must not overwrite the tag of its first token. Every word number below "
        "`num_words` needs a tag. A stray I- can also come after a tag of another type.",
        'The three changes are `and word not in found`, `found.get(word, "O") for word in range(num_words)` '
        "and `before[2:] != tag[2:]`.",
    ),
}
