"""Predict masked tokens as well as possible: exactly, from the grammar that generated the text."""
