"""Notebooks: built from their text sources, released, graded and looked over; knows nbgrader, knows no
model.
"""
