"""What crosses between a student's process and the process that tests her answers: plain data, never code."""
