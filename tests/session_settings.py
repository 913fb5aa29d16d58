"""Settings of the session that tests share: a test leaves them as it found them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pyspark.sql import SparkSession


def settings_of(spark: SparkSession) -> dict[str, str]:
    """All settings of the session."""
    if type(spark).__module__.startswith("pyspark.sql.connect."):
        return dict(spark.conf.getAll)
    # A classic session takes a call for each setting then, and Spark 3.5 has no `getAll`.
    return {row[0]: row[1] for row in spark.sql("SET").collect()}


@contextmanager
def restored(
    spark: SparkSession, before: Mapping[str, str] | None = None
) -> Iterator[dict[str, str | None]]:
    """Put the settings back at the end; gives a mapping that then holds what had been changed."""
    before = settings_of(spark) if before is None else before
    leaked: dict[str, str | None] = {}
    try:
        yield leaked
    finally:
        after = dict(settings_of(spark))
        for key in before.keys() | after.keys():
            if before.get(key) != after.get(key):
                leaked[key] = after.get(key)
                if key in before:
                    spark.conf.set(key, before[key])
                else:
                    spark.conf.unset(key)


@contextmanager
def unchanged(spark: SparkSession, before: Mapping[str, str] | None = None) -> Iterator[None]:
    """As `restored`, and an error if there was something to put back."""
    with restored(spark, before) as leaked:
        yield
    assert not leaked, (
        f"settings of the shared session were left behind, and are put back: {leaked}"
    )


@contextmanager
def set_to(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Set these for the block alone."""
    with restored(spark):
        for key, value in settings.items():
            spark.conf.set(key, value)
        yield
