"""The list of the questions: each function, and its name as a method of every DataFrame.

A question has a line in each of the four lists here, and nothing else in the package names it.
A stub cannot add methods to PySpark's ``DataFrame``, because a class has one declaration.
``pyspark_bic.mypy_plugin`` adds them for mypy; an editor finds them on a :class:`BicDataFrame`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import DataFrame

from pyspark_bic._changes import bic_changes
from pyspark_bic._components import bic_components
from pyspark_bic._connectivity import bic_connectivity
from pyspark_bic._foreach_batch import send_methods
from pyspark_bic._largest import bic_largest_components
from pyspark_bic._paths import bic_paths
from pyspark_bic._stats import bic_component_stats

__all__ = [
    "BicDataFrame",
    "bic_changes",
    "bic_component_stats",
    "bic_components",
    "bic_connectivity",
    "bic_largest_components",
    "bic_paths",
]

METHODS: dict[str, Callable[..., DataFrame]] = {
    "bicConnectivity": bic_connectivity,
    "bicComponents": bic_components,
    "bicLargestComponents": bic_largest_components,
    "bicComponentStats": bic_component_stats,
    "bicChanges": bic_changes,
    "bicPaths": bic_paths,
}

if TYPE_CHECKING:

    class BicDataFrame(DataFrame):
        """A DataFrame whose added methods are declared: the same names as in METHODS."""

        bicConnectivity = bic_connectivity  # noqa: N815
        bicComponents = bic_components  # noqa: N815
        bicLargestComponents = bic_largest_components  # noqa: N815
        bicComponentStats = bic_component_stats  # noqa: N815
        bicChanges = bic_changes  # noqa: N815
        bicPaths = bic_paths  # noqa: N815

else:
    BicDataFrame: TypeAlias = DataFrame


def register() -> None:
    """Make each function a method: its first parameter, ``edges``, is what it is called on."""
    for name, function in METHODS.items():
        setattr(DataFrame, name, function)
    send_methods(METHODS)
