"""How long a person waits for a first text: from the command line, everything loaded anew."""

from __future__ import annotations

import subprocess
import sys
import time

from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.errors import InvalidInput

_COMMAND = "from controldag.cli.main import main; main()"


def first_text_s(model: str, example: Example, times: int = 3) -> float:
    """Seconds of `controldag generate` in a new process; the least of several runs, the first of which may compile."""
    words = ["generate", "--model", model, "--service", example.service, "--", *written(example)]
    found = []
    for _ in range(times):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", _COMMAND, *words], capture_output=True, text=True, check=False)
        found.append(time.perf_counter() - began)
        if done.returncode:
            raise InvalidInput.of("model", "say a first text", model, remedy=done.stderr.strip())
    return min(found)
