"""Ask a model questions about passages, to find which it can answer and which added sentences mislead it.

Jia and Liang (2017, arXiv 1707.07328): a sentence about somebody else does not change the correct answer, but
it changes predictions. `tuned` is an object with `task` and `model`, as returned by fine-tuning.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from .qa import Asked


def examples_of(documents: Iterable[Any]) -> list[Asked]:
    """Return one example for each question about each document.

    documents: objects with a text and questions, such as documents in the course's generated language.
    """
    return [
        Asked(question.text, document.text, tuple(question.answers))
        for document in documents
        for question in document.questions
    ]


def three_questions(examples: Iterable[Asked]) -> list[Asked]:
    """Return two answerable questions and an unanswerable one about the first passage that has them.

    Raises ValueError if there is no such passage.
    """
    for _, group in groupby(examples, key=lambda example: example.context):
        asked = list(group)
        answered = list({example.answers[0][0]: example for example in asked if example.answers}.values())
        silent = [example for example in asked if not example.answers]
        if len(answered) > 1 and silent:
            return [answered[0], answered[-1], silent[0]]
    raise ValueError("no passage has two questions with different answers and one without an answer")


def exact(tuned: Any, examples: Sequence[Asked]) -> list[bool]:
    """Return, for each example, whether the model's answer is exactly one of the correct answers."""
    return [
        text in [right for right, _ in example.answers]
        for example, text in zip(examples, tuned.task.answer(tuned.model, examples))
    ]


def answer_sentence(example: Asked) -> str:
    """Return the sentence of the passage that contains the example's first answer.

    >>> answer_sentence(Asked("Where does he live?", "He sings. He lives in Ashby.", (("Ashby", 22),)))
    'He lives in Ashby.'
    """
    place = example.answers[0][1]
    begin = max(example.context.rfind(mark, 0, place) + 1 for mark in (". ", "? ", "! "))
    return example.context[begin : example.context.find(".", place) + 1].strip()


def names_in(question: str) -> set[str]:
    """Return the names in a question: its capitalised words except the first.

    >>> sorted(names_in("When did Daran Caldwick move to Ormley?"))
    ['Caldwick', 'Daran', 'Ormley']
    """
    return {word.removesuffix("?").removesuffix("'s") for word in question.split()[1:] if word[0].isupper()}


def lures(example: Asked, others: Iterable[Asked], same: bool = True) -> list[str]:
    """Return sentences from other passages that answer a similar question about another person.

    others: examples with an answer. same: whether their questions must start with the same two words as that
    of `example`; otherwise they must start with different words.
    """
    own = names_in(example.question)
    return [
        answer_sentence(other)
        for other in others
        if (other.question.split()[:2] == example.question.split()[:2]) == same
        and other.context != example.context
        and not names_in(other.question) & own
        and any(name in answer_sentence(other) for name in names_in(other.question))
    ]


def with_sentence(example: Asked, added: str, before: bool) -> Asked:
    """Return the example with a sentence added before or after its passage, and its answers shifted."""
    shift = len(added) + 1 if before and added else 0
    context = f"{added} {example.context}" if before else f"{example.context} {added}"
    return example._replace(
        context=context.strip(), answers=tuple((text, place + shift) for text, place in example.answers)
    )


def first_misled(tuned: Any, examples: Sequence[Asked]) -> tuple[Asked, str, str]:
    """Return an example, a sentence that misleads the model, and a summary of all examples.

    The model answers the example correctly, but no longer does so if the sentence is added before the
    passage. If there is no such example, returns the first with a correct answer, or else the first of all.
    """
    tried = [(example, found[0]) for example in examples if (found := lures(example, examples))]
    right = exact(tuned, [example for example, _ in tried])
    still = exact(tuned, [with_sentence(example, added, True) for example, added in tried])
    first = max(range(len(tried)), key=lambda i: (right[i], right[i] and not still[i]))
    pairs = list(zip(right, still))
    lost, won = pairs.count((True, False)), pairs.count((False, True))
    told = (
        f"The model answers {sum(right)} of {len(tried)} questions exactly. With a sentence about somebody "
        f"else before the passage, {lost} of these become wrong, and {won} others become right."
    )
    return *tried[first], told
