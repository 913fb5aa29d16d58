"""The code on every page runs and prints what the page says; every link inside the site exists."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import pages
import pyspark_bic
from session_settings import restored

ROOT = Path(__file__).resolve().parent.parent
# It needs Delta Lake, and is run by test_identity_graph.py.
WITH_DELTA = ROOT / "docs/how-to/identity-graph.md"
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - {WITH_DELTA})]
LATER = {"docs/api/sql.md": "PARTITION BY after a table"} | dict.fromkeys(
    [
        *(f"docs/how-to/{name}.md" for name in ("operations", "prometheus", "state")),
        "docs/tutorial.md",
    ],
    "counters of micro-batches without data",
)
"""Pages that Spark 3.5 cannot run, and what it lacks."""


def marks(name: str) -> list[pytest.MarkDecorator]:
    since = [pytest.mark.since("4.0", LATER[name])] if name in LATER else []
    is_how_to = name.startswith("docs/how-to/")
    return since + ([pytest.mark.later("the how-tos take minutes together")] if is_how_to else [])


@pytest.mark.classic("the pages make sessions of their own")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=name, marks=marks(name))
        for page in PAGES
        for name in [str(page.relative_to(ROOT))]
    ],
)
def test_page(
    spark: SparkSession, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Readers set what they like on a session of their own, which here is that of all tests.
    with restored(spark), pages.inside(spark, tmp_path):
        try:
            pages.run(page, tmp_path)
        finally:
            for query in spark.streams.active:
                query.stop()


def test_the_site_builds(tmp_path: Path) -> None:
    """Strictly: a link or a picture that is not there is an error."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    command += ["--site-dir", str(tmp_path / "site")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    shown = (tmp_path / "site/api/python/index.html").read_text()
    for name in pyspark_bic.__all__:
        if name.startswith("bic_"):
            assert f'id="pyspark_bic.{name}"' in shown
    assert "{edges}" not in shown and shown.count("One row per edge. A row with a null") > 1


@pytest.mark.classic("it is about the runner")
@pytest.mark.usefixtures("spark")
def test_the_runner_sees_what_is_wrong(tmp_path: Path) -> None:
    page = tmp_path / "page.md"

    def run(text: str) -> dict[str, Any]:
        page.write_text(text)
        return pages.run(page, tmp_path)

    right = "```python\nsize = 2\nprint(size + 1)\n```\n\n```\n3\n```\n"
    assert run(right)["size"] == 2
    with pytest.raises(AssertionError, match=r"page\.md:6"):
        run(right.replace("\n3\n", "\n4\n"))
    with pytest.raises(Exception, match="UNRESOLVED_COLUMN"):
        run("```sql\nSELECT 1; SELECT no_such_column\n```\n")
    assert "y" not in run("<!-- not run: a reason -->\n```python\ny = 1 / 0\n```\n")
    run('```csv title="in/1.csv"\na,b\n```\n')
    assert (tmp_path / "in/1.csv").read_text() == "a,b\n"


@pytest.mark.classic("it is about the runner")
def test_hidden_code_checks_and_prepares_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for text, flaw in [
        ("<!-- check:\nassert 1 == 2\n-->\n", ""),
        ("<!-- check:\nsize = 1\n-->\n", r"page\.md:1"),
        ("<!-- run:\nsize = 1\n-->\n", "hides something: <!-- run:"),
    ]:
        page.write_text(text)
        with pytest.raises(AssertionError, match=flaw):
            pages.run(page, tmp_path)
