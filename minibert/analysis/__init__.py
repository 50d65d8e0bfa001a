"""Measures of what happens inside a model, as functions from arrays (such as attention) to numbers.

The functions work with any model, because they take arrays, not a model.
"""
