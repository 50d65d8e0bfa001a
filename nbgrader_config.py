"""Makes plain `nbgrader` commands work in this repository: the course's folders under nbgrader's names."""
c = get_config()  # noqa: F821  nbgrader defines it

c.CourseDirectory.course_id = "minibert"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
# generate_assignment copies every other file of a solution's folder into the exercise: never its text source
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.nb.py"]

# what stands where an answer was: it runs up to there, and a check can tell "not written yet" from "wrong"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError"}
c.ClearSolutions.text_stub = "*Your answer here.*"
