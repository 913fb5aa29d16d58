"""Edges as views of SQL, and the call that tests make of them."""

from pyspark.sql import DataFrame, SparkSession

from oracle import Edge, Windows
from tables import static_edges

SECOND = 1_000_000
EDGES = [Edge(1, 2, 0), Edge(2, 3, 4 * SECOND), Edge(9, 9, 6 * SECOND), Edge(3, 9, 13 * SECOND)]
QUERIES = [(1, 3), (9, 9), (3, 9)]
WINDOWS = Windows(10 * SECOND, 5 * SECOND)
CALL = "TABLE(edges), window => '10 seconds', slide => '5 seconds'"
# What the columns of `sites` are called.
COLUMNS = "src => 'from', dst => 'to', time => 'at'"


def make_views(spark: SparkSession) -> DataFrame:
    """The views `edges`, `sites` and `pairs`; gives the edges."""
    frame = static_edges(spark, EDGES)
    frame.createOrReplaceTempView("edges")
    frame.selectExpr("src AS `from`", "dst AS `to`", "time AS at", "'x' AS site").union(
        frame.selectExpr("src + 10", "dst + 10", "time", "'y'")
    ).createOrReplaceTempView("sites")
    spark.createDataFrame(QUERIES, "source long, target long").createOrReplaceTempView("pairs")
    return frame
