"""Grading of one submission or a whole class, which can run in parallel, use several machines and resume."""
