"""A language invented for this course, and a generator of documents about people, places and firms.

It needs no download and has no licence restrictions.

    world = World(seed=0)
    for document in world.documents(count=1000, seed=1, split="train"):
        document.text, document.entities, document.questions
"""

from .writer.documents import Document, Entity, Question, World
from .writer.text_files import to_conll, to_squad, to_squad2, write_documents

__all__ = ["Document", "Entity", "Question", "World", "to_conll", "to_squad", "to_squad2", "write_documents"]
