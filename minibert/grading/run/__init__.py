"""Running and marking: one notebook in two processes, one submission, a whole class, several machines."""
