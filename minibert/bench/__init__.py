"""How fast this package trains on this machine, beside others that do the same work, and beside what the
machine can do.
"""
from .run import bench
