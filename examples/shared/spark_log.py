"""Where Spark's own messages go while a demonstration runs, so that its lines stand alone."""

import os
import sys
from pathlib import Path


def send_to(file: Path) -> None:
    """Have the processes that are started from now on write their errors to ``file``.

    These are the JVM of Spark, whose log goes there, and jobs. The errors of this process still go
    to the terminal.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
    with file.open("wb") as log:
        os.dup2(log.fileno(), 2)
    print(f"Spark's log: {os.path.relpath(file)}", flush=True)
