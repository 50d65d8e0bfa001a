"""The entry point of `python -m minibert`, which runs the same command line as `minibert`."""

import sys

from .cli.main import main

sys.exit(main())
