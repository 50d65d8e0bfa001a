"""The grading of one submission and of a whole class, in parallel, on several machines, with resuming."""
