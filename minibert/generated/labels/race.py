"""Make multiple-choice questions about passages, with four options each, in the format of RACE.

Lai et al. (2017, arXiv 1704.04683). All options of a question are of one kind, such as names, years or
trades, so nobody can answer it without the passage.
"""

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from minibert.readers.writing import write_text

from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic
from ..writer.questions import TYPE_OF, find_questions
from .balanced_examples import TEXT_PARTS, belongs

LETTERS = "ABCD"
OPTIONS = len(LETTERS)
ELSEWHERE_SHARE = 0.5  # share of the questions whose wrong options do not occur in the passage
KEPT = 64  # values of each kind of fact that are remembered from other documents


@dataclass(frozen=True)
class Passage:
    """A passage with multiple-choice questions.

    `options[i]` are the four options for `questions[i]`, and `answers[i]` is the correct letter, "A" to "D".
    """

    article: str
    questions: tuple[str, ...]
    options: tuple[tuple[str, str, str, str], ...]
    answers: tuple[str, ...]
    id: str


def race_examples(world: World, count: int, seed: int, split: str = "train") -> Iterator[Passage]:
    """Yield `count` passages with questions, each with four options.

    For half of the questions, the wrong options come from the passage, if it contains enough; otherwise, they
    come from other documents. Raises ValueError for an unknown split.
    """
    draws = world.draws(seed, split, "race labels")
    others = Values(world.pages(10**12, seed, split, stream="race options"), draws)
    number = 0
    for page in world.pages(10**12, seed, split, stream="race"):
        if number >= count:
            return
        text = " ".join(page.sentences)
        asked = [
            (question, answers[0], _asked_of(page, answers[0]))
            for question, answers in find_questions(page, draws)
        ]
        if asked and belongs(split, text, TEXT_PARTS):
            rows = [
                (question, *_options(page, draws, others, topic, slot))
                for question, _, (topic, slot) in asked
            ]
            questions, options, answers = zip(*rows)
            yield Passage(text, questions, options, answers, f"middle{number}.txt")
            number += 1


class Values:
    """A memory of recent values of each kind of fact, from which wrong options are drawn."""

    def __init__(self, pages: Iterator[Page], draws: Draws):
        self._pages, self._draws = pages, draws
        self._seen: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT))

    def draw(self, slot: str, not_in: str, taken: list[str]) -> str:
        """Return a value that is not in the text `not_in` and is distinct from those in `taken`.

        slot: the kind of fact, such as "name" for a person's name.
        """
        while True:
            page = next(self._pages)
            for (_, name), (_, text, _) in page.told.items():
                self._seen[name].append(text)
            self._seen["name"].extend(topic.full for topic in page.mentions if topic.label == "PER")
            fit = [value for value in self._seen[slot] if value not in not_in and apart(value, taken)]
            if len(fit) >= OPTIONS:
                return self._draws.pick(fit)


def apart(value: str, others: Iterable[str]) -> bool:
    """Return True if neither the value nor any of `others` contains the other.

    "July 1973" may not be an option next to "1973", because both would be correct.
    """
    return all(value not in other and other not in value for other in others)


def _asked_of(page: Page, answer: tuple[str, int]) -> tuple[Topic, str]:
    """Return (topic, name of the fact) for an answer (text, start), or (person, "name") for a person."""
    text, start = answer
    for topic, mentions in page.mentions.items():
        if topic.label == "PER" and any((at, name) == (start, text) for _, at, name in mentions):
            return topic, "name"
    return next(key for key, (at, value, _) in page.told.items() if (at, value) == (start, text))


def _group(topic: Topic, slot: str) -> str:
    """Return a group name for a topic's fact; only values of the same group may be options together."""
    return topic.sort.phrase(slot).atoms[-1].pool if TYPE_OF[slot] == "date" else TYPE_OF[slot]


def _options(
    page: Page, draws: Draws, others: Values, topic: Topic, slot: str
) -> tuple[tuple[str, ...], str]:
    """Return four options for a topic's fact `slot` in random order, and the letter of the correct one."""
    if slot == "name":
        right = topic.full
        rivals = [other.full for other in page.mentions if other.label == "PER" and other is not topic]
    else:
        right = topic.text(slot)
        rivals = [
            text
            for (other, name), (_, text, _) in page.told.items()
            if TYPE_OF.get(name) == TYPE_OF[slot]
            and _group(other, name) == _group(topic, slot)
            and {slot, name} != {"near", "river"}
        ]  # a town's river is near it
        rivals += [
            other.full
            for other in page.mentions
            if other is not topic and other.label == {"place": "LOC", "firm": "ORG"}.get(TYPE_OF[slot])
        ]
    rivals = [text for text in dict.fromkeys(rivals) if apart(text, [right])]
    wrong = [] if draws.chance(ELSEWHERE_SHARE) else draws.sample(rivals, min(OPTIONS - 1, len(rivals)))
    wrong = [text for place, text in enumerate(wrong) if apart(text, wrong[:place])]
    while len(wrong) < OPTIONS - 1:
        wrong.append(others.draw(slot, " ".join(page.sentences), [right, *wrong]))
    place = draws.index(OPTIONS)
    wrong.insert(place, right)
    return tuple(wrong), LETTERS[place]


def write_race(examples: Iterable[Passage], folder: str | Path) -> None:
    """Write one JSON file for each passage, like RACE's `middle/1.txt`.

    The keys are article, questions, options, answers and id.
    """
    (Path(folder) / "middle").mkdir(parents=True, exist_ok=True)
    for example in examples:
        name = example.id.removeprefix("middle")
        write_text(Path(folder) / "middle" / name, json.dumps(asdict(example)))
