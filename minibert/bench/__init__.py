"""How fast this package trains on this machine, compared with other packages and the machine's limits."""

from .run import bench
