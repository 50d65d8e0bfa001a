"""Execute one notebook: the student's cells in a sandboxed kernel, the tests in a trusted process."""
