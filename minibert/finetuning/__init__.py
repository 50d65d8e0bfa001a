"""From a pretrained encoder to a solved task: one call that trains, and one folder that keeps the result."""
from .registry import REGISTRY, read_examples
from .run import Finetuned, finetune
