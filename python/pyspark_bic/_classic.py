"""The DataFrame of a session whose JVM is at hand, which Spark 3.5 keeps in another place."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.classic.dataframe import DataFrame
else:
    try:
        from pyspark.sql.classic.dataframe import DataFrame
    except ImportError:
        from pyspark.sql import DataFrame

__all__ = ["DataFrame"]
