"""`python -m minibert` is `minibert`."""
import sys

from .cli import main

sys.exit(main())
