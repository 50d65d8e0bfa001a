"""What lessons show and ask: figures, tables, controls, guesses, quizzes; `explorer` walks into a whole BERT.

They draw what the rest of the package computes, compute nothing themselves, and load nothing from a network.
A view that only one lesson uses is in its unit: `course/unit07/views`.
"""
