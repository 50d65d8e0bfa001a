"""`python -m minibert` runs the command line, as `minibert` does."""

import sys

from .cli.main import main

sys.exit(main())
