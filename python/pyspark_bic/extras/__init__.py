"""Helpers around the answers, apart from the core: each reads answers or edges as anybody may.

``plot`` draws pictures (``pip install "pyspark-bic[plot]"``), ``live`` shows a running query on a
web page (``pip install "pyspark-bic[live]"``), and ``graphframes`` speaks the column names of
GraphFrames. :class:`progress` shows the progress of a batch call. The core imports none of them.
"""

from pyspark_bic.extras._progress import progress

__all__ = ["progress"]
