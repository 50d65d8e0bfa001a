"""From a trunk to a solved task: one call that trains, and one folder that keeps the result."""
from .run import TASKS, Finetuned, finetune, read_examples
