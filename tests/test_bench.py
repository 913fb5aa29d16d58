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
    for name in ("report", "spark_report", "group_report", "mark_report", "id_report"):
        sys.modules.pop(name)


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
        assert made == (ROOT / "bench" / "reports" / page).read_text(), "run `make bench-report`"


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


# What no test is about.
SETTING: dict[str, Any] = {
    "stream": "rmat-10",
    "mode": "batch",
    "cores": 1,
    "heap": "2g",
    "index": "recency",
    "window_edges": 3000,
    "slide_edges": 150,
    "setting_edges": 12_000,
    "pairs": 100,
    "largest_window_vertices": 1200,
    "peak_heap_bytes": 50_000_000,
    "held_bytes": None,
    "marks": 1000,
    "warm_up_s": 0,
    "runs": 1,
    "machine": "a machine",
}


def group_row(query: str, seconds: float, windows: int, rows: int, **more: Any) -> dict[str, Any]:
    """A row as the benchmarks write it, of made-up figures."""
    row = {"query": query, "seconds": seconds, "windows": windows, "rows": rows}
    return {**SETTING, **row, "vertices": windows * 1000, **more}


@pytest.fixture
def group_page(reports: Any, tmp_path: Path) -> Any:
    """The page of results that are about groups alone, or of those of another suite."""

    def make(*rows: dict[str, Any], suite: str = "groups") -> str:
        results = tmp_path / "spark.json"
        results.write_text("[]")
        results.with_name(f"{suite}.json").write_text(json.dumps(rows))
        reports[1].main(results, tmp_path / "spark.md")
        return (tmp_path / "spark.md").read_text()

    return make


def test_groups_beside_pairs_and_rivals(group_page: Any, tmp_path: Path) -> None:
    page = group_page(
        group_row("pairs", 1.0, 100, 10_000, held_bytes=40_000_000),
        group_row("stats", 1.5, 100, 100, held_bytes=40_012_000),
        group_row("stats-scipy", 0.6, 4, 4),
        group_row("stats-union-find", 0.3, 4, 4),
        group_row("components", 2.0, 100, 100_000),
        group_row("components-updates", 4.0, 101, 10_000),
        group_row("components-stable", 6.0, 101, 5_000),
    )
    # 0.5 s more than pairs, for 100,000 vertices in all windows. SciPy takes 150 ms a window.
    assert "| stats | 1.50 | 100 | 100 | 15.0 |  | 5,000.0 | 10.00 |  | 5.00 | 50 |" in page
    assert "| stats-scipy | 0.60 | 4 | 4 | 150.0 |  |  |  |  |  |  |" in page
    # 1 s more than twice the statistics, for 10,000 rows.
    assert "| rmat-10 | batch | 10,000 | 10.0% | 4.00 | 3.00 | 100,000.0 | 5,000 | 1.50 |" in page
    assert "| rmat-10 | batch | 2g | stats | 1,200 | 40 | 10.0 |" in page
    assert "## Against a scan and a count" not in page
    assert (tmp_path / "groups.png").stat().st_size > 0


def test_strings_beside_scattered_numbers(group_page: Any) -> None:
    def rows(kind: str, scan: float, stats: float) -> list[dict[str, Any]]:
        stream = f"rmat-10-{kind}"
        read = group_row("scan", scan, 0, 0, stream=stream, vertices=None)
        return [read, group_row("stats", stats, 100, 100, stream=stream)]

    page = group_page(*rows("scattered", 0.5, 1.5), *rows("names", 1.0, 2.25), suite="ids")
    assert "| rmat-10 | batch | 3,000 | scattered | stats | 1.50 | 1.00 | 1.00 |" in page
    assert "| rmat-10 | batch | 3,000 | names | stats | 2.25 | 1.25 | 1.25 |" in page
    assert "### rmat-10-names" not in page


def test_marked_vertices_and_events(group_page: Any) -> None:
    def stream(query: str, seconds: float, **more: Any) -> dict[str, Any]:
        return group_row(query, seconds, 79, 500, **{"mode": "stream", "batch_ms": 300, **more})

    page = group_page(
        group_row("stats", 1.0, 99, 99),
        group_row("connected", 1.5, 99, 10_000_000),
        group_row("connected-join", 6.0, 99, 10_000_000),
        group_row("connected-pairs", 15.0, 99, 10_000_000),
        group_row("as-of", 2.0, 1, 500_000),
        group_row("as-of-self", 3.0, 1, 2_000_000),
        group_row("as-of-join", 9.0, 1, 500_000),
        *(stream("pairs", 2.0), stream("stats", 2.0)),
        *(stream("connected", 3.0), stream("connected-early", 3.3), stream("as-of", 2.5)),
        stream("pairs-early", 9.0, setting_edges=4000, batch_ms=210),
        stream("as-of-now", 9.0, setting_edges=4000, batch_ms=280),
        suite="marks",
    )
    figures = page.split("|---|---|--:|--:|---|--:|\n")[1].split("\n\n")[0].splitlines()
    of_batch, of_stream, of_small = (
        [line.removeprefix(start).strip("| ") for line in figures if line.startswith(start)]
        for start in (
            "| rmat-10 | batch | 12,000 | 3,000 |",
            "| rmat-10 | stream | 12,000 | 3,000 |",
            "| rmat-10 | stream | 4,000 | 3,000 |",
        )
    )
    assert of_batch == [
        "`connected`, beyond `stats`: ns a row | 50.00",
        "`as-of`, beyond `stats`: µs an event | 2.00",
        "`as-of-self`: µs an event | 1.50",
        "`connected-join` / `connected` | 4.00",
        "`connected-pairs` / `connected` | 10.00",
        "`as-of-join` / `as-of` | 4.50",
    ]
    assert of_stream == [
        "`connected-early` / `connected` | 1.10",
        "`connected` / `pairs` | 1.50",
        "`as-of` / `stats` | 1.25",
    ]
    assert of_small == [
        "`pairs-early`: ms, the median micro-batch | 210.00",
        "`as-of-now`: ms, the median micro-batch | 280.00",
    ]
    assert "## Groups of vertices" not in page and "| as-of-self | 3.00 | 1 | 2,000,000 |" in page


def test_one_query_alone_has_a_page_too(group_page: Any, tmp_path: Path) -> None:
    page = group_page(group_row("table", 1.0, 1, 1000, cores=2))
    assert "| table | 1.00 | 1 | 1,000 | 1,000.0 | 1,000,000.0 |  |  |  |  | 50 |" in page
    assert "### Changelogs" not in page and "### Memory of groups" not in page
    assert "groups.png" not in page and not (tmp_path / "groups.png").exists()


def test_rows_of_groups_lie_in_a_file_of_their_own(undrawn: Any, tmp_path: Path) -> None:
    for name in ("spark.json", "spark-note.md"):
        (tmp_path / name).write_text((RESULTS / name).read_text())
    (tmp_path / "groups.json").write_text(json.dumps([group_row("stats", 1.0, 100, 100)]))
    undrawn[1].main(tmp_path / "spark.json", tmp_path / "spark.md")
    page = (tmp_path / "spark.md").read_text()
    start, groups = page.split("## Groups of vertices")
    assert (ROOT / "bench" / "reports" / "spark.md").read_text().startswith(start.rstrip("\n"))
    assert "| stats | 1.00 |" in groups
