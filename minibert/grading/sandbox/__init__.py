"""The sandbox for student code: bubblewrap or a container, with limits on system calls, time and memory."""
