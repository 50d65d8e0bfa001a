"""Export of the grader, as an autograder for one submission at a time on Gradescope or GitHub Classroom."""
