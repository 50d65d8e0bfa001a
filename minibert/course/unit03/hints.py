"""Hints for the exercises of unit 03, from a nudge to a nearly complete line of code."""

HINTS = {
    "wordpiece_encode": (
        "Go through the word from left to right. Take the longest token that fits at each position, and "
        "continue after it. What should happen if no token fits?",
        "You need two loops. The outer loop moves `start`. The inner loop tries each end, starting with "
        'the last: `word[start:end]`, with "##" in front unless start is 0. If this token exists, keep it '
        "and continue at `end`.",
        "Loop `for end in range(len(word), start, -1)`, with a `break` if the token is in `vocab`. An `else` "
        'after this loop runs if no token was found: return ["[UNK]"] there. After the loop, add the token '
        "and set `start = end`.",
    ),
    "revealing_words": (
        "Think of a word that can be split in two ways, a word that cannot be split, and a word for which "
        "the greedy split gets stuck although another split works. What would a careless program do with "
        "each word?",
        "`hugg` is in the vocabulary, and so is `##gy`. What does a correct tokenizer return for huggy? "
        "What does a tokenizer return that tries another split, or that keeps the tokens found so far?",
        "Three words can be enough: `huggy`, `hugs`, which can be split in several ways, and a word whose "
        "beginning exists only as a token with ##.",
    ),
    "pair_scores": (
        "First count each pair of adjacent tokens and each token, as often as its word occurs. Divide only "
        "after that.",
        "`zip(split, split[1:])` gives the pairs of adjacent tokens of a split. Count pairs and tokens in "
        "two dictionaries; a `collections.Counter` starts at 0 for every key.",
        "For each word, add `tokens[token] += counts[word]` for every token and `pairs[pair] += "
        "counts[word]` for every pair. The likelihood of a pair is its count / (`tokens[left] * "
        "tokens[right]`).",
    ),
    "train_wordpiece": (
        "Score the pairs, choose one, merge it in all words, and repeat. Write two helper functions: one "
        "that splits a word into characters, and one that replaces a pair in one split.",
        "To replace a pair, go through the split with an index i and build a new list. Where `split[i:i + "
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
        "loop while A and B together are too long. Work with lists, and turn them into arrays at the end.",
        "Let `room` be max_length minus the number of special tokens. While `len(a) + len(b) > room`, drop "
        "the last token of a if a is longer, otherwise of b (`[]` if there is none). The sequence is `[CLS, "
        "*a, SEP]` with type 0, `[*b, SEP]` with type 1, then PAD.",
    ),
    "embed": (
        "The tables have one row for each token, each position and each segment. How do you take many rows "
        "of an array in one step?",
        "Use indexing: `table[ids]` with ids of shape (B, T) has the shape (B, T, D). The position "
        "embeddings are the first T rows of their table. Add all three embeddings, then apply the LayerNorm.",
        'Start with `weights["word.weight"][input_ids] + weights["position.weight"][:T]`, with T from '
        '`input_ids.shape`. Add the rows of "token_type.weight". Then call `layer_norm`, as in the text of '
        "the exercise.",
    ),
    "basic_words": (
        "`check.basic_words.examine(...)` lists what works and what does not. Take one line marked BROKEN, "
        'make up a short text for it, such as "café ", "«pug» " or "hug the pug", and follow the text '
        "through the loop.",
        'What is "é" after `normalize`: one character or two, and of which category? Is « in '
        "`string.punctuation`? And what happens to the last word if the text ends without a space?",
        'Make three changes: normalise to "NFD"; treat a character as a separate word also if '
        '`category.startswith("P")`; and after the loop, call `words.append(word)` once more.',
    ),
    "tokenize": (
        "You can already split a text into words, and a word into tokens. Only the step from a token to "
        "its id is missing.",
        "First turn the list into a dictionary that maps each token to its id: `wordpiece_encode` needs it, "
        "and looking up an id in it is fast. Each word that `BasicTokenizer().split(text)` returns has its "
        "text in `word.text`.",
        "Let `ids = {token: i for i, token in enumerate(vocab)}`. For each word, look up `ids[token]` for "
        "every token of `wordpiece_encode(word.text, ids)`, and collect the ids in one list with `+=`.",
    ),
}
