"""Fine-tuned models that need no training: one answers with the question's own words, one tags capitals."""

import json
from types import SimpleNamespace

import numpy as np

from minibert.data.batch import Specials
from minibert.finetuning.finetuned import Finetuned
from minibert.tasks.qa import QA
from minibert.tasks.tagging import Tagging


class Characters:
    """A tokenizer whose pieces are the characters."""

    specials = Specials()

    def encode(self, text):
        return SimpleNamespace(
            ids=[5 + ord(c) % 9000 for c in text], offsets=[(i, i + 1) for i in range(len(text))]
        )


class Echo(QA):
    """Points with height 5 at the question's characters in the passage; [CLS] has 4."""

    def logits(self, model, rows, batch_size=32):
        found = []
        for question, passage in rows:
            row = np.zeros((len(question) + len(passage) + 3, 2), np.float32)
            row[0] = 4
            for i in range(len(passage) - len(question) + 1):
                if passage[i : i + len(question)] == question:
                    first = len(question) + 2 + i
                    row[first, 0] = row[first + len(question) - 1, 1] = 5
                    break
            found.append(row)
        return found


class Capitals(Tagging):
    """Tags every word with a capital as a person, X as a place."""

    def predict(self, model, examples, batch_size=32):
        def tag(word):
            return "B-LOC" if word == "X" else "B-PER" if word[:1].isupper() else "O"

        return [[tag(word) for word in example.words] for example in examples]


def echo(**settings):
    """A fine-tuned Echo."""
    return Finetuned("qa", Echo(Characters(), 64, **settings), None)


def capitals():
    """A fine-tuned Capitals."""
    return Finetuned("ner", Capitals(Characters(), 64, ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]), None)


def squad(path, questions, context="Eva sang in Rome. Bo slept.", **options):
    """Write a SQuAD file of (question, answer or "") about a passage, each in an article of its own."""

    def entry(number, question, answer):
        answers = [{"text": answer, "answer_start": context.index(answer)}] if answer else []
        return {"id": f"q{number}", "question": question, "answers": answers, "is_impossible": not answers}

    data = [
        {"title": "t", "paragraphs": [{"context": context, "qas": [entry(i, *pair)]}]}
        for i, pair in enumerate(questions)
    ]
    path.write_text(json.dumps({"version": "2.0", "data": data}, **options), encoding="utf-8")
    return path
