"""The tour, which in a few minutes runs everything from generating the language to grading sample answers."""

from .run import TourConfig, tour
