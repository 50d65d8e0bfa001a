"""Figures, tables, controls, guesses and quizzes for lessons, and `explorer`, a walk through a whole BERT.

Widgets draw results that the rest of the package computes, and load nothing from a network. A view that only
one lesson uses is in that lesson's unit, such as `course/unit07/views`.
"""
