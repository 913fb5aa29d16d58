"""What a test sets on the shared session is put back, and it is told of."""

import pytest
from pyspark.sql import SparkSession

from session_settings import restored, settings_of, unchanged

PARTITIONS = "spark.sql.shuffle.partitions"
NEW = "spark.sql.streaming.metricsEnabled"


def test_the_suite_runs_on_several_partitions(spark: SparkSession) -> None:
    assert int(spark.conf.get(PARTITIONS) or 0) > 1


def test_settings_that_are_left_behind_are_an_error_and_are_put_back(spark: SparkSession) -> None:
    before = settings_of(spark)
    assert NEW not in before
    with pytest.raises(AssertionError, match=rf"left behind.*{PARTITIONS}': '1'"), unchanged(spark):
        spark.conf.set(PARTITIONS, 1)
    with pytest.raises(AssertionError, match=rf"left behind.*{NEW}': 'true'"), unchanged(spark):
        spark.conf.set(NEW, True)
    with (
        pytest.raises(AssertionError, match=rf"left behind.*{PARTITIONS}': None"),
        unchanged(spark),
    ):
        spark.conf.unset(PARTITIONS)
    assert settings_of(spark) == before


def test_settings_are_put_back_after_an_error_and_a_test_may_do_so_itself(
    spark: SparkSession,
) -> None:
    before = settings_of(spark)
    with pytest.raises(ZeroDivisionError), restored(spark):
        spark.conf.set(PARTITIONS, 1)
        1 / 0  # noqa: B018
    assert settings_of(spark) == before
    with unchanged(spark):
        spark.conf.set(PARTITIONS, 7)
        spark.conf.set(PARTITIONS, before[PARTITIONS])
