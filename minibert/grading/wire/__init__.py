"""Exchange values, but never code, between the trusted process and the student's process."""
