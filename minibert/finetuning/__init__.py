"""From a trunk to a solved task: one call that trains, and one folder that keeps the result."""
from .kinds import KINDS, read_examples
from .run import Finetuned, finetune
