"""The list of the questions: each function, and its name as a method of every DataFrame.

A question has a line in each of the four lists here, where all that goes over questions finds it.

A stub cannot add methods to PySpark's ``DataFrame``, because a class has one declaration.
``pyspark_bic.mypy_plugin`` adds them for mypy; an editor finds them on a :class:`BicDataFrame`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import DataFrame

from pyspark_bic._as_of import bic_as_of
from pyspark_bic._changes import bic_changes
from pyspark_bic._components import bic_components
from pyspark_bic._connected import bic_connected_to
from pyspark_bic._connectivity import bic_connectivity
from pyspark_bic._docs import filled
from pyspark_bic._foreach_batch import send_methods
from pyspark_bic._largest import bic_largest_components
from pyspark_bic._paths import bic_paths
from pyspark_bic._stats import bic_component_stats

__all__ = [
    "BicDataFrame",
    "bic_as_of",
    "bic_changes",
    "bic_component_stats",
    "bic_components",
    "bic_connected_to",
    "bic_connectivity",
    "bic_largest_components",
    "bic_paths",
]

METHODS: dict[str, Callable[..., DataFrame]] = {
    "bicConnectivity": bic_connectivity,
    "bicConnectedTo": bic_connected_to,
    "bicComponents": bic_components,
    "bicLargestComponents": bic_largest_components,
    "bicComponentStats": bic_component_stats,
    "bicChanges": bic_changes,
    "bicAsOf": bic_as_of,
    "bicPaths": bic_paths,
}

if TYPE_CHECKING:

    class BicDataFrame(DataFrame):
        """A DataFrame whose added methods are declared: the same names as in METHODS."""

        bicConnectivity = bic_connectivity  # noqa: N815
        bicConnectedTo = bic_connected_to  # noqa: N815
        bicComponents = bic_components  # noqa: N815
        bicLargestComponents = bic_largest_components  # noqa: N815
        bicComponentStats = bic_component_stats  # noqa: N815
        bicChanges = bic_changes  # noqa: N815
        bicAsOf = bic_as_of  # noqa: N815
        bicPaths = bic_paths  # noqa: N815

else:
    BicDataFrame: TypeAlias = DataFrame


def register() -> None:
    """Make each function a method: its first parameter, ``edges``, is what it is called on.

    Each method has a twin of the function's own name, since half of all libraries write so.
    """
    for function in METHODS.values():
        function.__doc__ = filled(function.__doc__ or "")
    twins = {function.__name__: function for function in METHODS.values()}
    for name, function in {**METHODS, **twins}.items():
        setattr(DataFrame, name, function)
    send_methods([*METHODS, *twins])
