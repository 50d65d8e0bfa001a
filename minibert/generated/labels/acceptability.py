"""Make sentences that are acceptable or not, in the format of CoLA.

CoLA (Warstadt et al. 2019, arXiv 1805.12471) is a task of GLUE (Wang et al. 2018, arXiv 1804.07461), with
sentences from linguistics books. Ours get their mistakes from `violations`: we choose a mistake, then a
sentence that it fits, and only then whether to make it, so the classes differ in nothing else.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..writer.documents import World
from ..writer.grammar import Page
from .balanced_examples import TEXT_PARTS, belongs
from .syntax import tagged
from .tsv import write_tsv
from .violations import VIOLATIONS, TaggedSentence, violated


@dataclass(frozen=True)
class Judged:
    """A sentence labelled as acceptable (1) or not (0); `source` names its mistake, or is "correct"."""

    source: str
    label: int
    sentence: str


def sentences(page: Page) -> Iterator[TaggedSentence]:
    """Yield a document's sentences that can be judged alone: with a name and a verb, but no quotation."""
    for number, text in enumerate(page.sentences):
        spans = [span for span in page.spans if span.sentence == number]
        labels = {
            span.topic.label if span.slot == "name" else span.topic.sort.entity_type(span.slot)
            for span in spans
        }
        if '"' in text or "?" in text[:-1] or not labels & {"PER", "LOC", "ORG"}:
            continue
        words = tuple(tagged(page, number))
        if any(word.upos in ("VERB", "AUX") for word in words):
            topic = spans[0].topic
            pronoun = topic.text("he") if "he" in topic.sort.slots else "it"
            named = spans[0].slot == "name"  # otherwise, the person's firm, birthplace or pet
            yield TaggedSentence(
                text, words, "ORG" in labels or page.kind == "firm", pronoun if named else "it"
            )


def acceptability_examples(world: World, count: int, seed: int, split: str = "train") -> Iterator[Judged]:
    """Yield `count` sentences, half of them with a mistake; every kind of mistake is equally frequent.

    No sentence is in two splits, with or without a mistake. Raises ValueError for an unknown split.
    """
    return islice(_judged(world, seed, split), count)


def _judged(world: World, seed: int, split: str) -> Iterator[Judged]:
    draws = world.draws(seed, split, "acceptability labels")
    pages = world.pages(10**12, seed, split, stream="acceptability")
    name, broken = draws.pick(list(VIOLATIONS)), draws.chance(0.5)
    for sentence in (sentence for page in pages for sentence in sentences(page)):
        texts = violated(sentence, name)
        if not texts or not belongs(split, sentence.text, TEXT_PARTS):
            continue
        text = draws.pick(texts) if broken else sentence.text
        yield Judged(name if broken else "correct", int(not broken), text)
        name, broken = draws.pick(list(VIOLATIONS)), draws.chance(0.5)


def write_cola(examples: Iterable[Judged], path: str | Path) -> None:
    """Write a table in CoLA's format, with the columns source, label, "*" (if unacceptable) and sentence."""
    write_tsv(((one.source, one.label, "" if one.label else "*", one.sentence) for one in examples), path)
