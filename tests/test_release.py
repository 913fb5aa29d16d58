"""All that a release uploads can be made, and passes the checks of those who take it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.long("sbt signs and stages, and writes the pages of the Scala API")
def test_the_dry_run_of_a_release() -> None:
    command = [sys.executable, "build/release_dry_run.py"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("is fit for release; nothing was uploaded\n")
