"""The path from a class's files to notebooks that can be graded, and the check before handing in."""
