"""What a model is trained for, one idea per file: rows from documents, inputs and labels from rows, a loss from logits."""
from .base import Objective
from .denoise import Denoise, bart_noise
from .mlm import MLM
from .nsp import NSP
from .plm import PLM
from .rtd import RTD
from .sum import Sum
from .whole_word import WholeWordMLM
