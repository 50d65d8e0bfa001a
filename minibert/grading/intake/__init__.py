"""Intake: turns a class's files into notebooks that can be graded, and checks notebooks before handing in."""
