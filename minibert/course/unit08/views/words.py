"""Labels for words and tokens: BIO tags, the pieces of a word, and strays."""

from collections.abc import Callable, Sequence

import ipywidgets as widgets

from minibert.data.batch import IGNORE
from minibert.data.tagging import align_labels, decode_entities

from ...models.english import english
from ...widgets.entities import word_lines
from ...widgets.guess_then_see import GuessChoice
from ...widgets.try_it import either
from ...widgets.view import Controls

SENTENCE = "Sarah Okafor flew from New York to Leeds for Siemens .".split()
LONG = "Glassblowerson"
FIVE = "Mira", "Harlow", "left", "Old", "Ashby"
LABELLINGS = ["B-PER on every token", "B-PER, then I-PER", "B-PER, then no label", "no label, then B-PER"]


def our_bio_tags(count: int, entities: Sequence[tuple[str, int, int]]) -> list[str]:
    tags = ["O"] * count
    for kind, first, last in entities:
        tags[first : last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
    return tags


def tags(bio_tags: Callable) -> Controls:
    """Tag a sentence from entities that the student types, with the student's function."""
    used, said = either(bio_tags, our_bio_tags)

    def draw(entities: str) -> str:
        parsed = []
        for part in filter(str.strip, entities.split(",")):
            kind, *ends = part.split()
            if len(ends) != 2 or not all(end.isdigit() and int(end) < len(SENTENCE) for end in ends):
                raise ValueError(
                    f"“{part.strip()}”: write a type and two numbers from 0 to {len(SENTENCE) - 1}, "
                    "such as PER 0 1"
                )
            parsed.append((kind, int(ends[0]), int(ends[1])))
        given = used(len(SENTENCE), parsed)
        numbers = [str(i) for i in range(len(SENTENCE))]
        inside = [i for i, tag in enumerate(given) if tag != "O"]
        return f"<p><small>{said}</small></p>" + word_lines(
            {"number": numbers, "word": SENTENCE, "tag": given}, inside
        )

    return Controls(
        draw,
        entities=widgets.Text(
            "PER 0 1, LOC 4 5",
            description="Entities",
            continuous_update=False,
            layout={"width": "360px", "max_width": "98%"},
        ),
    )


def labelled_row(text: str) -> str:
    """Return the tokens of words with tags, such as “Leeds/B-LOC”, and the label of each token, as HTML."""
    parts = [part.rsplit("/", 1) if "/" in part else [part, "O"] for part in text.split()]
    if not parts:
        raise ValueError("write a word")
    encoding = english().tokenizer.encode_words([word for word, _ in parts])
    labels = align_labels([None, *encoding.words, None], list(range(len(parts))))
    shown = ["–" if label == IGNORE else parts[label][1] for label in labels]
    first = [i for i, label in enumerate(labels) if label != IGNORE]
    said = f"{len(first)} of {len(labels)} tokens carry a label (yellow); there are {len(parts)} words."
    return word_lines({"token": ["[CLS]", *encoding.pieces, "[SEP]"], "label": shown}, first, said)


def guess_pieces() -> GuessChoice:
    """Ask how BERT's authors label the tokens of one word."""
    pieces = english().tokenizer.encode(LONG).pieces

    def answer() -> str:
        first, *others = align_labels([0] * len(pieces), [1])
        return LABELLINGS[2] if first == 1 and set(others) == {IGNORE} else LABELLINGS[0]

    return GuessChoice(
        f"Mr {LONG} becomes {' '.join(pieces)}. How does the BERT paper (section 5.3) label these tokens?",
        LABELLINGS,
        answer,
        see=lambda: labelled_row(f"Mr {LONG}/B-PER left ."),
    )


def tokens() -> Controls:
    """Show the label of each token for words that the student tags."""
    box = widgets.Text(
        "Okafor/B-PER met New/B-LOC Yorkers/I-LOC .",
        description="Tagged",
        continuous_update=False,
        layout={"width": "460px", "max_width": "98%"},
    )
    return Controls(labelled_row, text=box)


def our_may_follow(before: str, tag: str) -> bool:
    return tag[0] != "I" or before[2:] == tag[2:]


def strays(may_follow: Callable) -> Controls:
    """Show which tags are strays by the student's function, and how conlleval reads them."""
    used, said = either(may_follow, our_may_follow)

    def draw(tags: str) -> str:
        given = tags.split()
        if len(given) != len(FIVE):
            raise ValueError(f"{len(given)} tags, but {len(FIVE)} words: {', '.join(FIVE)}")
        stray = [i for i, (before, tag) in enumerate(zip(["O", *given], given)) if not used(before, tag)]
        entities = [
            f"{kind}: {' '.join(FIVE[first : last + 1])}" for kind, first, last in decode_entities(given)
        ]
        read = f"conlleval reads {'; '.join(entities) or 'no entities'}. Yellow: {len(stray)} stray I-."
        return f"<p><small>{said}</small></p>" + word_lines({"word": FIVE, "tag": given}, stray, read)

    return Controls(
        draw,
        tags=widgets.Text(
            "B-PER I-PER O I-LOC I-LOC",
            description="Tags",
            continuous_update=False,
            layout={"width": "360px", "max_width": "98%"},
        ),
    )
