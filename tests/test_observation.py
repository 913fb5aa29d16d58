"""The counters of a batch query, and what a stream has instead."""

from pathlib import Path

import pytest
from pyspark.errors import AnalysisException, PySparkValueError
from pyspark.sql import Observation, SparkSession

from oracle import Edge
from pyspark_bic import bic_connectivity
from tables import static_edges, streamed_edges, write_batches

pytestmark = pytest.mark.both("an Observation is another one from a Connect client")

EDGES = [Edge(1, 2, 0), Edge(None, 2, 0), Edge(1, None, 0), Edge(2, 3, None), Edge(2, 3, 12)]


def test_counts_edges_null_rows_and_windows(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    for edges, counts in ((EDGES, (2, 0, 3, 2)), ([], (0, 0, 0, 0))):
        observation = Observation("counted")
        answers = bic_connectivity(
            static_edges(spark, edges),
            "10 microseconds",
            queries=[(1, 2)],
            observation=observation,
        )
        # Cached, and then sorted: each edge is counted once. Spark does not run what caches no row.
        read = answers.cache().orderBy("window") if edges else answers
        assert len(read.collect()) == counts[-1]
        names = ("edges", "late_edges", "null_rows", "windows")
        assert observation.get == dict(zip(names, counts, strict=True))
        # The name is that by which others, such as a listener, see the counters.
        answers.unpersist().explain(True)
        assert "CollectMetrics counted" in capsys.readouterr().out


def test_refuses_an_observation_in_use(spark: SparkSession) -> None:
    edges = static_edges(spark, EDGES)
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
