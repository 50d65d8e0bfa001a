"""What a pretrained trunk is fine-tuned for, one task per file: examples to rows, heads, loss, and logits
back to answers.
"""
from .base import Task
from .choice import Choice
from .classification import Acceptability, Categories, Classification, Paraphrase, Similarity
from .qa import QA
from .tagging import PlainTagging, Tagging
