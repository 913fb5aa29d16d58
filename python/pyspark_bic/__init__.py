"""Sliding-window graph connectivity for Apache Spark.

For each sliding window of a stream, or a table, of undirected edges: are two vertices joined by a
path of edges of that window? Which connected components are there?
Importing this package registers the methods ``bicConnectivity``, ``bicComponents``,
``bicLargestComponents``, ``bicComponentStats``, ``bicChanges`` and ``bicPaths`` on
:class:`pyspark.sql.DataFrame`.

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
from pyspark_bic._arguments import Duration
from pyspark_bic._changes import bic_changes
from pyspark_bic._components import bic_components
from pyspark_bic._configure import configure_spark_with_bic
from pyspark_bic._connectivity import bic_connectivity
from pyspark_bic._jar import jar_path
from pyspark_bic._largest import bic_largest_components
from pyspark_bic._methods import BicDataFrame, register
from pyspark_bic._metrics import Metrics, metrics
from pyspark_bic._paths import bic_paths
from pyspark_bic._queries import Queries
from pyspark_bic._star import star_edges
from pyspark_bic._stats import bic_component_stats
from pyspark_bic._version import __version__

register()

__all__ = [
    "BicDataFrame",
    "Duration",
    "Metrics",
    "Queries",
    "__version__",
    "bic_changes",
    "bic_component_stats",
    "bic_components",
    "bic_connectivity",
    "bic_largest_components",
    "bic_paths",
    "configure_spark_with_bic",
    "jar_path",
    "metrics",
    "star_edges",
]
