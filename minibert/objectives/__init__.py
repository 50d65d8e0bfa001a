"""Pretraining objectives, one per file; each turns documents into a loss."""

from .base import Objective
from .bilm import BiLM
from .capitalisation import Capitalisation
from .clm import CLM
from .denoise import Denoise, bart_noise
from .discourse import SentenceDistance, SentenceReordering
from .entity import EntityMLM
from .look_up import RepeatedWordMLM
from .mlm import MLM
from .ngram import NgramMLM
from .nsp import NSP
from .plm import PLM
from .relation import TokenRelation
from .rtd import RTD
from .sop import SOP
from .span import SpanMLM
from .span_boundary import SpanBoundary
from .static import StaticMasks
from .structural import SentenceStructure, WordStructure
from .sum import Sum
from .whole_word import WholeWordMLM
