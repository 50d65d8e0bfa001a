"""Vocabularies: the pieces, their order, the two scores, and the library's trainer beside ours."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as Pieces
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.trainers import WordPieceTrainer

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import BasicTokenizer, WordPiece, count_words, train_wordpiece
from minibert.tokenizer.train import SCORES, merge_in, spell

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
WORDS = st.dictionaries(st.text("abcé-", min_size=1, max_size=6), st.integers(1, 5), min_size=1, max_size=8)


def by_definition(counts, num_merges, score):
    """Pair merging without a saved count: everything is counted anew for each merge."""
    words, merged = {word: spell(word) for word in counts}, []
    for _ in range(num_merges):
        pieces, pairs = Counter(), Counter()
        for word, count in counts.items():
            for piece in words[word]:
                pieces[piece] += count
            for pair in zip(words[word], words[word][1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = min(
            pairs, key=lambda pair: (-SCORES[score](pairs[pair], pieces[pair[0]], pieces[pair[1]]), pair)
        )
        piece = best[0] + best[1].removeprefix("##")
        words = {word: merge_in(spelled, *best, piece) for word, spelled in words.items()}
        merged.append(piece)
    return list(dict.fromkeys(merged))


def test_words_are_counted_as_the_tokenizer_splits_them():
    texts = ["Don't stop!\tDon't", "stop\u3000it\x0cnow", "É"]
    one_by_one = Counter(word.text for text in texts for word in BasicTokenizer().split(text))
    assert count_words(texts) == one_by_one
    assert count_words(texts)["stop"] == 2 and count_words(texts, lower_case=False)["Don"] == 2


def test_the_vocabulary_opens_with_special_tokens_and_alphabet():
    vocab = train_wordpiece({"ab": 3, "c": 1, "-": 2}, 20)
    assert vocab == [*SPECIAL_TOKENS, "-", "a", "b", "c", "##a", "##b", "##c", "ab"]


def test_the_most_frequent_pair_is_merged_first():
    assert train_wordpiece(HUGS, 22)[19:] == ["##ug", "##un", "hug"]  # 20 times, 16, 15


def test_likelihood_merges_what_stands_together_more_than_its_parts_suggest():
    # 5 / (20 * 5), beside 20 / (36 * 20) for ##ug
    assert train_wordpiece(HUGS, 20, "likelihood")[19:] == ["##gs"]


def test_training_stops_when_every_word_is_one_piece():
    vocab = train_wordpiece(HUGS, 1000)
    assert set(HUGS) <= set(vocab) and len(vocab) < 1000


@pytest.mark.parametrize("score", SCORES)
@settings(deadline=None)
@given(counts=WORDS)
def test_saved_counts_give_the_pieces_of_counting_anew(score, counts):
    expected = by_definition(counts, 100, score)
    vocab = train_wordpiece(counts, 1000, score)
    assert vocab[len(vocab) - len(expected) :] == expected and len(set(vocab)) == len(vocab)


def test_number_signs_in_a_text_make_no_piece_twice():
    # "##a" is # + ### + ##a: two signs, then ## and ##a merge to ##a
    vocab = train_wordpiece({"##a": 3, "xa": 1}, 100)
    assert len(vocab) == len(set(vocab)) and vocab[-2:] == ["##", "xa"]


@pytest.mark.parametrize("score", SCORES)
def test_the_order_of_the_counts_does_not_matter(score):
    backwards = dict(reversed(HUGS.items()))
    assert train_wordpiece(backwards, 30, score) == train_wordpiece(HUGS, 30, score)


@settings(deadline=None)
@given(WORDS, st.text("abcé", max_size=8))
def test_no_word_of_known_characters_is_unknown(counts, word):
    counts = {**counts, "abcé": 1}
    assert "[UNK]" not in WordPiece(train_wordpiece(counts, 30), lower_case=False).encode(word).pieces


def library_pieces(counts, num_merges):
    """The pieces that the library's trainer merges, in order."""
    tokenizer = Tokenizer(Pieces(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    alphabet = {c for word in counts for c in word} | {"##" + c for word in counts for c in word[1:]}
    size = len(alphabet) + num_merges
    trainer = WordPieceTrainer(vocab_size=size, special_tokens=[], show_progress=False)
    tokenizer.train_from_iterator(((" " + word) * count for word, count in counts.items()), trainer)
    return [
        piece
        for piece, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
        if len(piece.removeprefix("##")) > 1
    ]


def test_every_merge_of_the_library_is_a_best_one_for_us():
    # Among equally frequent pairs the library takes the one with the smaller ids, which differ from run to
    # run; so its merges are replayed: each must be as frequent as the best pair that we count at that moment.
    text = "the cat and the other cat sat on that mat there and then ran to the station in the rain " * 3
    counts = count_words([text, "a rat in a hat, a bat on the cart; the rest is as it was"])
    words, known = {word: spell(word) for word in counts}, set()
    pieces = library_pieces(counts, 40)
    assert len(pieces) == 40
    for piece in pieces:
        pairs = Counter()
        for word, count in counts.items():
            for pair in zip(words[word], words[word][1:]):
                pairs[pair] += count
        best = [pair for pair in pairs if pairs[pair] == max(pairs.values())]
        chosen = [pair for pair in best if pair[0] + pair[1].removeprefix("##") == piece]
        assert chosen and piece not in known
        known.add(piece)
        words = {word: merge_in(spelled, *chosen[0], piece) for word, spelled in words.items()}


@pytest.mark.parametrize(
    "arguments, message",
    [
        (({}, 100), "there are no words to train on: the corpus is empty"),
        (({"a": 0}, 100), "there are no words to train on"),
        ((HUGS, 18), "vocab_size=18 is too small: 5 special tokens and an alphabet of 14 pieces need at"),
        ((HUGS, 30, "entropy"), "score 'entropy' is not one of frequency, likelihood"),
    ],
)
def test_what_cannot_be_trained_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        train_wordpiece(*arguments)
