"""A web page on a running query, ``pip install "pyspark-bic[live]"``.

:func:`live_view` serves its micro-batches and its answers from the driver, on this machine only
unless told otherwise. The page asks for news every few seconds; the answers are read anew only
after a new micro-batch. Spark cuts them down to one row per window before they come to the driver.
"""

from importlib.util import find_spec

if find_spec("dash") is None:
    raise ImportError('pyspark_bic.extras.live needs Dash: pip install "pyspark-bic[live]"')

from pyspark_bic.extras.live._view import LiveView, live_view

__all__ = ["LiveView", "live_view"]
