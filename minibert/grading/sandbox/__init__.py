"""Isolate student code with bubblewrap or a container, and limit its system calls, time and memory."""
