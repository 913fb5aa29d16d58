"""The functions as methods of every DataFrame, spelled as PySpark spells what sits there."""
# ruff: noqa: N802

from collections.abc import Iterable

from pyspark.sql import DataFrame, Observation

from pyspark_bic._components import bic_component_stats, bic_components
from pyspark_bic._connectivity import bic_connectivity
from pyspark_bic._queries import Queries


def bicConnectivity(
    self: DataFrame,
    window: str,
    slide: str | None = None,
    queries: Queries | None = None,
    *,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of these edges, tell which pairs of vertices it connects.

    The method form of :func:`pyspark_bic.bic_connectivity`, which describes the parameters.

    Examples
    --------
    >>> edges.bicConnectivity("1 hour", "5 minutes", queries=[(1, 2), (3, 9)])  # doctest: +SKIP
    """
    return bic_connectivity(
        self,
        window,
        slide,
        queries,
        src=src,
        dst=dst,
        time=time,
        by=by,
        start_time=start_time,
        index=index,
        observation=observation,
    )


def bicComponents(
    self: DataFrame,
    window: str,
    slide: str | None = None,
    *,
    min_size: int = 1,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of these edges, tell which vertices occur and in which component.

    The method form of :func:`pyspark_bic.bic_components`, which describes the parameters.

    Examples
    --------
    >>> edges.bicComponents("1 hour", "5 minutes", min_size=3)  # doctest: +SKIP
    """
    return bic_components(
        self,
        window,
        slide,
        min_size=min_size,
        src=src,
        dst=dst,
        time=time,
        by=by,
        start_time=start_time,
        index=index,
        observation=observation,
    )


def bicComponentStats(
    self: DataFrame,
    window: str,
    slide: str | None = None,
    *,
    src: str = "src",
    dst: str = "dst",
    time: str = "time",
    by: str | Iterable[str] | None = None,
    start_time: str | None = None,
    index: str = "bic",
    observation: Observation | None = None,
) -> DataFrame:
    """For each sliding window of these edges, tell how many vertices and components it has.

    The method form of :func:`pyspark_bic.bic_component_stats`, which describes the parameters.

    Examples
    --------
    >>> edges.bicComponentStats("1 hour", "5 minutes")  # doctest: +SKIP
    """
    return bic_component_stats(
        self,
        window,
        slide,
        src=src,
        dst=dst,
        time=time,
        by=by,
        start_time=start_time,
        index=index,
        observation=observation,
    )


def register() -> None:
    """Make these methods of every DataFrame."""
    for method in (bicConnectivity, bicComponents, bicComponentStats):
        setattr(DataFrame, method.__name__, method)
