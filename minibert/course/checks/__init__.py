"""What the checks of all units share: the steps of a check, known mistakes, and messages to the student."""
