"""How the layout of the state is chosen: a conf of the session, set from Python or by SQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import SparkSession

import oracle
from oracle import Edge, Windows
from pyspark_bic import bic_connectivity
from tables import collected, run_to_end, said, streamed_edges, write_batches

SECOND = 1_000_000
LAYOUT = "spark.bic.stateLayout"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
STATE = "org.apache.spark.sql.execution.streaming.state"
ROCKS_DB = f"{STATE}.RocksDBStateStoreProvider"
SET: dict[str, Callable[[SparkSession, str, str], object]] = {
    "by conf": lambda spark, name, value: spark.conf.set(name, value),
    "by SQL": lambda spark, name, value: spark.sql(f"SET {name}={value}"),
}


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    yield spark
    spark.conf.unset(LAYOUT)
    spark.conf.unset(PROVIDER)


@pytest.mark.parametrize("way", SET)
@pytest.mark.parametrize(
    ("layout", "operator"),
    [
        pytest.param(
            "panes", "transformWithStateExec", marks=pytest.mark.since("4.0", "the layout panes")
        ),
        ("value", "flatMapGroupsWithState"),
    ],
)
def test_each_layout_gives_the_answers(
    session: SparkSession, tmp_path: Path, way: str, layout: str, operator: str
) -> None:
    SET[way](session, LAYOUT, layout)
    SET[way](session, PROVIDER, ROCKS_DB)
    stream = [Edge(1, 2, 0), Edge(2, 3, 4 * SECOND), Edge(3, 9, 13 * SECOND)]
    flush = Edge(7, 8, 1000 * SECOND)
    write_batches(tmp_path / "edges", [*([edge] for edge in stream), [flush], [flush]])
    queries = [(1, 3), (3, 9), (2, 9)]
    answers = bic_connectivity(
        streamed_edges(session, tmp_path / "edges", 0), "10 seconds", "5 seconds", queries=queries
    )
    query = run_to_end(answers, tmp_path / "answers", tmp_path / "checkpoint")
    written = session.read.schema(answers.schema).parquet(str(tmp_path / "answers"))
    assert collected(written) == oracle.answers(stream, Windows(10 * SECOND, 5 * SECOND), queries)
    progress = query.lastProgress
    assert progress is not None
    assert [held["operatorName"] for held in progress["stateOperators"]] == [operator]


@pytest.mark.since("4.0", "the layout panes")
@pytest.mark.parametrize("way", SET)
def test_a_bad_choice_is_refused(session: SparkSession, tmp_path: Path, way: str) -> None:
    write_batches(tmp_path, [[]])
    edges = streamed_edges(session, tmp_path, 0)

    def refusal() -> str:
        with pytest.raises(AnalysisException) as caught:
            bic_connectivity(edges, "1 hour", queries=[(1, 2)]).schema  # noqa: B018
        return said(caught.value)

    SET[way](session, LAYOUT, "pane")
    assert f"unknown {LAYOUT} 'pane'; there is: value, panes" in refusal()
    SET[way](session, LAYOUT, "panes")
    SET[way](session, PROVIDER, f"{STATE}.HDFSBackedStateStoreProvider")
    assert (
        f"{LAYOUT} 'panes' needs RocksDB, but {PROVIDER} is {STATE}.HDFSBackedStateStoreProvider; "
        f"set it to {ROCKS_DB}"
    ) in refusal()


@pytest.mark.since("4.0", "the layout panes")
def test_a_checkpoint_belongs_to_its_layout(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set(PROVIDER, ROCKS_DB)

    def run() -> None:
        edges = streamed_edges(session, tmp_path / "edges", 0)
        answers = bic_connectivity(edges, "10 seconds", queries=[(1, 2)])
        run_to_end(answers, tmp_path / "answers", tmp_path / "checkpoint")

    write_batches(tmp_path / "edges", [[Edge(1, 2, 0)]])
    run()
    write_batches(tmp_path / "edges", [[Edge(2, 3, SECOND)]], first=1)
    session.conf.set(LAYOUT, "panes")
    with pytest.raises(StreamingQueryException) as caught:
        run()
    assert "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA" in str(caught.value)
    session.conf.unset(LAYOUT)
    run()


@pytest.mark.skipif(pyspark.__version__ >= "4", reason="it is about Spark 3.5")
def test_spark_3_5_has_one_layout(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set(LAYOUT, "panes")
    session.conf.set(PROVIDER, ROCKS_DB)
    write_batches(tmp_path, [[]])
    with pytest.raises(AnalysisException) as caught:
        bic_connectivity(streamed_edges(session, tmp_path, 0), "1 hour", queries=[(1, 2)])
    assert said(caught.value) == (
        f"{LAYOUT} 'panes' needs Spark 4.0 or later, but Spark {pyspark.__version__} is running; "
        "set it to 'value'"
    )
