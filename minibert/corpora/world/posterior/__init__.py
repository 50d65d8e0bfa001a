"""The best reachable prediction: the exact posterior of masked tokens under the grammar that wrote the
text.
"""
