"""What the docstrings of several questions say in the same words.

In its source, a docstring has `{name}` on a line of its own in place of such a text. The texts come
in when the package is imported, and when the site is made.
"""

import re
from textwrap import indent

_SHARED = {
    "windows": """\
The windows are the same as of :func:`pyspark.sql.functions.window`: half-open, aligned to
1970-01-01 00:00:00 UTC plus ``start_time``. Edges are undirected; a repeated edge changes
nothing; a self-loop makes its vertex occur.
""",
    "streams": """\
``edges`` may be static or streaming. A streaming one needs a watermark on ``time``
(``edges.withWatermark("time", "10 minutes")``) and output mode ``append``. The rows of a
window come once the watermark has passed its end.
""",
    "edges": """\
edges : pyspark.sql.DataFrame
    One row per edge. A row with a null endpoint or time is dropped and counted, and in a
    stream so is an edge that comes too late. ``observation`` receives the counts of a static
    frame, :func:`pyspark_bic.metrics` gives the counts of a stream.
""",
    "window": """\
window : str, datetime.timedelta, or list of these
    Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units. With
    several lengths, such as ``["5 minutes", "1 hour", "1 day"]``, windows of each length are
    answered, in one pass over the edges and by one index. The start and end in the column
    ``window`` tell the lengths apart.
""",
    "window_or_table": """\
window : str, datetime.timedelta, or list of these, optional
    Length of a window, such as ``"1 hour"``: a duration in weeks or smaller units. With
    several lengths, such as ``["5 minutes", "1 hour", "1 day"]``, windows of each length are
    answered, in one pass over the edges and by one index. The start and end in the column
    ``window`` tell the lengths apart.

    Without a window the answer is about all edges of the static table ``edges``. Then ``time``
    is not read, so there need not be such a column. ``slide`` and ``start_time`` must not be
    given, and the answers have no column ``window``.
""",
    "slide": """\
slide : str or datetime.timedelta, optional
    Time from the start of one window to the start of the next, at most ``window``. By
    default the slide is as long as the window, so that windows do not overlap. Several
    lengths need a slide.
""",
    "ends": """\
src, dst : str or pyspark.sql.Column
    The columns with the endpoints of an edge: both of integral types or both STRING. A
    column is a name, the path of a field such as ``"payment.payer"``, or a Column.
time : str or pyspark.sql.Column
    The column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ.
""",
    "by": """\
by : str, pyspark.sql.Column, or list of these, optional
    Columns that split the edges into separate graphs, each with its own windows and answers;
    of any type that can be sorted. Null is a key like any other.
""",
    "start_time": """\
start_time : str or datetime.timedelta, optional
    Shift of the windows' starts against 1970-01-01 00:00:00 UTC, such as ``"15 minutes"``:
    shorter than the slide, either way.
""",
    "index": """\
index : str
    The index that answers: ``"bic"``, the paper's, or ``"recency"``, a forest of the most
    recent links. Both give the same answers, and a stream may be restarted with the other.
""",
    "observation": """\
observation : pyspark.sql.Observation, optional
    For a static ``edges``: receives ``edges``, ``late_edges``, ``null_rows`` and ``windows``,
    which :func:`pyspark_bic.metrics` describes. ``observation.get`` has the counts once an
    action has read all answers, which ``take`` and ``limit`` do not. An action that sorts the
    answers reads and counts them twice, as with Spark's own ``observe``: ``cache`` the answers
    first.
""",
    "refusals": """\
pyspark.errors.AnalysisException
    The call is refused before any query starts. The message holds the bad value and the fix.

    - A column is missing, is there twice, has two roles, is of a wrong type, or has strings of
      which different ones may be equal (``CHAR``, or a collation). Or one of ``src`` and
      ``dst`` is a string, and the other a number.
    - ``window``, ``slide`` or ``start_time`` is no duration, or holds months or years.
    - ``window`` or ``slide`` is not positive, or ``slide`` is longer than ``window``.
    - ``start_time`` is as long as the slide or longer.
    - A window has more than 2^30 panes.
    - A conf ``spark.bic.*`` is unknown, has a value that it cannot have, or one that does not
      go with the state store or with the types of ``by``.
""",
    "refusals_of_windows": """\
- A streaming ``edges`` has no watermark on ``time``, is given an ``observation``, or comes
  out of an aggregation, a ``SELECT DISTINCT`` or an outer join of streams.
- A ``by`` column has values without an order, is given twice, or has the name of a column
  of the answers.
- The index is unknown.
""",
    "type_error": """\
pyspark.errors.PySparkTypeError
    An argument is of a wrong Python type, such as a DataFrame of pandas.
""",
    "jar_error": """\
pyspark.errors.PySparkRuntimeError
    The session, or the Spark Connect server, runs without the jar, or with the jar of another
    version.
""",
}

_PLACE = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


def filled(docstring: str) -> str:
    """The docstring with the texts in place of their names."""
    return _PLACE.sub(lambda place: indent(_SHARED[place[2]].rstrip(), place[1]), docstring)
