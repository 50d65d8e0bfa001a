"""Many languages in one vocabulary: how often each is sampled, and into how many tokens its words are cut."""

from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.course.texts.declaration import declaration
from minibert.course.widgets.plots import DARK, NAME_SIZE, headline, plain
from minibert.course.widgets.view import SKY, VERMILLION, Controls, Drawing, figure
from minibert.data.languages import fertility, sampling_shares
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.tokenizer import WordPiece, train_wordpiece
from minibert.tokenizer.library import LibraryTokenizer
from minibert.tokenizer.train import count_words

# Invented sizes, except that the README of multilingual BERT gives 1,000 to 1 for English and Icelandic.
SIZES = {
    "English": 1000,
    "German": 400,
    "French": 400,
    "Russian": 300,
    "Finnish": 40,
    "Turkish": 40,
    "Icelandic": 1,
}
HELD_OUT = (1, 6, 12, 19)  # articles on which the vocabularies are compared; they are trained on the others
TOKENS = 900  # of a trained vocabulary
WORDS = 1_000_000  # sampled from all languages


def held_out(language: str) -> list[str]:
    """Return the articles that no vocabulary was trained on."""
    return [text for number, text in declaration()[language].items() if number in HELD_OUT]


@cache
def words_of(language: str) -> dict[str, float]:
    """Return the share of each word in the other articles of a language."""
    counts = count_words(text for number, text in declaration()[language].items() if number not in HELD_OUT)
    return {word: count / counts.total() for word, count in counts.items()}


@cache
def vocabulary(exponent: float) -> WordPiece:
    """Train a vocabulary on the text of all languages, sampled with an exponent."""
    counts: dict[str, int] = {}
    for name, share in zip(SIZES, sampling_shares(list(SIZES.values()), exponent)):
        for word, part in words_of(name).items():
            counts[word] = counts.get(word, 0) + max(1, round(WORDS * share * part))
    return WordPiece(train_wordpiece(counts, TOKENS))


def fertilities(exponent: float) -> np.ndarray:
    """Return the fertility of each language with the shared vocabulary, (N,)."""
    return np.array([fertility_of(vocabulary(exponent), name) for name in SIZES])


def fertility_of(tokenizer: WordPiece | LibraryTokenizer, language: str) -> float:
    """Return the tokens per word of the held-out articles."""
    return fertility(lambda text: tokenizer.encode(text).ids, held_out(language))


def unknown(tokenizer: WordPiece | LibraryTokenizer, language: str) -> float:
    """Return which share of the tokens of the held-out articles is [UNK]."""
    ids = [one for text in held_out(language) for one in tokenizer.encode(text).ids]
    return float(np.mean(np.array(ids) == tokenizer.specials.unk))


def shared_vocabulary(model: Pretrained) -> Controls:
    """Let the student choose the exponent, and draw the languages' shares and their fertility."""
    english = {name: fertility_of(model.tokenizer, name) for name in SIZES}
    lost = {name: unknown(model.tokenizer, name) for name in SIZES}

    def draw(exponent: float) -> Drawing:
        shares = sampling_shares(list(SIZES.values()), exponent)
        shared = dict(zip(SIZES, fertilities(round(exponent, 1))))
        worst = max(shared, key=shared.__getitem__)
        title = (
            f"Exponent {exponent:.1f}: Icelandic is {shares[-1]:.1%} of the text; "
            f"{worst} needs the most tokens, {shared[worst]:.1f} per word"
        )
        fig, (left, right) = figure(3.7, ncols=2, sharey=True, width_ratios=(2, 3))
        places = np.arange(len(SIZES))
        drawn = left.barh(places, 100 * shares, color=SKY, edgecolor=DARK, linewidth=0.5)
        left.bar_label(drawn, [f"{share:.1%}" for share in shares], padding=3, fontsize=NAME_SIZE)
        left.set_yticks(places, list(SIZES))
        left.set(xlabel="share of the text, %", xlim=(0, 62))
        right.barh(
            places,
            list(shared.values()),
            color=SKY,
            edgecolor=DARK,
            linewidth=0.5,
            label=f"shared by all seven, {TOKENS} tokens",
        )
        right.plot(
            list(english.values()), places, "D", color=VERMILLION, label="the English model's, 30,522 tokens"
        )
        right.axvline(1, color="black", linewidth=1, linestyle=(0, (1, 3)))
        right.set(xlabel="tokens per word (dotted: a token for each word)", xlim=(0, None))
        left.invert_yaxis()
        for ax in (left, right):
            plain(ax)
        fig.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
        headline(fig, title)
        told = "; ".join(
            f"{name}: {share:.1%} of the text, tokens per word {shared[name]:.2f} shared, "
            f"{english[name]:.2f} English" + f" ({lost[name]:.0%} [UNK])" * (lost[name] > 0)
            for name, share in zip(SIZES, shares)
        )
        return fig, f"{title}. {told}."

    return Controls(
        draw,
        exponent=widgets.FloatSlider(
            0.7, min=0, max=1, step=0.1, description="Exponent", continuous_update=False
        ),
    )
