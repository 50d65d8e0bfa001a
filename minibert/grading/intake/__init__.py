"""From whatever a class hands in to a notebook that can be graded; also the check a student runs before
handing in.
"""
