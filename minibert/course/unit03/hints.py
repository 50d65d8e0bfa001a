"""Three hints for each exercise of unit 03, from a nudge to nearly the full line of code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "wordpiece_encode": (
        "Walk along the word. At each position take the longest token that fits there, and continue after "
        "it. What if none fits?",
        "You need two loops. The outer loop moves `start`. The inner loop tries each end, starting with "
        'the last: `word[start:end]`, with "##" in front unless start is 0. If this token exists, keep it '
        "and continue at `end`.",
        "`for end in range(len(word), start, -1)`, with a `break` if the token is in `vocab`. An `else` "
        'after this `for` runs if none was: return ["[UNK]"]. After the loop, add the token and set `start '
        "= end`.",
    ),
    "revealing_words": (
        "Think of a word that can be split in two ways, of a word that cannot be split, and of a word for "
        "which the greedy split gets stuck although another split works. What would a careless program do "
        "with each?",
        "`hugg` is in the vocabulary, and so is `##gy`. What does a correct tokenizer return for huggy? "
        "And what does one return that tries another split, or that keeps the tokens found so far?",
        "Three words can be enough: `huggy`; `hugs`, which can be split in several ways; and a word that "
        "could only start with a token that has ##.",
    ),
    "pair_scores": (
        "First count each pair of neighbours and each token, as often as its word occurs. Divide only "
        "after that.",
        "`zip(split, split[1:])` gives the neighbours of a split. Count pairs and tokens in two "
        "dictionaries; a `collections.Counter` starts at 0 for every key.",
        "For each word, add `tokens[token] += counts[word]` for every token and `pairs[pair] += "
        "counts[word]` for every pair. The likelihood of a pair is its count / (`tokens[left] * "
        "tokens[right]`).",
    ),
    "train_wordpiece": (
        "Score the pairs, choose one, merge it in all words, and repeat. Two helper functions make the "
        "code readable: one that splits a word into characters, one that replaces a pair in one split.",
        "To replace a pair, walk along the split with an index i and build a new list. Where `split[i:i + "
        "2] == [left, right]`, add the new token and continue at i + 2; otherwise add `split[i]` and "
        "continue at i + 1.",
        "The best pair is `min(scores, key=lambda pair: (-scores[pair], pair))`; compute the scores again "
        "after each merge. The new token is `left + right[2:]`. Stop if `scores` is empty, or as soon as "
        "the list has vocab_size tokens.",
    ),
    "pack_pair": (
        "How many tokens of A and B fit in addition to the special tokens? First truncate, then pack, "
        "then pad.",
        "There are two special tokens without B, and three with B. Copy the lists, then drop tokens in a "
        "loop while they are too long together. Work with lists, and turn them into arrays at the end.",
        "Let `room` be max_length minus the number of special tokens. `while len(a) + len(b) > room`: drop "
        "the last token of a if a is longer, otherwise the last token of b; without B, b is `[]`. The "
        "sequence is `[CLS, *a, SEP]` with type 0, then `[*b, SEP]` with type 1, then PAD up to the full "
        "length.",
    ),
    "embed": (
        "The tables have one row for each token, each position and each segment. How do you take many rows "
        "of an array in one step?",
        "Use indexing: `table[ids]` with ids of shape (B, T) gives (B, T, D). The positions are the first "
        "T rows of their table. Add the three first, then apply the LayerNorm.",
        '`weights["word.weight"][input_ids] + weights["position.weight"][:T]`, with T from '
        '`input_ids.shape`; add the rows of "token_type.weight"; then call `layer_norm`, as in the text of '
        "the exercise.",
    ),
    "basic_words": (
        "`check.basic_words.examine(...)` lists what works and what does not. Take one line marked BROKEN, "
        'make up a short text for it, such as "café ", "«pug» " or "hug the pug", and follow the text '
        "through the loop.",
        'What is "é" after `normalize`: one character or two, and of which category? Is « in '
        "`string.punctuation`? And what happens to the last word if the text ends without a space?",
        'Normalise to "NFD"; a character is also a separate word if `category.startswith("P")`; and after '
        "the loop, call `words.append(word)` once more.",
    ),
    "tokenize": (
        "You can already split a text into words, and a word into tokens. Only the step from a token to "
        "its id is missing.",
        "First turn the list into a dictionary, token → id: `wordpiece_encode` needs it, and looking "
        "up an id in it is fast. Each word that `BasicTokenizer().split(text)` returns has its text "
        "in `word.text`.",
        "`ids = {token: i for i, token in enumerate(vocab)}`. For each word, look up `ids[token]` for "
        "every token of `wordpiece_encode(word.text, ids)`, and collect them in one list with `+=`.",
    ),
}
