"""Measures of what happens inside a model, as functions from arrays (such as attention) to numbers.

None of these functions uses a model, so they work with any model and can be tested on a few numbers.
`definitions` has the six measures from the exercises. Each of the other files answers one question: which
patterns heads have, which heads matter, how much a vector depends on its sentence, where it comes from,
what can be identified from attention, which sense a word has, and what a probe finds.
"""
