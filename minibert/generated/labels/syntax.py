"""Tag words with their part of speech and clause depth, for syntactic probes.

The lexicon gives the tags of the words in templates, and each slot (gap) those of its words. The tags are
universal ones in CoNLL-U columns (Nivre et al. 2016, LREC), for probes of what layers know (Tenney et al.
2019, arXiv 1905.05950). The language has no parse trees, so each token has a *clause depth* instead of a
depth in a tree (see `depths`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from minibert.readers.writing import writing

from ..sentences.lexicon import CONTEXTS, LEXICON, PARTICIPLES, VERBS
from ..writer.documents import World
from ..writer.grammar import Page, Span

TOKEN = re.compile(r"'s\b|\w+|[^\w\s]")
PRONOUNS = ("pronoun", "he", "him", "his")  # slots that show pronouns
NOUNS = ("NOUN", "PROPN")
QUESTION = re.compile(r"which|what|who|whom|whose|where|when|how|why")
RELATIVE = re.compile(r"which|what|who|whom|whose|where|when|how|why|whoever|whatever")


@dataclass(frozen=True)
class TaggedWord:
    """A token of a sentence, with the characters `sentence[start:start + len(form)]`.

    `upos` is the token's universal part-of-speech tag, and `depth` is the number of clauses it is embedded
    in.
    """

    form: str
    start: int
    upos: str
    depth: int

    @property
    def lemma(self) -> str:
        """Return the base form of a verb, or "_" for every other word."""
        return VERBS.get(self.form.lower(), ("_",))[0] if self.upos in ("VERB", "AUX") else "_"


def tagged(page: Page, number: int) -> list[TaggedWord]:
    """Return the tagged words of sentence `number` in a document.

    Raises ValueError for a word that neither shows a fact nor is in the lexicon.
    """
    sentence = page.sentences[number]
    start = sum(len(text) + 1 for text in page.sentences[:number])
    inside = [(span.start - start, span.end - start, span) for span in page.spans if span.sentence == number]
    tokens = [(match.group(), match.start()) for match in TOKEN.finditer(sentence)]
    forms = [form.lower() for form, _ in tokens]
    tags = []
    for place, (form, at) in enumerate(tokens):
        span = next((span for first, end, span in inside if first <= at < end), None)
        tags.append(_tag(forms, place, form, span))
    tags = [_refined(forms, tags, place) for place in range(len(tags))]
    return [
        TaggedWord(form, at, tag, depth) for (form, at), tag, depth in zip(tokens, tags, depths(forms, tags))
    ]


def _tag(forms: list[str], place: int, form: str, span: Span | None) -> str:
    """Return the tag of token `place`, from the fact that it shows (`span`) or else from the lexicon."""
    word = forms[place]
    if span is not None and span.slot not in PRONOUNS:
        if form.isdigit():
            return "NUM"
        if (
            span.slot in ("make", "makes", "made", "handles")
            or span.slot in ("habit", "habit_past")
            and word in VERBS
        ):
            return "VERB"
        if _proper(span):
            return "CCONJ" if word == "and" else "PROPN"
        if span.slot == "side" and forms[place - 1] != "the":
            return "ADV"
        tag = _looked_up(forms, place)
        return tag if tag in ("ADP", "DET", "NUM", "ADJ") else "NOUN"
    tag = _looked_up(forms, place) if word in LEXICON else None
    if tag is None:
        raise ValueError(f"the word {form!r} of {' '.join(forms)!r} is neither in a slot nor in the lexicon")
    return tag


def _looked_up(forms: list[str], place: int) -> str | None:
    """Return the lexicon's tag for token `place`, or None for an unknown word."""
    word, around = forms[place], " ".join([*forms[:place], "_", *forms[place + 1 :]])
    return next((tag for pattern, tag in CONTEXTS.get(word, ()) if pattern.search(around)), LEXICON.get(word))


def _proper(span: Span) -> bool:
    """Return True if a span shows a name, a day or a month."""
    return span.slot in ("name", "pet") or span.topic.sort.entity_type(span.slot) is not None


def _refined(forms: list[str], tags: list[str], place: int) -> str:
    """Return the tag of token `place`, corrected for words such as "to", relative "that", "have" and "be"."""
    word, tag = forms[place], tags[place]
    after = tags[place + 1] if place + 1 < len(tags) else ""
    if word == "to" and (after == "VERB" or forms[place + 1] in ("be", "have", "do")):
        return "PART"
    if (
        word == "that"
        and tag == "SCONJ"
        and place > 0
        and tags[place - 1] in NOUNS
        and after in ("VERB", "AUX")
    ):
        return "PRON"
    if word in ("is", "are", "was", "were", "been"):
        near = range(max(0, place - 1 - (word == "been")), min(len(forms), place + 2))
        return "VERB" if any((forms[at], tags[at]) == ("there", "PRON") for at in near) else tag
    if word in ("have", "has", "had", "do", "does", "did", "done"):
        return "AUX" if _helps(forms, tags, place) else "VERB"
    return tag


def _helps(forms: list[str], tags: list[str], place: int) -> bool:
    """Return True if token `place` is an auxiliary "have" or "do", before a participle or infinitive."""
    have = forms[place].startswith("ha")
    for word, tag in zip(forms[place + 1 :], tags[place + 1 :], strict=True):
        if tag in ("VERB", "AUX"):
            return (
                word in PARTICIPLES or word in VERBS and VERBS[word][1] == "participle"
                if have
                else VERBS[word][1] == "base"
            )
        if word in ",.?" or have and place > 0 and tag not in ("ADV", "PART", "PRON"):
            return False
    return False


def depths(forms: list[str], tags: list[str]) -> list[int]:
    """Return the clause depth of each token of a sentence, from its lowercase forms and its tags.

    The depth is 0 in the main clause. Each finite subordinate clause around the token adds 1, and so does
    quoted speech. A word that opens a clause, such as "that", "because", "who", "where" or "as", belongs to
    it. A clause ends at a comma, at the end of its quotation or sentence, and before a second finite verb
    without a conjunction. Infinitives, participles and clauses without an opening word do not count.
    """
    clauses: list[bool | None] = []  # open clauses: True once the finite verb was read; None is a quotation
    found, joined, asked = [], False, False  # asked: the question word of a main clause was read
    for place, (word, tag) in enumerate(zip(forms, tags)):
        if word == '"':
            closing = None in clauses
            if not closing:
                clauses.append(None)
            del clauses[clauses.index(None) + 1 :]
            found.append(len(clauses))
            if closing:
                clauses.pop()
            asked = False
            continue
        if word in ",.?!:":
            while clauses and clauses[-1] is not None:
                clauses.pop()
            joined, asked = False, asked and word == ","
        elif tag == "CCONJ":
            joined = forms[place + 1] != "partners"
        elif tag in ("VERB", "AUX") and _finite(forms, tags, place):
            if clauses and clauses[-1] is True and not joined:
                clauses.pop()
            if clauses and clauses[-1] is False:
                clauses[-1] = True
            joined = False
        elif not asked and QUESTION.fullmatch(word) and _ends(forms, place) == "?":
            asked = True
        elif (
            tag == "SCONJ"
            or RELATIVE.fullmatch(word)
            or (word == "that" and tag == "PRON" and tags[place - 1] in NOUNS)
        ) and VERBS.get(forms[place + 1], ("", ""))[1] != "ing":
            clauses.append(False)  # "while opening the jar" is not a finite clause
        found.append(len(clauses))
    return found


def _ends(forms: list[str], place: int) -> str:
    return next((word for word in forms[place:] if word in ".?!"), "")


def _finite(forms: list[str], tags: list[str], place: int) -> bool:
    if (
        VERBS.get(forms[place], ("", "past"))[1] in ("ing", "participle")
        or tags[place - 1] == "PART"
        and place
    ):
        return False
    for before in range(place - 1, -1, -1):
        if tags[before] == "AUX":
            return VERBS[forms[place]][1] == "third"
        if tags[before] in ("VERB", "PUNCT", "CCONJ", "SCONJ") or RELATIVE.fullmatch(forms[before]):
            return True
    return True


def tagged_sentences(world: World, count: int, seed: int, split: str = "train") -> Iterator[list[TaggedWord]]:
    """Yield the tagged sentences of `count` documents.

    Raises ValueError for an unknown split.
    """
    for page in world.pages(count, seed, split, stream="syntax"):
        for number in range(len(page.sentences)):
            yield tagged(page, number)


def write_conllu(sentences: Iterable[list[TaggedWord]], path: str | Path) -> None:
    """Write a file in CoNLL-U, with ten tab-separated columns and a blank line after each sentence.

    The columns are ID, FORM, LEMMA (of verbs, else "_"), UPOS, five times "_" (there is no parse), and MISC:
    `ClauseDepth=1`, plus `SpaceAfter=No` if no space follows.
    """
    with writing(path) as file:
        for number, words in enumerate(sentences, 1):
            text = "".join(" " * (word.start - end) + word.form for word, end in zip(words, _ends_of(words)))
            file.write(f"# sent_id = {number}\n# text = {text}\n")
            for place, word in enumerate(words, 1):
                near = place < len(words) and words[place].start == word.start + len(word.form)
                misc = f"ClauseDepth={word.depth}" + "|SpaceAfter=No" * near
                file.write("\t".join([str(place), word.form, word.lemma, word.upos, *"_____", misc]) + "\n")
            file.write("\n")


def _ends_of(words: list[TaggedWord]) -> list[int]:
    return [0] + [word.start + len(word.form) for word in words[:-1]]
