"""Authoring: turns an instructor's text source into notebooks for students and data for grading."""
