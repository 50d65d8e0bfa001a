"""From an instructor's text source to the notebooks that students get, and to what grading must know."""
