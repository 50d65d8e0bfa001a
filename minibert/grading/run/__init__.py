"""Execution of one notebook: student cells in a sandboxed kernel, tests in a trusted process."""
