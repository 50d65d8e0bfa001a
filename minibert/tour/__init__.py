"""The whole story in minutes: language, vocabulary, pretraining, fine-tuning, grading, report."""
from .run import TourConfig, tour
