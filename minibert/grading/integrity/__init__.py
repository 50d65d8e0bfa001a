"""Whose work an answer is: flags for a person to judge, and how alike answers are; neither changes points."""
