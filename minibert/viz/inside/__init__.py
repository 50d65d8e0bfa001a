"""Drawings for lesson 12, on what is inside BERT: heads, words in a plane, and models side by side."""
