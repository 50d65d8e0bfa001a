"""Judge what given sentences of a document say about a fact, as a careful reader would.

A fact is *stated* if a sentence leaves no doubt about it, and *untouched* if no sentence even hints at it.
Readers could disagree about anything in between, so no task asks about it.
"""

from collections.abc import Collection

from ..sentences.statements import Statement
from ..writer.grammar import Page, Topic

_WORK = frozenset(("crane: machine", "star: actor", "mint: coins", "pupil: school", "ring: boxing"))
# fact -> word senses whose scenes hint at it, such as working at the mint, or a puppy's bark
SCENES = {
    "trade": _WORK,
    "firm": _WORK,
    "animal": frozenset(("bark: dog",)),
    "instrument": frozenset(("fan: admirer",)),
}


class Evidence:
    """What given sentences of a document say about its topics (people, places, firms, ...).

    In all methods, `part` contains the indices of these sentences.
    """

    def __init__(self, page: Page):
        self.page = page
        self._where: dict[tuple[Topic, str], set[int]] = {}
        for span in page.spans:
            self._where.setdefault((span.topic, span.slot), set()).add(span.sentence)
        for (topic, slot), (_, _, sentence) in page.told.items():
            # A fact whose value is another topic has no span of its own.
            self._where.setdefault((topic, slot), set()).add(sentence)

    def shown(self, part: Collection[int], topic: Topic, slot: str) -> bool:
        """Return True if one of the sentences `part` shows the topic's fact `slot`, such as "home"."""
        return not self._where.get((topic, slot), set()).isdisjoint(part)

    def stated(self, part: Collection[int], topic: Topic, statement: Statement) -> bool:
        """Return True if one of the sentences `part` states the fact about the topic beyond doubt."""
        slots = statement.shown_by(topic)
        return any(
            self._states(i, statement) and any(self.shown((i,), topic, slot) for slot in slots) for i in part
        )

    def _states(self, i: int, statement: Statement) -> bool:
        text = self.page.sentences[i]
        if "again" in self.page.lists[i][0]:
            return any(words in text for words in statement.also)
        return self.page.lists[i] in statement.told_in and not any(
            words in text for words in statement.unless
        )

    def untouched(self, part: Collection[int], topic: Topic, statement: Statement) -> bool:
        """Return True if none of the sentences `part` states the fact about the topic or hints at it."""
        if statement.sort != "person" and any(self.page.lists[i] in statement.told_in for i in part):
            return False
        scenes = {self.page.lists[i][1] for i in part}
        return not any(
            self.shown(part, topic, slot) or scenes & SCENES.get(slot, set()) for slot in statement.slots
        )

    def names(self, part: Collection[int], topic: Topic) -> list[str]:
        """Return the different names by which the sentences `part` mention a topic."""
        mentions = self.page.mentions.get(topic, ())
        return list(dict.fromkeys(text for sentence, _, text in mentions if sentence in part))

    def clear(self, part: Collection[int]) -> bool:
        """Return True if the sentences `part` can be understood without the rest of the document.

        Each must name its topic, or follow one of them that names this topic and nobody else.
        """
        for (topic, _), sentences in self._where.items():
            if topic.label is not None:
                naming = {
                    sentence for sentence, _, _ in self.page.mentions.get(topic, ()) if sentence in part
                }
                for i in sentences:
                    if i in part and i not in naming and (i - 1 not in naming or self._rivals(i - 1, topic)):
                        return False
        return True

    def _rivals(self, i: int, topic: Topic) -> bool:
        """Return True if sentence `i` names anything else that "she" or "it" for `topic` could also mean."""
        for span in self.page.spans:
            named = span.slot == "name"
            label = span.topic.label if named else span.topic.sort.entity_type(span.slot)
            if span.sentence == i and label == topic.label and not (named and span.topic is topic):
                return True
        return False
