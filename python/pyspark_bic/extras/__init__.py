"""Helpers around the answers, apart from the core: each reads answers or edges as anybody may.

``plot`` draws pictures (``pip install "pyspark-bic[plot]"``), and ``graphframes`` speaks the column
names of GraphFrames. The core imports neither.
"""
