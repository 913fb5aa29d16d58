"""The progress bar of batch calls."""

import io
import time
from typing import Any

import pytest
from pyspark.errors import PySparkTypeError
from pyspark.sql import SparkSession

from pyspark_bic.extras import progress
from pyspark_bic.extras._progress import _bar
from session_settings import set_to


def test_a_bar_moves_and_is_gone_at_the_end(spark: SparkSession) -> None:
    file = io.StringIO()
    # A server reports each two seconds, in which a fast one has ended.
    often = {"spark.connect.progress.reportInterval": "100ms"}
    with set_to(spark, often), progress(spark, file):
        # Tasks that take long enough to be seen; the sum is of no use otherwise.
        slow = "java_method('java.lang.Thread', 'sleep', 400L)"
        spark.range(0, 8, 1, 8).selectExpr("id", slow).write.format("noop").mode("overwrite").save()
    written = file.getvalue().split("\r")
    assert any(each.startswith("[") and each.rstrip().endswith("% of 8 tasks") for each in written)
    # The last text but one is blank, and as long as the bar before.
    assert written[-1] == "" and written[-2].strip() == "" and len(written[-2]) > 40
    length = len(file.getvalue())
    spark.range(10).count()
    time.sleep(0.6)
    assert len(file.getvalue()) == length


def test_a_failure_goes_through(spark: SparkSession) -> None:
    file = io.StringIO()
    with pytest.raises(ZeroDivisionError), progress(spark, file):
        raise ZeroDivisionError
    assert file.getvalue() in ("", "\r")


@pytest.mark.parametrize(
    ("stages", "bar"),
    [
        ([], ""),
        ([(0, 0)], ""),
        ([(4, 0)], "[>" + 39 * " " + "] 0 % of 4 tasks"),
        ([(3, 1), (5, 3)], "[" + 20 * "=" + ">" + 19 * " " + "] 50 % of 8 tasks"),
        ([(4, 4)], "[" + 40 * "=" + "] 100 % of 4 tasks"),
    ],
)
def test_bars(stages: Any, bar: str) -> None:
    assert _bar(stages) == bar


def test_a_wrong_session() -> None:
    with pytest.raises(PySparkTypeError, match="spark must be a SparkSession, not 'local'"):
        progress("local")  # type: ignore[arg-type]
