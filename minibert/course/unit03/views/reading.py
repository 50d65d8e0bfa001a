"""Reading a text: as tokens and ids, greedily, and with what Unicode has in store."""

import html
import unicodedata
from collections.abc import Callable, Container

import ipywidgets as widgets

from minibert.data.batch import pack
from minibert.tokenizer import BasicTokenizer

from ...models.english import english
from ...widgets.guess import gaps_html, sentence_box, sentence_html
from ...widgets.guess_then_see import GuessChoice
from ...widgets.tables import table_of
from ...widgets.try_it import either
from ...widgets.view import Controls, View
from .wordpiece import subwords_html, tries_html

WORD = "mothership"
ODD = "seashells", "bookshelf", "photosynthesis", "unhappiness"
FACES = "I feel 😀 today. I am so [MASK].", "I feel 😢 today. I am so [MASK]."
CASES = {
    "schon schön": "German for already, beautiful: they become the same word",
    "чай": "Russian for tea: й without its hook is и, so it becomes teas",
    "हिन्दी": "Hindi: one sign counts as an accent, and is removed",
    "한국": "Korean: each syllable is taken apart into its letters",
    "我爱猫": "Chinese: each character becomes a word; two are not in the vocabulary",
    "$3.50": "each punctuation mark becomes a word",
    "cat🐈": "an emoji is not punctuation: it stays in the word, and all is lost",
}


def read() -> Controls:
    """Show the tokens and ids that a model reads in place of the student's text."""

    def draw(text: str) -> str:
        tokenizer = english().tokenizer
        ids, _ = pack(tokenizer.encode(text).ids, None, tokenizer.specials)
        return subwords_html([tokenizer.vocab[i] for i in ids], f"{len(ids)} tokens, and the id of each", ids)

    return Controls(draw, text=sentence_box("The glassblower's cat sat on the sofa 🛋."))


def split(word: str) -> list[str]:
    """Return the tokens of one word in the English model's vocabulary."""
    return [piece for piece, _, _ in english().tokenizer.match(word)]


def guess_mothership() -> GuessChoice:
    """Ask how greedy matching splits a word."""

    def see() -> str:
        tries = tries_html(english().tokenizer.ids, WORD)
        others = ", ".join(f"{word} becomes <i>{' '.join(split(word))}</i>" for word in ODD)
        return f"{tries}<p>It takes the longest beginning and never goes back. In the same way, {others}.</p>"

    return GuessChoice(
        "The vocabulary has moth, mother, mothers, ##ers, ##ship and ##hip. How is “mothership” split?",
        ["mother ##ship", "mothers ##hip", "moth ##ers ##hip"],
        lambda: " ".join(split(WORD)),
        see=see,
    )


def our_longest(text: str, vocab: Container[str]) -> str:
    return next((text[:end] for end in range(len(text), 0, -1) if text[:end] in vocab), "")


def split_by(longest: Callable, word: str) -> list[str]:
    """Split a word with a student's function, in the English model's vocabulary.

    longest(text, vocab): returns the longest beginning of the text that is in the vocabulary, or "".
    """
    pieces: list[str] = []
    rest = word
    while rest:
        piece = longest(rest, english().tokenizer.ids)
        if len(piece) <= 2 * bool(pieces):  # nothing fits, or only one of the marks ##
            return ["[UNK]"]
        pieces.append(piece)
        rest = rest[len(piece) :] and "##" + rest[len(piece) :]
    return pieces


def cut(longest: Callable) -> Controls:
    """Split the words of a text with the student's function, or with ours if it is not right yet."""
    used, said = either(longest, our_longest)

    def draw(text: str) -> str:
        words = [word.text for word in english().tokenizer.basic.split(text)]
        pieces = [piece for word in words for piece in split_by(used, word)]
        return f"<p>{said}</p>{subwords_html(pieces, f'{len(words)} words, {len(pieces)} tokens')}"

    return Controls(draw, text=sentence_box("Zoë Krasniqi-Oyelaran, electroencephalogram, selfie"))


def my_text() -> Controls:
    """Show how the student's text is split, with or without lowercase."""

    def draw(text: str, uncased: bool) -> str:
        words = [word.text for word in BasicTokenizer(lower_case=uncased).split(text)]
        pieces = [piece for word in words for piece in split(word)]
        odd = [f"{c} {unicodedata.name(c, 'a control character').lower()}" for c in text if ord(c) > 127]
        beyond = html.escape(", ".join(odd[:6]) or "nothing")
        said = f"{len(words)} words, {len(pieces)} tokens"
        return f"{subwords_html(pieces, said)}<p>Beyond the English keyboard: {beyond}</p>"

    return Controls(
        draw,
        text=sentence_box("Zoë's naïve piñata 🪅 doesn't burst"),
        uncased=widgets.Checkbox(True, description="Lowercase, no accents"),
    )


def hard_cases() -> View:
    """Show what the two tokenizers make of lines in several scripts."""
    rows = [(text, " ".join(english().tokenizer.encode(text).pieces), what) for text, what in CASES.items()]
    return View(table_of(("text", "tokens", "what happens"), rows))


def compare(first: str, second: str) -> str:
    """Return the predictions for two texts, and whether the model can distinguish them at all, as HTML."""
    one, two = (english().tokenizer.encode(text) for text in (first, second))
    said = f"The two texts have {'the same' if one.ids == two.ids else 'different'} ids."
    if one.ids == two.ids and "[UNK]" in one.pieces:
        said += " All that becomes [UNK] looks the same to the model."
    shown = "".join(sentence_html(text) + gaps_html(english(), text) for text in (first, second))
    return f"{shown}<p>{said}</p>"


def guess_emoji() -> GuessChoice:
    """Ask what one emoji in place of another does to a prediction."""
    same = "Nothing at all"

    def answer() -> str:
        one, two = (english().tokenizer.encode(text).ids for text in FACES)
        return same if one == two else "Other words come first"

    return GuessChoice(
        f"“{FACES[0]}” Now 😢 takes the place of 😀. What changes in the predictions?",
        ["Other words come first", "The same words, with other probabilities", same],
        answer,
        see=lambda: compare(*FACES),
    )


def two_texts() -> Controls:
    """Compare the predictions for two texts of the student's own."""
    first, second = map(sentence_box, ("I feel happy today. I am so [MASK].", FACES[1]))
    first.description, second.description = "First", "Second"
    return Controls(compare, first=first, second=second)
