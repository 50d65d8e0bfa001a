"""The best reachable prediction: the exact posterior of masked tokens.

It is computed under the grammar that wrote the text.
"""
