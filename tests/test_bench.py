"""The pages of the benchmarks are what the reports make of the results that lie beside them."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The two reports; `spark_report` imports the other one."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield importlib.import_module("report"), importlib.import_module("spark_report")
    sys.modules.pop("report")
    sys.modules.pop("spark_report")


@pytest.fixture
def undrawn(reports: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    for drawing in ("bars", "lines"):
        monkeypatch.setattr(reports[0], drawing, lambda *_: None)
    return reports


def test_pages_are_those_of_the_results(undrawn: Any, tmp_path: Path) -> None:
    index, spark = undrawn
    index.main(RESULTS / "index.json", tmp_path)
    spark.main(RESULTS / "spark.json", tmp_path / "spark.md")
    for page in ("index.md", "spark.md"):
        made = (tmp_path / page).read_text()
        assert made == (ROOT / "docs" / "benchmarks" / page).read_text(), "run `make bench-report`"


def test_systems_that_were_stopped_before_their_first_window(reports: Any, tmp_path: Path) -> None:
    rows = json.loads((RESULTS / "index.json").read_text())
    few = [row for row in rows if row["experiment"] in ("performance-all", "slide")][:20]
    for row in few:
        if row["system"] in ("DFS", "RWC"):
            row.update(dict.fromkeys(("p50_ms", "p95_ms", "p99_ms", "max_ms", "retained_bytes")))
            row.update(edges=1000, capped=True, edges_per_s=210_000, burst_max_ms=5.79)
    results = tmp_path / "few.json"
    results.write_text(json.dumps(few))
    reports[0].main(results, tmp_path)
    page = (tmp_path / "index.md").read_text()
    assert "| DFS (stopped after 1,000 edges) |" in page
    assert "| 0.21 |  |  |  |  | 5.79 |  |" in page
    assert (tmp_path / "slide.png").stat().st_size > 0
