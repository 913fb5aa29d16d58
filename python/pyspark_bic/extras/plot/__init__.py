"""Pictures of what ``pyspark_bic`` answers, with matplotlib (``pip install "pyspark-bic[plot]"``).

A function that draws gives back a :class:`matplotlib.figure.Figure`. It takes a result as a Spark
DataFrame, which Spark first cuts down to what is drawn; lines are drawn of pandas ones too.
``to_networkx`` gives the edges of a window to networkx, and ``network`` draws them. Windows are
shown at their end, in the time zone of the session.
"""

from importlib.util import find_spec

for _needed in ("matplotlib", "networkx", "scipy"):
    if find_spec(_needed) is None:
        raise ImportError(
            f'pyspark_bic.extras.plot needs {_needed}: pip install "pyspark-bic[plot]"'
        )

from pyspark_bic.extras.plot._graph import largest_components  # noqa: E402
from pyspark_bic.extras.plot._network import network, to_networkx  # noqa: E402
from pyspark_bic.extras.plot._series import component_stats, connected_pairs  # noqa: E402

__all__ = ["component_stats", "connected_pairs", "largest_components", "network", "to_networkx"]
