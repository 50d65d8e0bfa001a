"""Three hints for each exercise of unit 03, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "wordpiece_encode": (
        "Walk along the word. At each place take the longest piece that fits there, and go on after it. What "
        "if none fits?",
        "Two loops. The outer one walks with `start`. The inner one tries the ends, the last one first: "
        '`word[start:end]`, with "##" before it unless start is 0. Found: keep it, and go on at end.',
        "`for end in range(len(word), start, -1)`, with a `break` where the piece is in `vocab`. An `else` "
        'of this `for` runs where none was: return ["[UNK]"]. After the loop, add the piece and set `start '
        "= end`.",
    ),
    "revealing_words": (
        "Think of a word that has two splits; of one that has none; of one where the greedy split gets stuck "
        "although another one works. What would a careless program do with each?",
        "`hugg` is in the vocabulary, and so is `##gy`. What does a right tokenizer make of huggy, and what "
        "do those that try again, or keep what they have?",
        "Three words can be enough: `huggy`; `hugs`, which has several splits; and a word that could only "
        "begin with a piece that has ##.",
    ),
    "pair_scores": (
        "First count: each pair of neighbours, and each piece, as often as its word occurs. Only then is "
        "there something to divide.",
        "`zip(split, split[1:])` gives the neighbours of a split. Count pairs and pieces in two "
        "dictionaries; `collections.Counter` begins at 0 for you.",
        "For each word `pieces[piece] += counts[word]` for every piece, and `pairs[pair] += counts[word]` "
        "for every pair. The likelihood of a pair is its count / (`pieces[left] * pieces[right]`).",
    ),
    "train_wordpiece": (
        "Score, choose, merge, replace in all words; and again. Two helpers make it readable: one that "
        "spells a word, one that replaces a pair in one split.",
        "To replace a pair, walk along the split with an index i and build a new list. Where `split[i:i + 2] "
        "== [left, right]`, add the new piece and go on at i + 2; else add `split[i]` and go on at i + 1.",
        "Best: `min(scores, key=lambda pair: (-scores[pair], pair))`, from scores made anew after each "
        "merge. The new piece is `left + right[2:]`. Stop where `scores` is empty, or as soon as the list "
        "has vocab_size pieces.",
    ),
    "pack_pair": (
        "How much room is left for A and B beside the special tokens? First cut, then pack, then fill up.",
        "Two special tokens without B, three with B. Copy the lists, then drop tokens in a loop while they "
        "are too long together. Pack with lists, and make arrays at the end.",
        "`while len(a) + len(b) > room`: drop the last of a if it is longer, else the last of b; without B, "
        "b is `[]`. The sequence is `[CLS, *a, SEP]`, of type 0, then `[*b, SEP]`, of type 1, then as many "
        "PAD as are missing.",
    ),
    "embed": (
        "A table has one row for each token, each place, each segment. How do you take many rows of an array "
        "at once?",
        "Indexing does it: `table[ids]` with ids of shape (B, T) gives (B, T, D). The positions are simply "
        "the first T rows of their table. First the sum, then the LayerNorm.",
        '`weights["word.weight"][input_ids] + weights["position.weight"][:T]`, with T from '
        '`input_ids.shape`; add the rows of "token_type.weight"; then `layer_norm`, as it stands above.',
    ),
    "basic_words": (
        "`check.basic_words.examine(...)` says what holds and what does not. Take one sentence that is "
        'BROKEN, make up a short text for it, such as "café ", "«pug» " or "hug the pug", and follow '
        "it through the loop.",
        'What is "é" after `normalize`: one character or two, and of which category? Is « in '
        "`string.punctuation`? And where is a word when the text ends without a space?",
        'Normalise to "NFD"; a sign also stands alone where `category.startswith("P")`; and after the '
        "loop there is one more `words.append(word)`.",
    ),
    "tokenize": (
        "You have a text into words, and a word into pieces. Only the way from a piece to its id is missing.",
        "Turn the list into a dictionary first, piece → id: `wordpiece_encode` needs it, and looking an id "
        "up there is fast. What `BasicTokenizer().split(text)` gives has its text in `word.text`.",
        "`places = {piece: i for i, piece in enumerate(vocab)}`. For each word look up `places[piece]` for "
        "every piece of `wordpiece_encode(word.text, places)`, and add these ids to one list with `+=`.",
    ),
}
