"""Export of the grader as an autograder for single submissions on Gradescope or GitHub Classroom."""
