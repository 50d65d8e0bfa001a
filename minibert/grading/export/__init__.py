"""Export the grader as an autograder for Gradescope or GitHub Classroom."""
