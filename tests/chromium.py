"""A page as headless Chromium shows it: its text after the scripts have run."""

import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SECONDS = 300


def dom(url: str, profile: Path, wait_ms: int) -> str:
    """Skips the test where there is no Chromium; `.ci/run` installs it where it can."""
    program = next(filter(shutil.which, NAMES), None)
    if program is None:
        pytest.skip("no Chromium on the PATH: apt-get install chromium")
    options = [f"--user-data-dir={profile}", f"--virtual-time-budget={wait_ms}", "--dump-dom"]
    command = [program, *FLAGS, *options, url]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    return run.stdout
