"""What a pretrained encoder is fine-tuned for, one task per file: examples, heads, loss, answers."""
from .base import Task
from .choice import Choice
from .classification import Acceptability, Categories, Classification, Paraphrase, Similarity
from .qa import QA
from .tagging import PlainTagging, Tagging
