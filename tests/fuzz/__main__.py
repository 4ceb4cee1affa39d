"""`python -m tests.fuzz`; the work is in `run`, which worker processes can import."""

import sys

from .run import main

if __name__ == "__main__":
    sys.exit(main())
