"""Sliding-window graph connectivity for Apache Spark.

For each sliding window of a stream, or a table, of undirected edges: are two vertices joined by a
path of edges of that window? Which connected components are there?
Importing this package puts each function ``bic_…`` on :class:`pyspark.sql.DataFrame` as a method:
``edges.bicConnectivity(...)`` is ``bic_connectivity(edges, ...)``. Who prefers names with
underscores may call the method ``edges.bic_connectivity(...)`` as well.

>>> from pyspark.sql import SparkSession
>>> from pyspark_bic import configure_spark_with_bic
>>> spark = configure_spark_with_bic(SparkSession.builder).getOrCreate()  # doctest: +SKIP
>>> answers = edges.bicConnectivity(
...     "1 hour", "5 minutes", queries=[(1, 2), (3, 9)]
... )  # doctest: +SKIP

The index follows C. Zhang, A. Bonifati, M. T. Özsu, "Incremental Sliding Window Connectivity over
Streaming Graphs", PVLDB 17 (2024).
"""

from pyspark_bic import _sparks as _sparks  # first: it refuses a PySpark that is too old

# isort: split
from pyspark_bic import _methods
from pyspark_bic._arguments import Duration
from pyspark_bic._configure import configure_spark_with_bic
from pyspark_bic._jar import jar_path
from pyspark_bic._methods import *  # noqa: F403  (the questions)
from pyspark_bic._metrics import Metrics, metrics
from pyspark_bic._queries import Marked, Queries
from pyspark_bic._star import star_edges
from pyspark_bic._version import __version__

_methods.register()

__all__ = [
    "Duration",
    "Marked",
    "Metrics",
    "Queries",
    "__version__",
    "configure_spark_with_bic",
    "jar_path",
    "metrics",
    "star_edges",
]
__all__ += _methods.__all__
