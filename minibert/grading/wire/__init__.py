"""The messages between the trusted process and the student's process: values, never code, over one socket."""
