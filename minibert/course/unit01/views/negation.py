"""What the English model predicts with and without “not”.

Kassner and Schütze (2020, arXiv 1911.03343) compare BERT's predictions in this way.
"""

from functools import cache

from ...models.english import english
from ...widgets.compared import first_gap, labelled
from ...widgets.guess import GAP, columns_html, sentence_box, sentence_html
from ...widgets.tables import score_table
from ...widgets.view import Controls

DENIED = {"can": "cannot", "is": "is not"}
FACTS = ("A fish can", "A plane can", "Honey is", "Fire is", "The sky is")


def denied(text: str) -> str:
    """Return the sentence with “cannot” instead of “can”, or “is not” instead of “is”."""
    verb = next((verb for verb in DENIED if f" {verb} " in text), None)
    if not verb:
        raise ValueError("the sentence needs the word can or is, with a space before and after it")
    return text.replace(f" {verb} ", f" {DENIED[verb]} ", 1)


@cache
def facts_html() -> str:
    """Return a table of the English model's first predictions for FACTS, with and without “not”."""
    texts = [f"{fact} {GAP}." for fact in FACTS]
    firsts = [[english().fill_mask(one)[0][0] for one in (text, denied(text))] for text in texts]
    rows = [(text, *(f"{word} ({p:.0%})" for word, p in pair)) for text, pair in zip(texts, firsts)]
    same = sum(yes[0] == no[0] for yes, no in firsts)
    title = f"{same} of {len(FACTS)} more sentences keep their first word"
    return score_table(["sentence", "as it is", "with not"], rows, title)


def with_not() -> Controls:
    """Compare the predictions for a sentence with “can” or “is” and the same one with “not”."""

    def draw(text: str) -> str:
        both = text, denied(text)
        tops = [first_gap(english(), each) for each in both]
        same = {name: dict(top).keys() & dict(tops[1][name]) for name, top in tops[0].items()}
        said = {
            name: f"<p>{len(words)} of the five words are in both lists.</p>" for name, words in same.items()
        }
        shown = "".join(sentence_html(each) + columns_html(top) for each, top in zip(both, tops))
        return shown + labelled(said) + facts_html()

    return Controls(draw, text=sentence_box("A bird can [MASK]."))
