"""The one law: in batch and in streaming, exactly the oracle's rows."""

from hypothesis import given, settings
from pyspark.sql import DataFrame, SparkSession

import oracle
from cases import Case, StreamCase, arguments, cases, stream_cases
from pyspark_bic import bic_connectivity
from tables import collected, counted, static_edges, through_a_restart, told


def connectivity(edges: DataFrame, case: Case) -> DataFrame:
    return bic_connectivity(edges, **arguments(case), queries=case.queries)


@settings(max_examples=16)
@given(case=cases(nulls=True))
def test_batch_gives_exactly_the_rows_of_the_oracle(spark: SparkSession, case: Case) -> None:
    found = collected(connectivity(static_edges(spark, case.edges), case), case.by)
    assert found == oracle.answers(case.edges, case.windows, case.queries)


@settings(max_examples=5)
@given(case=stream_cases())
def test_streaming_gives_exactly_the_rows_of_the_oracle(
    spark: SparkSession, case: StreamCase
) -> None:
    taken, late = oracle.split_late(case.batches, case.windows, case.delay)
    expected = oracle.answers(taken, case.windows, case.queries)
    found, progress = through_a_restart(
        spark,
        case,
        lambda edges: connectivity(edges, case),
        lambda stored: collected(stored, case.by),
    )
    assert found == expected
    assert counted(progress) == told(
        {
            "edges": len(taken) + 1,
            "late_edges": len(late),
            "null_rows": sum(not oracle.is_whole(edge) for edge in case.edges),
            "windows": len({row[: len(case.by) + 1] for row in expected}),
        }
    )
    if case.in_time and all((edge.time or 0) >= 0 for edge in case.edges):
        assert late == []
