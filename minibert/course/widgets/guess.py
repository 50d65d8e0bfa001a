"""Show a model's predictions for masked words, and play games in which the student guesses first."""

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np

from .chips import chip, closed_up
from .compared import ALONE, labelled, predictions, titled
from .plots import DARK
from .view import SKY, Controls, Drawing, drawing_html

GAP = "[MASK]"
TABLE = "margin:4px 0;line-height:1.4"
LONGEST = 240  # pixels for a bar of 100%
SHORTER = 120  # the same if another model's bars are next to it
NARROW = 25  # percent of the window's width, which no bar exceeds


def percent(p: float) -> str:
    """Format a probability as a percentage with few digits, such as <0.1%, 4.2%, 35% or 99.8%."""
    if 0 < p < 0.001 or 0.999 < p < 1:
        return "<0.1%" if p < 0.5 else ">99.9%"
    return f"{p:.1%}" if 0 < p < 0.0995 or 0.99 < p < 1 else f"{p:.0%}"


def guesses_html(
    guesses: Sequence[tuple[str, float]],
    notes: Mapping[str, str] | None = None,
    who: str = ALONE,
    longest: int = LONGEST,
) -> str:
    """Return the most likely words as HTML bars with their probabilities.

    guesses: (word, probability) pairs, most likely first. notes: a dict that maps words to notes about them.
    who: the model's name, for screen readers. longest: the length of a 100% bar in pixels.
    """
    notes = notes or {}
    rows = "".join(
        f'<tr><td style="padding:1px 8px;text-align:right;min-width:min(8em, 22vw)">{html.escape(word)}</td>'
        f'<td style="padding:1px 8px 1px 0;text-align:right">{html.escape(percent(p))}</td>'
        f'<td style="padding:1px 0;text-align:left;min-width:min({longest}px, {NARROW}vw)"><span style="'
        f"display:inline-block;vertical-align:middle;background:{SKY};border:1px solid {DARK};height:12px;"
        f'min-width:1px;width:min({longest * p:.0f}px, {NARROW * p:.1f}vw)"></span></td>'
        f'<td style="padding:1px 8px;text-align:left">{html.escape(notes.get(word, ""))}</td></tr>'
        for word, p in guesses
    )
    told = ", ".join(f"{word} {percent(p)}" for word, p in guesses)
    alt = f"{titled(who)} says: {told}."
    return f'<table role="img" aria-label="{html.escape(alt)}" style="{TABLE}">{rows}</table>'


def columns_html(
    answers: Mapping[str, Sequence[tuple[str, float]]], notes: Mapping[str, str] | None = None
) -> str:
    """Return the most likely words of one or more models as HTML bars, labelled with the models' names.

    answers: {model name: (word, probability) pairs, most likely first}. notes: as for `guesses_html`.
    """
    longest = LONGEST if len(answers) == 1 else SHORTER
    return labelled({name: guesses_html(guesses, notes, name, longest) for name, guesses in answers.items()})


def gaps_html(model: Any, text: str) -> str:
    """Return the most likely words for each [MASK] in `text` as HTML, for each of the `compared_models`.

    model: as for `compared_models`.
    """
    answers = predictions(model, text)
    count = text.count(GAP)
    return "".join(
        f"<p>Gap {number}</p>" * (count > 1)
        + columns_html({name: gaps[number - 1] for name, gaps in answers.items()})
        for number in range(1, count + 1)
    )


def sentence_html(text: str) -> str:
    """Return `text` as HTML, with a framed question mark for each [MASK]."""
    frame = chip("?", SKY, sign="▨")
    return f'<p style="font-size:115%">{frame.join(map(html.escape, closed_up(text).split(GAP)))}</p>'


def filled_by_html(model: Any, words: Sequence[str] | np.ndarray, chosen: Sequence[bool] | np.ndarray) -> str:
    """Return text as HTML with predictions for its masked words, for each of the `compared_models`.

    model: as for `compared_models`. words, chosen: as for `filled_html`.
    """
    text = " ".join(np.where(chosen, GAP, words))
    answers = predictions(model, text, 1) if np.any(chosen) else {ALONE: []}
    return labelled(
        {
            name: filled_html(words, chosen, [gap[0][0] for gap in gaps], name)
            for name, gaps in answers.items()
        }
    )


def filled_html(
    words: Sequence[str] | np.ndarray,
    chosen: Sequence[bool] | np.ndarray,
    guesses: Sequence[str],
    who: str = ALONE,
) -> str:
    """Return text as HTML with a prediction for each masked word, and a count of correct predictions.

    words: T words. chosen: (T,) bool, True for masked words. guesses: one prediction for each masked word.
    who: the model's name. Raises ValueError if the number of predictions differs.
    """
    asked = [str(word).lower() for word, masked in zip(words, chosen) if masked]
    if len(guesses) != len(asked):
        raise ValueError(f"{len(guesses)} guesses for {len(asked)} masked words; pass one guess for each")
    waiting = iter(guesses)
    boxes = " ".join(
        guess_box(str(word), next(waiting)) if masked else chip(str(word), below="")
        for word, masked in zip(words, chosen)
    )
    right = sum(guess.lower() == word for guess, word in zip(guesses, asked))
    share = f" ({right / len(asked):.0%})" if asked else ""
    return (
        f'<div style="line-height:1.5;margin:6px 0">{boxes}</div>'
        f'<p role="status">{html.escape(titled(who))} predicts {right} of {len(asked)} masked words '
        f"right{share}.</p>"
    )


def guess_box(word: str, guess: str) -> str:
    """Return a prediction as an HTML box with ✓ if it is correct, or with ✗ and the masked word below it."""
    right = guess.lower() == word.lower()
    sign, border, below = ("✓", "solid", "") if right else ("✗", "dashed", f"was: {html.escape(word)}")
    return chip(guess, SKY, f"2px {border}", sign, below=below)


def sentence_box(text: str) -> widgets.Text:
    """Return a text box that is wide enough for a sentence, and contains `text`."""
    return widgets.Text(
        text, description="Sentence", layout={"width": "620px", "max_width": "98%"}, continuous_update=False
    )


class Guess(Controls):
    """Controls with a text box for the student's guess, which is cleared when another control changes.

    hint: the box's placeholder text. draw, controls: as for Controls; `draw` also gets the argument `guess`.
    """

    def __init__(self, draw: Callable[..., str | Drawing], hint: str, **controls: Any) -> None:
        for control in controls.values():
            control.observe(self.forget, "value")
        super().__init__(
            draw,
            **controls,
            guess=widgets.Text(description="My guess", placeholder=hint, continuous_update=False),
        )

    def forget(self, _: Any) -> None:
        """Clear the text box, because a new question needs a new guess."""
        self.controls["guess"].value = ""


class CommitFirst(Guess):
    """A question with a text box for the student's guess. The answer appears only after the guess.

    question(**values): returns the question as HTML. answer(**values): returns the answer as HTML or as
    (Figure, description).
    """

    def __init__(
        self, question: Callable[..., str], answer: Callable[..., str | Drawing], **controls: Any
    ) -> None:
        self.question, self.answer = question, answer
        super().__init__(self.reveal, "then Enter", **controls)

    def reveal(self, guess: str, **values: Any) -> str:
        """Return the question as HTML, or the guess and the answer if there is a guess."""
        if not guess.strip():
            return self.question(**values)
        answer = drawing_html(self.answer(**values))
        return f"<p>You say <b>{html.escape(guess.strip())}</b>.</p>{answer}"


class FillMask(Controls):
    """Controls to type a sentence with [MASK] tokens and see a model's most likely words for each of them.

    model: a model with `fill_mask`, as for `compared_models`. text: the initial sentence.
    """

    def __init__(self, model: Any, text: str) -> None:
        self.model = model
        super().__init__(self.fill, text=sentence_box(text))

    def fill(self, text: str) -> str:
        """Return the most likely words for each [MASK] in `text` as HTML."""
        if GAP not in text:
            return f"<p>Write {GAP} in place of a word that the model should predict, and press Enter.</p>"
        return sentence_html(text) + gaps_html(self.model, text)


class GuessFirst(Guess):
    """A game in which the student guesses each sentence's masked word, then the models predict it.

    ask(text): returns {model name: (word, probability) pairs for the [MASK], most likely first}. puzzles:
    (text with [MASK], masked word) pairs. Only the first guess for a sentence counts, but more guesses are
    allowed. Raises ValueError unless each text has exactly one [MASK].

    Example:
        GuessFirst(partial(first_gap, minibert.load("english")), [("Bees make [MASK].", "honey")])
    """

    def __init__(
        self,
        ask: Callable[[str], Mapping[str, Sequence[tuple[str, float]]]],
        puzzles: Sequence[tuple[str, str]],
    ) -> None:
        for text, _ in puzzles:
            if text.count(GAP) != 1:
                raise ValueError(f"the text has {text.count(GAP)} {GAP}, but needs exactly one: {text!r}")
        self.ask, self.puzzles = ask, puzzles
        # sentence number -> {"you" or a model's name: is the first guess right}
        self.first: dict[int, dict[str, bool]] = {}
        options = [(f"{number} of {len(puzzles)}", number - 1) for number in range(1, len(puzzles) + 1)]
        number = widgets.Dropdown(options=options, description="Sentence", layout={"width": "200px"})
        super().__init__(self.compare, "one word, then Enter", number=number)

    def compare(self, number: int, guess: str) -> str:
        """Return the sentence as HTML and, if there is a guess, all guesses and the masked word."""
        text, answer = self.puzzles[number]
        guess = guess.strip().lower()
        if not guess:
            return sentence_html(text) + "<p>Type your guess and press Enter. Then the model answers.</p>"
        answers = self.ask(text)
        best = {name: guesses[0] for name, guesses in answers.items()}
        right = {name: word.lower() == answer for name, (word, _) in best.items()}
        self.first.setdefault(number, {"you": guess == answer, **right})
        notes = {guess: "your guess"}
        notes[answer] = "the masked word, and your guess" if guess == answer else "the masked word"
        said = ", ".join(
            f"{html.escape(name)} says <b>{html.escape(word)}</b> ({html.escape(percent(p))} sure)"
            for name, (word, p) in best.items()
        )
        said = (
            f"You say <b>{html.escape(guess)}</b>, {said}. The masked word is <b>{html.escape(answer)}</b>."
        )
        if without := [name for name, guesses in answers.items() if guess not in dict(guesses)]:
            tops = " or ".join(f"{html.escape(name)}'s top {len(answers[name])}" for name in without)
            said += f" Your guess is not among {tops}."
        shown = columns_html(answers, notes)
        return f'{sentence_html(text)}<p role="status">{said}</p>{shown}{self.score(answers)}'

    def score(self, names: Iterable[str]) -> str:
        """Return HTML that shows how many first guesses of the student and the named models were right."""
        told = ", ".join(
            f"{html.escape(who)} {sum(right.get(who, False) for right in self.first.values())}"
            for who in ("you", *names)
        )
        return f"<p>Right on the first try: {told}, out of {len(self.first)}.</p>"
