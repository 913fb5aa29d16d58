"""The functions as methods of every DataFrame, under names as PySpark spells what sits there."""

from pyspark.sql import DataFrame

from pyspark_bic._components import bic_component_stats, bic_components
from pyspark_bic._connectivity import bic_connectivity

METHODS = {
    "bicConnectivity": bic_connectivity,
    "bicComponents": bic_components,
    "bicComponentStats": bic_component_stats,
}


def register() -> None:
    """Make each function a method: its first parameter, ``edges``, is what it is called on."""
    for name, function in METHODS.items():
        setattr(DataFrame, name, function)
