"""The notebook runs from top to bottom, and its pictures are there."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.long("a kernel, and a Spark session, of its own")
def test_the_story_of_collegemsg() -> None:
    story = nbformat.read(ROOT / "examples/collegemsg/story.ipynb", as_version=4)
    NotebookClient(
        story, timeout=600, startup_timeout=600, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    outputs = [output for cell in story.cells for output in cell.get("outputs", [])]
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    assert len(pictures) == 3
    assert any("are those of the table" in each.get("text", "") for each in outputs)
