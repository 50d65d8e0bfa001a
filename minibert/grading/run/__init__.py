"""One notebook executed: the student's cells in a sandboxed kernel, the tests in a trusted process."""
