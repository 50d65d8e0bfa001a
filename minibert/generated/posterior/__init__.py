"""The best possible prediction: the exact posterior of masked tokens.

It is computed under the grammar that generated the text.
"""
