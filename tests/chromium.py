"""A page as headless Chromium shows it: its text after the scripts have run, and a picture."""

import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SECONDS = 300


def executable() -> str:
    """Skips the test where there is none; `.ci/run` installs it where it can."""
    for name in NAMES:
        if shutil.which(name):
            return name
    pytest.skip("no Chromium on the PATH: apt-get install chromium")


def dom(url: str, profile: Path, wait_ms: int) -> str:
    return _run(url, profile, f"--virtual-time-budget={wait_ms}", "--dump-dom")


def picture(url: str, profile: Path, wait_ms: int, to: Path) -> None:
    _run(
        url,
        profile,
        f"--virtual-time-budget={wait_ms}",
        "--window-size=1180,960",
        "--hide-scrollbars",
        f"--screenshot={to}",
    )


def _run(url: str, profile: Path, *options: str) -> str:
    command = [executable(), *FLAGS, f"--user-data-dir={profile}", *options, url]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    return run.stdout
