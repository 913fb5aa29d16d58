"""One question in several ways: durations, columns and pairs in all the forms that Python has."""

from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from oracle import Edge
from pyspark_bic import bic_components, bic_connectivity, bic_largest_components
from pyspark_bic._frames import quoted
from session_settings import set_to
from tables import static_edges, streamed_edges, write_batches

MINUTE = 60 * 1_000_000
EDGES = [
    Edge(1, 2, 5 * MINUTE, ("b", 1)),
    Edge(2, 3, 20 * MINUTE, ("a", 1)),
    Edge(3, 4, 40 * MINUTE, ("a", 1)),
    Edge(1, 2, 70 * MINUTE, ("b", 2)),
]
PAIRS = [(1, 3), (2, 4)]


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    return static_edges(spark, EDGES)


def rows(answers: DataFrame) -> list[Any]:
    return sorted(map(tuple, answers.collect()), key=str)


def usual(edges: DataFrame, **more: Any) -> list[Any]:
    return rows(bic_connectivity(edges, "1 hour", "30 minutes", PAIRS, **more))


def test_durations_are_texts_or_timedeltas(edges: DataFrame) -> None:
    hour, half = timedelta(hours=1), timedelta(minutes=30)
    assert rows(bic_connectivity(edges, hour, half, PAIRS)) == usual(edges)
    several = bic_connectivity(edges, [hour, "30 minutes"], half, PAIRS)
    assert rows(several) == rows(
        bic_connectivity(edges, ["1 hour", "30 minutes"], "30 minutes", PAIRS)
    )
    shifted = bic_connectivity(edges, hour, half, PAIRS, start_time=-timedelta(minutes=10))
    assert rows(shifted) == usual(edges, start_time="-10 minutes")


@pytest.mark.parametrize(
    "queries",
    [
        pd.DataFrame(PAIRS, columns=["source", "target"]),
        pd.DataFrame([(t, s) for s, t in PAIRS], columns=["target", "source"]),
        np.array(PAIRS),
        np.array(PAIRS, dtype=np.int8),
        [np.array(PAIRS[0]).tolist(), PAIRS[1]],
    ],
    ids=["pandas", "columns in another order", "numpy", "small numbers", "lists"],
)
def test_pairs_of_pandas_and_numpy(edges: DataFrame, queries: Any) -> None:
    assert rows(bic_connectivity(edges, "1 hour", "30 minutes", queries)) == usual(edges)


def test_pairs_of_each_graph_in_pandas(spark: SparkSession, edges: DataFrame) -> None:
    pairs = [("a", 2, 4), ("b", 1, 2)]
    columns = ["region", "source", "target"]
    asked = bic_connectivity(
        edges, "1 hour", queries=pd.DataFrame(pairs, columns=columns), by="region"
    )
    same = bic_connectivity(
        edges, "1 hour", queries=spark.createDataFrame(pairs, columns), by="region"
    )
    assert rows(asked) == rows(same)


def test_names_in_pandas(edges: DataFrame) -> None:
    named = edges.withColumns({end: F.col(end).cast("string") for end in ("src", "dst")})
    asked = pd.DataFrame([("1", "3")], columns=["source", "target"])
    assert rows(bic_connectivity(named, "1 hour", queries=asked)) == rows(
        bic_connectivity(named, "1 hour", queries=[("1", "3")])
    )


def test_a_frame_of_pandas_with_other_columns_or_with_nulls_is_refused(edges: DataFrame) -> None:
    with pytest.raises(PySparkValueError, match="there is no column 'target', only source, to"):
        bic_connectivity(edges, "1 hour", queries=pd.DataFrame([(1, 2)], columns=["source", "to"]))
    nulls = pd.DataFrame([(1.0, None)], columns=["source", "target"])
    with pytest.raises(PySparkTypeError, match=r"queries\[0\] is \(1.0, (nan|None)\), but column"):
        bic_connectivity(edges, "1 hour", queries=nulls)


def nested(edges: DataFrame) -> DataFrame:
    return edges.select(
        F.struct(F.col("src").alias("from"), F.col("dst").alias("to")).alias("payment"),
        F.struct("time", "region").alias("event.data"),
        F.col("time").alias("src"),
    )


@pytest.mark.parametrize(
    "columns",
    [
        {"src": "payment.from", "dst": "payment.to", "time": "`event.data`.time"},
        {"src": F.col, "dst": F.col, "time": F.col},
    ],
    ids=["paths", "columns"],
)
def test_columns_in_structs(edges: DataFrame, columns: dict[str, Any]) -> None:
    if columns["src"] is F.col:
        columns = {
            "src": F.col("payment.from"),
            "dst": F.col("payment")["to"] + 0,
            "time": F.col("`event.data`.time"),
        }
    # A column called src is another column, and stays out of it.
    assert usual(nested(edges), **columns) == usual(edges)


def test_graphs_by_an_expression(edges: DataFrame) -> None:
    upper = edges.withColumn("site", F.upper("region"))
    wanted = rows(bic_components(upper, "1 hour", by="site"))
    found = bic_components(edges, "1 hour", by=F.upper("region").alias("site"))
    assert found.columns[0] == "site" and rows(found) == wanted
    of_struct = bic_components(nested(edges), "1 hour", **_ends(), by=["`event.data`.region"])
    assert of_struct.columns[0] == "region"
    assert rows(of_struct) == rows(bic_components(edges, "1 hour", by="region"))
    plain = bic_components(edges, "1 hour", by=[F.col("region"), "shard"])
    assert rows(plain) == rows(bic_components(edges, "1 hour", by=["region", "shard"]))


def _ends() -> dict[str, Any]:
    return {"src": "payment.from", "dst": "payment.to", "time": F.col("src")}


def test_a_graph_by_an_expression_with_the_name_of_a_column_is_refused(edges: DataFrame) -> None:
    with pytest.raises(PySparkValueError) as refused:
        bic_components(edges, "1 hour", by=[F.upper("region").alias("Region")])
    assert str(refused.value) == (
        "by[0] is called 'Region', as a column of edges is: give it another name with .alias(...)"
    )


def test_a_stream_keeps_its_watermark(spark: SparkSession, tmp_path: Any) -> None:
    write_batches(tmp_path, [EDGES])
    stream = streamed_edges(spark, tmp_path, MINUTE)
    packed = stream.select(F.struct("src", "dst").alias("payment"), "time")
    for time in ("time", F.col("time")):
        alerts = bic_largest_components(
            packed, "1 hour", src="payment.src", dst=F.col("payment.dst"), time=time
        )
        assert alerts.isStreaming


def test_the_session_minds_case(edges: DataFrame) -> None:
    """The pairs are of the ids of the very column, and a column of another case is another."""
    with set_to(edges.sparkSession, {"spark.sql.caseSensitive": "true"}):
        both = edges.withColumn("SRC", F.col("src").cast("string"))
        assert usual(both) == usual(edges)
        with pytest.raises(PySparkTypeError) as refused:
            bic_connectivity(both, "1 hour", queries=[("a", "b")])
        assert str(refused.value) == (
            "queries[0] is ('a', 'b'), but column 'src' does not hold strings: give pairs of int"
        )
        lacks = edges.withColumnRenamed("src", "SRC")
        with pytest.raises(Exception, match="src"):
            bic_connectivity(lacks, "1 hour", queries=[("a", "b")]).collect()


@pytest.mark.parametrize("value", [3, ["src"], {"src"}])
def test_what_is_no_column_is_refused(edges: DataFrame, value: Any) -> None:
    with pytest.raises(PySparkTypeError, match="src must be a column, as a name or a Column"):
        bic_components(edges, "1 hour", src=value)


def refused_edges(edges: Any) -> str:
    with pytest.raises(PySparkTypeError) as refused:
        bic_components(edges, "1 hour")
    return str(refused.value)


def test_edges_are_a_dataframe_of_spark(edges: DataFrame) -> None:
    assert refused_edges([(1, 2)]) == "edges must be a Spark DataFrame, not [(1, 2)] (list)"
    of_pandas = edges.limit(1).toPandas()
    text = "edges must be a Spark DataFrame, not one of pandas: give"
    assert refused_edges(of_pandas) == f"{text} spark.createDataFrame(edges)"
    of_geopandas = type("GeoDataFrame", (type(of_pandas),), {"__module__": "geopandas"})(of_pandas)
    assert refused_edges(of_geopandas) == f"{text} spark.createDataFrame(edges)"
    on_spark = type("DataFrame", (), {"__module__": "pyspark.pandas.frame", "to_spark": None})()
    assert refused_edges(on_spark) == f"{text} edges.to_spark()"


@pytest.mark.parametrize("quote", [str, quoted], ids=["plain", "in backquotes"])
def test_names_that_spark_reads_in_backquotes(edges: DataFrame, quote: Any) -> None:
    odd = edges.toDF("from id", "`to`", "region", "sh`ard", "a.time")
    ends = {"src": quote("from id"), "dst": quote("`to`"), "time": quote("a.time")}
    by = [quote("region"), quote("sh`ard")]
    for keys in (None, by, [F.col(quoted("sh`ard"))]):
        names = None if keys is None else ["region", "shard"][-len(keys) :]
        assert usual(odd, **ends, by=keys) == usual(edges, by=names)
    answers = bic_connectivity(edges, "1 hour", queries=PAIRS)
    paths = odd.bicPaths(answers, **ends)
    assert rows(paths) == rows(edges.bicPaths(answers))
    named = odd.withColumn("from id", F.col("from id").cast("string"))
    with pytest.raises(PySparkTypeError, match="column 'from id' holds strings"):
        bic_connectivity(named, "1 hour", queries=PAIRS, **ends)


def test_the_exact_name_comes_before_its_reading(edges: DataFrame) -> None:
    both = edges.withColumn("`dst`", F.col("src"))
    assert bic_components(both, dst="`dst`").columns == ["vertex", "component"]
    loops = bic_components(both, "1 hour", dst="`dst`")
    assert loops.where("vertex <> component").isEmpty()
    assert not bic_components(both, "1 hour", dst="dst").where("vertex <> component").isEmpty()


@pytest.mark.parametrize(("src", "dst"), [("int", "bigint"), ("bigint", "smallint")])
def test_endpoints_of_two_integral_types(edges: DataFrame, src: str, dst: str) -> None:
    mixed = edges.withColumns({"src": F.col("src").cast(src), "dst": F.col("dst").cast(dst)})
    assert usual(mixed) == usual(edges)
    queries = edges.sparkSession.createDataFrame(PAIRS, f"source {dst}, target {src}")
    answers = bic_connectivity(mixed, "1 hour", "30 minutes", queries)
    assert rows(answers) == usual(edges)
    assert answers.schema["source"].dataType.simpleString() == "bigint"
    assert bic_components(mixed).schema["vertex"].dataType.simpleString() == "bigint"
