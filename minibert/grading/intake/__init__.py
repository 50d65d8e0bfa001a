"""Turn a class's files into notebooks that can be graded, and check notebooks before they are handed in."""
