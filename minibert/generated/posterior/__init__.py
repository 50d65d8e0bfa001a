"""The best possible predictions, which follow the exact posterior distribution of masked tokens.

The posterior is computed from the grammar that generated the text.
"""
