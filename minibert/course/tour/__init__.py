"""Run the entire project in a few minutes, from generating the language to grading (`minibert tour`)."""

from .run import TourConfig, tour
