"""`bic_paths`: how its arguments arrive. `PathsSuite` has the law."""

from collections import Counter
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_connected_to, bic_connectivity, bic_paths
from tables import static_edges

SECOND = 1_000_000
EDGES = [
    Edge(1, 2, 1 * SECOND),
    Edge(3, 2, 2 * SECOND),
    Edge(3, 4, 3 * SECOND),
    Edge(4, 1, 12 * SECOND),
]


def collected_paths(answers: DataFrame, by: tuple[str, ...] = ()) -> Counter[Any]:
    bounds = [F.unix_micros(f"window.{bound}") for bound in ("start", "end")]
    steps = F.transform("path", lambda edge: F.struct(edge.src, edge.dst, F.unix_micros(edge.time)))
    rows = answers.select(*by, *bounds, "source", "target", steps).collect()
    return Counter(
        (*row[:-1], None if row[-1] is None else tuple(tuple(step) for step in row[-1]))
        for row in rows
    )


@pytest.fixture
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES)


@pytest.fixture
def answers(edges: DataFrame) -> DataFrame:
    return bic_connectivity(edges, "10 seconds", queries=[(1, 4), (9, 1), (4, 4)])


# The window, the pair, and the edges of its path: source, target and time.
EXPECTED = Counter(
    {
        (0, 10 * SECOND, 1, 4, tuple(tuple(edge[:3]) for edge in EDGES[:3])): 1,
        (0, 10 * SECOND, 9, 1, None): 1,
        (0, 10 * SECOND, 4, 4, ()): 1,
        (10 * SECOND, 20 * SECOND, 1, 4, (tuple(EDGES[3][:3]),)): 1,
        (10 * SECOND, 20 * SECOND, 9, 1, None): 1,
        (10 * SECOND, 20 * SECOND, 4, 4, ()): 1,
    }
)


def test_the_edges_of_each_pair(edges: DataFrame, answers: DataFrame) -> None:
    assert collected_paths(edges.bicPaths(answers)) == EXPECTED


def test_kept_columns_are_those_of_an_edge(spark: SparkSession, edges: DataFrame) -> None:
    copies = edges.crossJoin(spark.range(3).withColumnRenamed("id", "copy"))
    paid = copies.selectExpr(
        *("src", "dst", "time", "concat(src, '-', dst, '-', 9 - copy) AS payment_id"),
        *(
            "copy AS `in.eur`",
            "struct(CAST(src AS DECIMAL(9, 2)) AS amount, array(dst) AS tags) AS more",
        ),
    )
    answers = bic_connected_to(edges, "10 seconds", marked=[4])
    keep: list[str | Column] = [
        "payment_id",
        F.col("more.amount"),
        "more.tags",
        "`in.eur`",
        F.upper("payment_id").alias("id"),
    ]
    found = paid.bicPaths(answers, keep=keep)
    assert found.schema["path"].dataType.simpleString() == (
        "array<struct<src:bigint,dst:bigint,time:timestamp,payment_id:string,amount:decimal(9,2),"
        "tags:array<bigint>,in.eur:bigint,id:string>>"
    )
    plain = edges.bicPaths(answers).selectExpr("window", "vertex", "inline(path)")
    first = "concat(src, '-', dst, '-7')"
    expected = plain.selectExpr(
        *("*", first, "CAST(src AS DECIMAL(9, 2))", "array(dst)", "2L", first)
    )
    # Of the three copies of a payment, the one with the smallest payment_id.
    rows = found.selectExpr("window", "vertex", "inline(path)").collect()
    assert len(rows) == 7
    assert sorted(map(tuple, rows)) == sorted(map(tuple, expected.collect()))
    paid.createOrReplaceTempView("paid")
    answers.createOrReplaceTempView("touched")
    in_sql = spark.sql(
        "SELECT window, vertex, inline(path) FROM bic_paths("
        "TABLE(paid), TABLE(touched), keep => array('payment_id', 'in.eur'))"
    )
    kept = ("window", "vertex", "src", "dst", "time", "payment_id", "`in.eur`")
    other = found.selectExpr("window", "vertex", "inline(path)").select(*kept)
    assert sorted(in_sql.collect()) == sorted(other.collect())


def test_arguments_that_are_refused(edges: DataFrame, answers: Any) -> None:
    with pytest.raises(PySparkTypeError, match="answers must be a Spark DataFrame"):
        bic_paths(edges, [(1, 2)])  # type: ignore[arg-type]
    with pytest.raises(PySparkTypeError, match="pandas"):
        bic_paths(edges, answers.toPandas())
    paid = edges.selectExpr("*", "1 AS id", "struct(2 AS id) AS more")
    with pytest.raises(PySparkTypeError, match="keep must be a column or a list of columns"):
        bic_paths(paid, answers, keep={"id"})
    with pytest.raises(PySparkTypeError, match=r"keep\[1\] must be a column"):
        bic_paths(paid, answers, keep=["id", 7])  # type: ignore[list-item]
    with pytest.raises(PySparkValueError, match=r"keep\[0\] is called 'id', as a column of edges"):
        bic_paths(paid, answers, keep=["more.id"])
    assert bic_paths(paid, answers, keep=[]).columns == bic_paths(paid, answers).columns


def test_every_parameter_arrives(spark: SparkSession, edges: DataFrame, answers: DataFrame) -> None:
    own = edges.withColumnsRenamed({"src": "a", "dst": "b", "time": "t"})
    own = own.withColumn("site", F.lit("eu")).unionByName(
        own.withColumn("site", F.lit("us")).withColumn("b", F.lit(None).cast("long"))
    )
    asked = answers.withColumn("site", F.lit("eu"))
    observation = Observation()
    found = own.bicPaths(asked, src="a", dst="b", time="t", by="site", observation=observation)
    assert collected_paths(found) == EXPECTED
    # The graph `us` is not asked for.
    assert observation.get == {"edges": 4, "null_rows": 0}
    own.createOrReplaceTempView("own")
    asked.createOrReplaceTempView("asked")
    in_sql = spark.sql(
        "SELECT * FROM bic_paths(TABLE(own), answers => TABLE(asked), src => 'a', dst => 'b', "
        "time => 't', by => 'site')"
    )
    assert collected_paths(in_sql) == EXPECTED
    with pytest.raises((PySparkValueError, AnalysisException)):
        bic_paths(own, asked, src="a", dst="b", time="t", by="site", observation=observation)


@pytest.mark.classic("test_connect.py has a method in foreachBatch")
def test_the_evidence_of_alerts_in_foreach_batch(
    spark: SparkSession, edges: DataFrame, tmp_path: Any
) -> None:
    edges.coalesce(1).write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema(edges.schema).parquet(str(tmp_path / "in"))
    edges_in_time = stream.withWatermark("time", "0 seconds")
    alerts = bic_connectivity(edges_in_time, "10 seconds", queries=[(1, 4)], early=True)

    def write(batch: DataFrame, _: int) -> None:
        history = batch.sparkSession.read.parquet(str(tmp_path / "in"))
        found = bic_paths(history, batch.persist().where("connected"))
        found.write.mode("append").parquet(str(tmp_path / "out"))
        batch.unpersist()

    alerts.writeStream.foreachBatch(write).trigger(availableNow=True).start().awaitTermination()
    found = collected_paths(spark.read.parquet(str(tmp_path / "out")))
    assert found == Counter({row: n for row, n in EXPECTED.items() if row[2:4] == (1, 4)})
