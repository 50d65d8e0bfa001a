"""Make nine kinds of mistakes that turn a sentence ungrammatical.

Each function looks at one word of a tagged sentence and returns the edit that makes a mistake there. It
returns None if the result might still be correct English: "has work" for "has worked", "her trade" for "he
trades".
"""

from collections.abc import Callable
from dataclasses import dataclass

from ..sentences.facts import ANIMALS
from ..sentences.lexicon import PARTICIPLES, VERBS
from .syntax import TaggedWord

Edit = tuple[int, int, str]  # replaces text[start:end] by the new text
THIRDS = {lemma: form for form, (lemma, name) in VERBS.items() if name == "third"} | {"be": "is"}
PASTS = {lemma: form for form, (lemma, name) in VERBS.items() if name == "past"} | {"be": "was"}
SUBJECTS = {"he": "him", "she": "her", "i": "me", "they": "them"}
DETERMINERS = ("the", "a", "an", "every")
ADJECTIVES = ("past", "near", "inside", "above", "like", "outside")  # "the past jam" is correct
PEOPLE = ("they", "people", "neighbours", "children", "workers", "i")
COLLECTIVES = (  # nouns that may take a plural verb, as names of firms may
    "school newspaper family band choir company team staff police audience crowd flock half rest"
).split()
# Verbs with the same form in past and present: "he cost" and "he put" may be the past.
TIMELESS = {"fit"} | {lemma for lemma, name in VERBS.values()} - set(PASTS)
OTHER_VERBS = (
    "saw",
    "found",
    "felt",
    "left",
    "fell",
    "lay",
    "ground",
    "bound",
    "wound",
)  # pasts that are also base forms
NOT_NOUNS = (  # verbs whose base form is not a noun: "has live" is wrong, but "has work" may be right
    "be become belong bring buy carry come disappear do eat find give grow happen have hear hire hold keep "
    "know lean learn "
    "listen live lose oversleep sell take unpack write"
).split()
# The prepositions that a word requires. "Was born Ashby" and "works the town" are missing because they have
# another meaning.
NEEDED = {
    **dict.fromkeys("live lived lives".split(), "in with"),
    **dict.fromkeys("belong belonged belongs".split(), "to"),
    **dict.fromkeys("work worked works living".split(), "as"),
    **dict.fromkeys("come comes came".split(), "from to into"),
    **dict.fromkeys("go goes went back listened talk".split(), "to"),
    **dict.fromkeys("sits sleeps".split(), "on"),
    **dict.fromkeys("proud thinks friend middle payroll charge".split(), "of"),
    "asleep": "in at",
    "job": "at",
    "sleep": "beside",
    "lies": "on to",
    "looked": "for",
    "hired": "by",
}


@dataclass(frozen=True)
class TaggedSentence:
    """A tagged sentence. `firm`: whether it names a firm. `pronoun`: "he" or "she" for the first name."""

    text: str
    words: tuple[TaggedWord, ...]
    firm: bool
    pronoun: str

    def form(self, place: int) -> str:
        """Return the token with index `place` in lowercase, or "" outside the sentence."""
        return self.words[place].form.lower() if 0 <= place < len(self.words) else ""

    def tag(self, place: int) -> str:
        """Return the tag of the token with index `place`, or "" outside the sentence."""
        return self.words[place].upos if 0 <= place < len(self.words) else ""

    def edit(self, place: int, new: str, count: int = 1) -> Edit:
        """Return an Edit (start, end, new) that replaces `count` tokens; "" also removes a space."""
        start, last = self.words[place].start, self.words[place + count - 1]
        end = last.start + len(last.form)
        return (start, end, new) if new else (start, end + 1, "")


def agreement(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit at token `place` that breaks agreement ("he bakes" -> "he bake"), or None."""
    lemma, name = VERBS.get(sentence.form(place), ("", ""))
    before = place - 1 - (sentence.tag(place - 1) == "ADV")
    word, tag = sentence.form(before), sentence.tag(before)
    if sentence.tag(place) not in ("VERB", "AUX") or sentence.firm:
        return None
    if (
        name == "third"
        and lemma not in TIMELESS
        and (
            word in ("he", "she", "it", "nobody", "everybody")
            or tag == "PROPN"
            or tag == "NOUN"
            and word not in COLLECTIVES
        )
    ):
        return sentence.edit(place, "are" if lemma == "be" else lemma)
    return (
        sentence.edit(place, THIRDS[lemma]) if name == "base" and word in PEOPLE and lemma in THIRDS else None
    )


def article(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit at token `place` that uses the wrong article ("an oven" -> "a oven"), or None."""
    wrong = {"a": "an", "an": "a"}.get(sentence.form(place))
    return (
        sentence.edit(place, wrong) if wrong and sentence.form(place + 1) != "hotel" else None
    )  # "an hotel" is old-fashioned, not wrong


def order(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit that swaps token `place` with the next one ("the oven" -> "oven the"), or None."""
    pair = sentence.tag(place), sentence.tag(place + 1)
    fits = (
        pair[0] == "DET"
        and sentence.form(place) in DETERMINERS
        and pair[1] == "NOUN"
        or pair == ("AUX", "VERB")
        and sentence.tag(place - 1) != "PUNCT"
        or pair[0] == "ADP"
        and sentence.form(place) not in ADJECTIVES
        and sentence.form(place + 1) in DETERMINERS
    )
    if not fits or place == 0:
        return None
    return sentence.edit(place, f"{sentence.words[place + 1].form} {sentence.words[place].form}", count=2)


def missing_verb(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit that removes the only verb, at `place` ("She is a cook." -> "She a cook."), or None."""
    verbs = [word for word in sentence.words if word.upos in ("VERB", "AUX")]
    subject = sentence.form(place - 1) in ("he", "she", "i", "it", "they", "nobody")
    named = sentence.tag(place - 1) == "PROPN" and sentence.form(place + 1) in ("a", "an")
    if verbs != [sentence.words[place]] or not (subject or named) or sentence.tag(place + 1) == "PUNCT":
        return None
    return sentence.edit(place, "")


def double_subject(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit that adds a pronoun after the subject ("Ashby bakes" -> "Ashby she bakes"), or None."""
    subject = place > 0 and all(word.upos == "PROPN" for word in sentence.words[:place])
    if not subject or VERBS.get(sentence.form(place), ("", ""))[1] not in ("third", "past", "modal"):
        return None
    return sentence.edit(place, f"{sentence.pronoun} {sentence.form(place)}")


def verb_form(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit at token `place` that uses the wrong verb form ("has lived" -> "has live"), or None."""
    before = place - 1 - (sentence.tag(place - 1) == "ADV")
    word, helper = sentence.form(place), sentence.form(before)
    if helper in ("has", "have", "had") and sentence.tag(before) == "AUX" and word in PARTICIPLES:
        lemma = PARTICIPLES[word]
        return sentence.edit(place, lemma) if lemma in NOT_NOUNS and lemma != word else None
    lemma, name = VERBS.get(word, ("", ""))
    if name == "base" and (
        helper in ("can", "will", "would", "could") or helper == "to" and sentence.tag(before) == "PART"
    ):
        past = PASTS.get(lemma, lemma)
        return sentence.edit(place, past) if past not in (word, *OTHER_VERBS) else None
    return None


def pronoun_case(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit at token `place` that uses the wrong case ("he bakes" -> "him bakes"), or None."""
    word, after = sentence.form(place), sentence.tag(place + 1)
    if word in SUBJECTS:
        return sentence.edit(place, SUBJECTS[word]) if after in ("VERB", "AUX") else None
    if word in ("him", "me") or word == "her" and after == "PUNCT":
        governed = sentence.tag(place - 1) in ("VERB", "ADP") and sentence.form(place - 1) != "before"
        return sentence.edit(place, {"him": "he", "me": "I", "her": "she"}[word]) if governed else None
    owned = after in ("NOUN", "ADJ") and sentence.form(place + 1) not in {row.animal for row in ANIMALS}
    return (
        sentence.edit(place, {"his": "he", "her": "she"}[word]) if word in ("his", "her") and owned else None
    )


def missing_preposition(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit that removes a required preposition ("lives in Ashby" -> "lives Ashby"), or None."""
    word = sentence.form(place)
    needed = word in NEEDED.get(sentence.form(place - 1), "").split() and sentence.tag(place) == "ADP"
    return (
        sentence.edit(place, "")
        if needed and sentence.tag(place + 1) in ("DET", "PRON", "PROPN", "NOUN", "ADJ")
        else None
    )


def doubled_word(sentence: TaggedSentence, place: int) -> Edit | None:
    """Return an edit that repeats token `place` ("the oven" -> "the the oven"), or None."""
    word = sentence.form(place)
    doubled = word in ("the", "a", "an", "of", "from", "at", "with", "for", "his", "and") or (
        word in ("to", "her")
        and sentence.tag(place) in ("PART", "ADP", "PRON")
        and sentence.tag(place + 1) != "PUNCT"
    )
    return sentence.edit(place, f"{sentence.words[place].form} {word}") if doubled else None


VIOLATIONS: dict[str, Callable[[TaggedSentence, int], Edit | None]] = {
    "agreement": agreement,
    "article": article,
    "order": order,
    "missing verb": missing_verb,
    "double subject": double_subject,
    "verb form": verb_form,
    "pronoun case": pronoun_case,
    "missing preposition": missing_preposition,
    "doubled word": doubled_word,
}


def violated(sentence: TaggedSentence, name: str) -> list[str]:
    """Return all versions of a sentence with one mistake of the kind `name`, such as "agreement"."""
    edits = [VIOLATIONS[name](sentence, place) for place in range(len(sentence.words))]
    texts = [
        sentence.text[: edit[0]] + edit[2] + sentence.text[edit[1] :] for edit in edits if edit is not None
    ]
    return [text[0].upper() + text[1:] for text in texts]
