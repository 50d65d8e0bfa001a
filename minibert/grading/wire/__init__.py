"""Messages between the trusted process and the student's: values, never code, over one socket."""
