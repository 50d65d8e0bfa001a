"""Code that all checks share: the steps of a check, common mistakes and messages to students."""
