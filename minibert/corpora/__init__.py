"""Text to learn from: a generated language with known answers, hand-written passages, and readers of real
files.
"""
