"""Where a student's code runs and what it may use: bubblewrap, system calls, time, memory."""
