"""What a visit to each lesson does with its controls: at least one action for each of them, in the syntax of lab.py."""

ACTIONS = {}
