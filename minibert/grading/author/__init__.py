"""Turn an instructor's text source into notebooks for students and the data that grading needs."""
