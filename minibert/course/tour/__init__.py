"""The tour: all stages from generating the language to a report of a graded class, in a few minutes."""

from .run import TourConfig, tour
