"""Where a student's code runs and what it may use: bubblewrap or a container, system calls, time, memory."""
