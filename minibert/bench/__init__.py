"""A benchmark of training speed, compared with other packages and with this machine's limits."""

from .run import bench
