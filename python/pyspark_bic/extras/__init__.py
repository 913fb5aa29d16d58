"""Helpers around the answers, apart from the core: each reads answers or edges as anybody may.

``plot`` draws pictures (``pip install "pyspark-bic[plot]"``), ``live`` shows a running query on a
web page (``pip install "pyspark-bic[live]"``), and ``graphframes`` speaks the column names of
GraphFrames. The core imports none of them.
"""
