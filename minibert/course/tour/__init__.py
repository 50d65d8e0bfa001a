"""The tour: language, vocabulary, pretraining, fine-tuning, grading and a report, in minutes."""

from .run import TourConfig, tour
