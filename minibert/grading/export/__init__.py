"""The grading of one submission at a time, as an autograder of Gradescope or GitHub Classroom."""
