"""A guessing game: the student guesses a masked word first, then sees the model's predictions."""
import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets

from .explorer import SKY, Explorer
from .plots import DARK

GAP = "[MASK]"
TABLE = "margin:4px 0;line-height:1.4"


def guesses_html(guesses: Sequence[tuple[str, float]], notes: Mapping[str, str] | None = None) -> str:
    """Return the likeliest words as bars with their probability, as HTML.

    guesses: (word, probability) pairs, the likeliest first; notes: {word: what to write beside it}.
    """
    notes = notes or {}
    rows = "".join(
        f'<tr><td style="padding:1px 8px;text-align:right">{html.escape(word)}</td>'
        f'<td style="width:220px"><div style="background:{SKY};border:1px solid {DARK};height:12px;'
        f'width:{max(1, 100 * p):.0f}%"></div></td><td style="padding:1px 8px;text-align:right">{p:.1%}</td>'
        f'<td style="padding:1px 8px;text-align:left">{html.escape(notes.get(word, ""))}</td></tr>'
        for word, p in guesses)
    told = ", ".join(f"{word} {p:.1%}" for word, p in guesses)
    alt = f"The model says: {html.escape(told)}."
    return f'<table role="img" aria-label="{alt}" style="{TABLE}">{rows}</table>'


def sentence_html(text: str) -> str:
    """Return the text as HTML with a frame around each gap."""
    frame = f'<span style="background:{SKY};color:{DARK};padding:0 6px;border-radius:4px">▨ ?</span>'
    return f'<p style="font-size:115%">{frame.join(map(html.escape, text.split(GAP)))}</p>'


class GuessFirst(Explorer):
    """Sentences with one gap each: the student's guess first, then the model's prediction and both scores.

    ask(text): (word, probability) pairs for the gap, the likeliest first. puzzles: (text with [MASK], masked
    word) pairs. Only the first guess of a sentence counts; others may be tried. Raises ValueError for a text
    without exactly one gap.
    """

    def __init__(self, ask: Callable[[str], Sequence[tuple[str, float]]],
                 puzzles: Sequence[tuple[str, str]]) -> None:
        for text, _ in puzzles:
            if text.count(GAP) != 1:
                raise ValueError(f"{text.count(GAP)} times {GAP}, there must be one: {text!r}")
        self.ask, self.puzzles = ask, puzzles
        self.first: dict[int, tuple[bool, bool]] = {}   # are the first guesses right: student's, model's
        options = [(f"{number} of {len(puzzles)}", number - 1) for number in range(1, len(puzzles) + 1)]
        number = widgets.Dropdown(options=options, description="Sentence", layout={"width": "200px"})
        guess = widgets.Text(description="My guess", placeholder="one word, then Enter",
                             continuous_update=False)
        number.observe(self.forget, "value")
        super().__init__(self.compare, number=number, guess=guess)

    def forget(self, _: Any) -> None:
        """Empty the box: a new sentence needs a new guess."""
        self.controls["guess"].value = ""

    def compare(self, number: int, guess: str) -> str:
        """Return the sentence and, if there is a guess, both guesses beside the masked word, as HTML."""
        text, answer = self.puzzles[number]
        guess = guess.strip().lower()
        if not guess:
            return sentence_html(text) + "<p>Type your guess and press Enter. Then the model answers.</p>"
        guesses = self.ask(text)
        self.first.setdefault(number, (guess == answer, guesses[0][0] == answer))
        notes = {guess: "your guess"}
        notes[answer] = "the masked word, and your guess" if guess == answer else "the masked word"
        said = (f"You say <b>{html.escape(guess)}</b>, the model says <b>{html.escape(guesses[0][0])}</b> "
                f"({guesses[0][1]:.0%} sure). The masked word is <b>{html.escape(answer)}</b>.")
        if guess not in dict(guesses):
            said += f" Your guess is not among its first {len(guesses)}."
        shown = guesses_html(guesses, notes)
        return f'{sentence_html(text)}<p role="status">{said}</p>{shown}{self.score()}'

    def score(self) -> str:
        """Say how many first guesses were right, the student's and the model's."""
        mine, models = (sum(right) for right in zip(*self.first.values()))
        return f"<p>First guesses right: you {mine}, the model {models}, of {len(self.first)}.</p>"
