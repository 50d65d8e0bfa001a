"""Three hints for each exercise of unit 08, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "align_labels": (
        "Walk along the tokens. For each, ask two things: does it belong to a word, and is it the first "
        "piece of that word?",
        "A piece is the first of its word if the token before it belongs to another word, or to none. Keep "
        "the number of the word before in a variable.",
        "In a loop over `word_ids`: IGNORE if `word is None or word == before`, else `labels[word]`; then "
        "`before = word`.",
    ),
    "decode_entities": (
        "Walk along the tags with one thing in mind: the entity that is open now, if any. When does it end? "
        "When does one begin?",
        "An open entity ends before an O, before a B-, and before another type. After that, if the tag is "
        "not O and no entity is open, one begins here.",
        'Remember `start` and `kind`. Walk over `[*tags, "O"]`: the O at the end closes what is still '
        "open, with the last word `i - 1`.",
    ),
    "entity_f1": (
        "Three counts are enough: entities that are right, that were found, that are there. From them come "
        "all scores.",
        "For each sentence, make a set of the entities on either side. What is in both sets is right. Add "
        "the three counts up over the sentences.",
        "`right += len(a & b)`, `found += len(b)`, `wanted += len(a)`; `precision = 100 * right / found`, if "
        "anything was found; F1 is `2 * p * r / (p + r)`, if anything is right.",
    ),
    "combine_layers": (
        "Six ways, three kinds: take one layer, join four, or mix some. Which places of `layers` does each "
        "way read?",
        "`layers[0]`, `layers[-2]`, `layers[-1]`; `layers[-4:]` for both ways with four; `layers[1:]` for "
        "all. Join along the last axis. Weights are a softmax of the scores.",
        "`np.concatenate(list(layers[-4:]), axis=-1)`; `gamma * np.tensordot(softmax(scores), chosen, "
        "axes=1)`, with zeros as scores where there are none.",
    ),
    "test_decode": (
        "Write three or four short sentences of tags, with the entities that you read in them yourself. "
        "Which mistake would not show in any of them?",
        "You need: an entity of two words, one that ends the sentence, two of one type side by side, a stray "
        "I- after O and one after another type, types out of alphabetical order.",
        'Compare with `==` to the list you expect, for the example of exercise 2 and for `["O", "I-LOC", '
        '"I-LOC"]`. Keep `list(tags)` before the call, and compare after it.',
    ),
    "read_tags": (
        "Each broken line of the examination has one cause in the code. Begin with the loop over the tokens: "
        "what is in `found` after the last piece of a word?",
        "The first piece must not be overwritten; every number below `num_words` needs a tag; a stray I- can "
        "stand after a tag of another type, too.",
        '`and word not in found`; `found.get(word, "O") for word in range(num_words)`; `before[2:] != '
        "tag[2:]`.",
    ),
}
