"""Code that all checks share: the steps of a check, known mistakes and messages to students."""
