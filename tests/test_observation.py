"""The counters of a batch query, and what a stream has instead."""

from pathlib import Path

import pytest
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import Observation, SparkSession

from oracle import Edge
from pyspark_bic import bic_connectivity
from tables import static_edges, streamed_edges, write_batches

EDGES = [Edge(1, 2, 0), Edge(None, 2, 0), Edge(1, None, 0), Edge(2, 3, None), Edge(2, 3, 12)]


def test_counts_edges_null_rows_and_windows(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    observation = Observation("counted")
    edges = static_edges(spark, EDGES)
    answers = bic_connectivity(edges, "10 microseconds", queries=[(1, 2)], observation=observation)
    assert len(answers.collect()) == 2
    assert observation.get == {"edges": 2, "late_edges": 0, "null_rows": 3, "windows": 2}
    # The name is that by which others, such as a listener, see the counters.
    answers.explain(True)
    assert "CollectMetrics counted" in capsys.readouterr().out


def test_counts_zero_where_there_is_nothing(spark: SparkSession) -> None:
    observation = Observation()
    edges = static_edges(spark, [])
    assert not bic_connectivity(edges, "1 day", queries=[(1, 2)], observation=observation).collect()
    assert observation.get == {"edges": 0, "late_edges": 0, "null_rows": 0, "windows": 0}


def test_counts_answers_that_are_cached_and_then_sorted_once(spark: SparkSession) -> None:
    observation = Observation()
    edges = static_edges(spark, EDGES)
    answers = bic_connectivity(edges, "10 microseconds", queries=[(1, 2)], observation=observation)
    assert len(answers.cache().orderBy("window").collect()) == 2
    assert observation.get == {"edges": 2, "late_edges": 0, "null_rows": 3, "windows": 2}
    answers.unpersist()


def test_refuses_what_is_no_observation_or_is_in_use(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
    with pytest.raises(PySparkTypeError) as wrong:
        bic_connectivity(edges, "1 hour", queries=[(1, 2)], observation="counted")  # type: ignore[call-overload]
    assert str(wrong.value) == (
        "observation must be a pyspark.sql.Observation, not 'counted' (str)"
    )
    observation = Observation()
    bic_connectivity(edges, "1 hour", queries=[(1, 2)], observation=observation)
    with pytest.raises(PySparkValueError) as used:
        bic_connectivity(edges, "1 hour", queries=[(1, 2)], observation=observation)
    assert str(used.value) == (
        "observation is in use already: make a new pyspark.sql.Observation for each call"
    )


def test_refuses_an_observation_of_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    write_batches(tmp_path, [EDGES])
    edges = streamed_edges(spark, tmp_path, delay=0)
    observation = Observation()
    with pytest.raises(AnalysisException) as refused:
        bic_connectivity(edges, "1 hour", queries=[(1, 2)], observation=observation)
    # A refused call leaves it free for another.
    static = static_edges(spark, EDGES)
    bic_connectivity(static, "1 hour", queries=[(1, 2)], observation=observation).collect()
    assert observation.get["edges"] == 2
    assert "an Observation serves static DataFrames only" in str(refused.value)
