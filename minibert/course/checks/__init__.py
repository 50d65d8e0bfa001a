"""The code that the checks of all units share: steps of a check, known mistakes, messages to students."""
