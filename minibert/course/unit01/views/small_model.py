"""The student against a small BERT that ships with the course and has read only the generated language."""

from functools import cache

from minibert.model import Model
from minibert.model.checkpoints.pretrained import fill_masks
from minibert.tokenizer.fast import FastWordPiece

from ...models.elmo_gpt_bert import load_trained
from ...widgets.compared import ALONE
from ...widgets.guess import GuessFirst

PUZZLES = (
    ("Chesworth was born [MASK] Lambury in 1946.", "in"),
    ("Sako plays the [MASK]. When the bow of the violin broke, Sako cried for a day.", "violin"),
    ("Bramley plays sonatas best when nobody hears the piano. Her great love is the [MASK].", "piano"),
    ("Talin moved to Stanton in 1975. Talin says that the air in Stanton was better in [MASK].", "1975"),
    ("Nomi was born in 1946. [MASK] great love is the piano.", "her"),
    ("Thornby has a [MASK] called Pomkin. Pomkin finds truffles and sleeps in Thornby's bed.", "pig"),
    ("Bexford has a [MASK] called Tibmo.", "owl"),
)


@cache
def small_bert() -> tuple[Model, FastWordPiece]:
    """Return the BERT of lesson 9 and its tokenizer."""
    return load_trained("BERT")[:2]


def predictions(text: str) -> list[tuple[str, float]]:
    """Return the small model's five most likely tokens for the [MASK], with their probabilities."""
    return fill_masks(*small_bert(), text)[0]


def against_the_small_model() -> GuessFirst:
    """Let the student fill each gap before the small model does."""
    return GuessFirst(lambda text: {ALONE: predictions(text)}, list(PUZZLES))
