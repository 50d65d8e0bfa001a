"""Messages between the trusted process and the student's process, which carry values but never code."""
