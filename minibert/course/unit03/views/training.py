"""Training a vocabulary: merges on seven words, then on a whole book (Alice), tested on forty other texts.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2; Schuster and Nakajima (2012), section 3.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.config import count_parameters, preset
from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import WordPiece, count_words
from minibert.tokenizer.train import SCORES, Pairs, PairScore, alphabet, glue, merge_in, spell

from ...models.english import english
from ...texts.books import ALICE
from ...texts.passages import passages
from ...widgets.guess import sentence_box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.stepper import Stepper
from ...widgets.tables import table_of
from ...widgets.view import Controls, View
from .wordpiece import merge_view, subwords_html

TOY = {"book": 12, "cook": 10, "look": 6, "cooks": 4, "moon": 4, "queen": 3, "ox": 2}  # word: how often
TOY_MERGES = 11  # as many as are shown; two more would make queen and ox whole
SIZES = 100, 300, 1000, 3000
SCORED = 1000  # tokens of the vocabularies that are compared by score
Rules = list[tuple[str, str]]  # merge rules


@cache
def corpus() -> Counter[str]:
    """Return how often each word occurs in Alice, the text to train on."""
    return count_words([ALICE.read_text(encoding="utf-8")])


@cache
def held_out() -> Counter[str]:
    """Return how often each word occurs in the forty passages, the text to test on."""
    return count_words([passage.text for passage in passages()])


def rule(score: str, counts: Mapping[str, int]) -> PairScore:
    """Return a score of pairs by its name: frequency, ratio or gain."""
    N = sum(len(word) * n for word, n in counts.items())  # tokens before the first merge
    gain: PairScore = lambda pair, left, right: pair * math.log(N * pair / (left * right))  # noqa: E731
    return {"frequency": SCORES["frequency"], "ratio": SCORES["likelihood"], "gain": gain}[score]


@cache
def trained(score: str = "frequency", size: int = SIZES[-1]) -> tuple[list[str], Rules]:
    """Train on Alice, and return (a vocabulary of `size` tokens, its merge rules)."""
    vocab, rules, pairs = [*SPECIAL_TOKENS, *alphabet(corpus())], [], Pairs(corpus(), rule(score, corpus()))
    while len(vocab) < size and (best := pairs.best()):
        rules.append(best)
        vocab.append(pairs.merge(*best))
    return vocab, rules


def tokens_per_word(tokenizer: WordPiece) -> float:
    """Return how many tokens a word of the held-out passages takes on average."""
    return sum(len(tokenizer.match(word)) * n for word, n in held_out().items()) / held_out().total()


def words_or_letters() -> View:
    """Compare the words of Alice, letters, and BERT's subwords as vocabularies for the held-out passages."""
    letters, total, tokenizer = (
        {c for word in corpus() for c in word},
        held_out().total(),
        english().tokenizer,
    )

    def lost(known: Callable[[str], bool]) -> str:
        return f"{sum(n for word, n in held_out().items() if not known(word)) / total:.0%}"

    spelled = sum(len(word) * n for word, n in held_out().items()) / total
    rows = [
        ("the words of Alice", f"{len(corpus()):,}", "1.0", lost(corpus().__contains__)),
        (
            "its letters and signs",
            str(len(letters)),
            f"{spelled:.1f}",
            lost(lambda word: set(word) <= letters),
        ),
        (
            "the English model's subwords",
            f"{len(tokenizer):,}",
            f"{tokens_per_word(tokenizer):.1f}",
            lost(lambda word: tokenizer.match(word)[0][0] != "[UNK]"),
        ),
    ]
    return View(table_of(("vocabulary", "entries", "tokens per word", "unknown words"), rows))


def merges() -> Stepper:
    """Merge the most frequent pair of seven words, step by step."""

    def draw(step: int) -> str:
        state = Pairs(TOY, SCORES["frequency"])
        done = [state.merge(*pair) for _ in range(step - 1) if (pair := state.best())]
        pairs = sorted(((*pair, n) for pair, n in state.pairs.items() if n), key=lambda row: (-row[2], row))
        made = f"Made so far ({len(done)}): {', '.join(done) or 'nothing'}"
        if step > TOY_MERGES:
            return merge_view(
                zip(TOY.values(), state.words), [], f"We stop here: rare words stay in parts. {made}"
            )
        said = f"Next: merge {step}, {' + '.join(pairs[0][:2])}. {made}"
        return merge_view(zip(TOY.values(), state.words), pairs, said)

    return Stepper(draw, TOY_MERGES + 1)


def guess_ratio() -> GuessChoice:
    """Ask which pair of the seven words has the highest ratio."""
    start = Pairs(TOY, SCORES["likelihood"])
    best = " + ".join(start.best() or ())

    def see() -> str:
        rows = []
        for pair in (("o", "##x"), ("q", "##u"), ("##o", "##o")):
            together, left, right = start.pairs[pair], *(start.pieces[piece] for piece in pair)
            ratio = f"{together} / ({left} · {right}) = {together / (left * right):.3f}"
            rows.append((" + ".join(pair), ratio))
        return table_of(("pair", "ratio"), rows) + (
            "<p>The ratio is high for letters that hardly ever occur without each other. The rarer they are, "
            "the higher it gets: two letters that occur once each, side by side, score 1 / (1 · 1) = 1, and "
            "a pair that occurs ten times can score 10 / (10 · 10) = 0.1 at most.</p>"
        )

    return GuessChoice(
        "Which pair of the seven words does the ratio merge first?",
        ["##o + ##o", "q + ##u", "o + ##x"],
        lambda: best,
        see=see,
    )


def sizes() -> Controls:
    """Cut the student's sentence with vocabularies of several sizes."""
    options = [(f"{size:,} tokens, from Alice", size) for size in SIZES]
    theirs = len(english().tokenizer)
    options.append((f"{theirs:,} tokens, the English model's", theirs))

    def draw(text: str, size: int) -> str:
        tokenizer = english().tokenizer if size == theirs else WordPiece(trained()[0][:size])
        pieces = tokenizer.encode(text).pieces
        return subwords_html(pieces, f"{len(pieces)} tokens with a vocabulary of {size:,}")

    return Controls(
        draw,
        text=sentence_box("The queen was looking at the kitchen clock."),
        size=widgets.Dropdown(options=options, description="Vocabulary"),
    )


def scores() -> View:
    """Compare the vocabularies that the three scores make from Alice, on the held-out passages."""
    rows = []
    for score in ("frequency", "gain", "ratio"):
        vocab, rules = trained(score, SCORED)
        first = vocab[len(vocab) - len(rules) :][:8]
        rows.append((score, " ".join(first), f"{tokens_per_word(WordPiece(vocab)):.2f}"))
    return View(table_of(("score", "the first merges", "tokens per word, forty texts"), rows))


def in_order(word: str) -> list[str]:
    """Split a word as BPE does: apply the merge rules of `trained` in the order of training."""
    tokens, rank = spell(word), {pair: i for i, pair in enumerate(trained()[1])}
    while usable := [pair for pair in zip(tokens, tokens[1:]) if pair in rank]:
        left, right = min(usable, key=rank.__getitem__)
        tokens = merge_in(tokens, left, right, glue(left, right))
    return tokens


def orders() -> View:
    """Compare the two ways of reading with the same merges: greedy, and rules in order."""
    tokenizer, known = WordPiece(trained()[0]), {c for word in corpus() for c in word}
    greedy = {
        word: [piece for piece, _, _ in tokenizer.match(word)] for word in held_out() if set(word) <= known
    }
    split = {word: pieces for word, pieces in greedy.items() if len(pieces) > 1}
    apart = [word for word, pieces in split.items() if pieces != in_order(word)]
    rows = [(word, " ".join(split[word]), " ".join(in_order(word))) for word in apart[:5]]
    means = [np.mean(list(map(len, way))) for way in (split.values(), map(in_order, split))]
    return View(
        f"<p><b>{len(apart)} of {len(split)} split words come out differently; a split word has "
        f"{means[0]:.2f} tokens when read greedily, and {means[1]:.2f} by the rules in order</b></p>"
        + table_of(("word", "greedy (WordPiece)", "rules in order (BPE)"), rows)
    )


def prices() -> View:
    """Show what a larger vocabulary saves and what it costs."""
    rows = []
    for size in (*SIZES, len(english().tokenizer)):
        parts = count_parameters(preset("base", vocab_size=size))
        share, rare = parts["word embeddings"] / sum(parts.values()), "–"
        tokenizer = english().tokenizer
        if size in SIZES:
            tokenizer, seen = WordPiece(trained()[0][:size]), Counter[str]()
            for word, n in corpus().items():
                seen.update({piece: n for piece, _, _ in tokenizer.match(word)})
            rare = f"{np.mean([seen[piece] < 5 for piece in tokenizer.vocab[5:]]):.0%}"
        rows.append((f"{size:,}", f"{tokens_per_word(tokenizer):.2f}", f"{share:.1%}", rare))
    names = (
        "vocabulary",
        "tokens per word, forty texts",
        "share of BERT-base's parameters",
        "seen under 5 times in Alice",
    )
    return View(table_of(names, rows))
