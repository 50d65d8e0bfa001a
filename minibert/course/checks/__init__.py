"""The code that all checks share: steps of a check, known mistakes, messages to students."""
