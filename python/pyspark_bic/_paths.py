"""The evidence that two vertices are connected: a path of real edges, for each answer."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation

from pyspark_bic._call import answers as answers_of


def bic_paths(
    edges: DataFrame,
    answers: DataFrame,
    *,
    keep: str | Column | Iterable[str | Column] | None = None,
    src: str | Column = "src",
    dst: str | Column = "dst",
    time: str | Column = "time",
    by: str | Column | Iterable[str | Column] | None = None,
    observation: Observation | None = None,
) -> DataFrame:
    """For each answer, find the edges that join its two vertices in its window.

    Also the method ``bicPaths`` of every DataFrame.
    The path has the fewest edges. Of several such paths it is the lexicographically smallest
    sequence of vertices; strings are in the order of their UTF-8 bytes. Of repeated edges it has
    the earliest, then the edge with the smaller source, then the edge with the smaller values of
    ``keep``.

    Only edges between the first start and the last end of the windows are read. Spark hands these
    two bounds to sources that can skip data by them. Each window of each graph is searched by a
    single task, which holds the edges of this window in memory: 24 bytes an edge and 50 bytes a
    vertex, and up to twice as much for a moment while the edges come in. ``keep`` adds 50 bytes an
    edge, and the bytes of its values.

    Parameters
    ----------
    edges : pyspark.sql.DataFrame
        A static table with one row per edge. A row with a null endpoint is dropped and counted.
        For the answers of a stream, give the table to which the edges of the stream are written as
        well.
    answers : pyspark.sql.DataFrame
        A static table with the columns ``window`` (struct with ``start`` and ``end``, in the type
        of the edges' times), ``source``, ``target`` and the ``by`` columns: the answers of
        :func:`pyspark_bic.bic_connectivity`, or some of them. The answers of
        :func:`pyspark_bic.bic_connected_to` have ``vertex`` and ``marked`` in place of ``source``
        and ``target``. Further columns are passed on. The answers are read twice. So cache the
        answers first where they cost much to compute, above all in ``foreachBatch``.
    keep : str, pyspark.sql.Column, or list of these, optional
        Further columns of ``edges``, of any type, that come back in the structs of ``path``: the id
        and the amount of each payment, say. A column that is given as ``src``, ``dst``, ``time`` or
        ``by`` is refused, and so is one of the names ``src``, ``dst`` and ``time``. Edges of the
        same time, source and target differ in these columns alone. Of such edges a path has the
        edge with the smallest values, compared in the order of ``keep`` as Spark sorts them, with
        nulls first. Values that Spark does not sort, such as maps, are compared after the others,
        by their bytes.
    {ends}
    by : str, pyspark.sql.Column, or list of these, optional
        Columns that split the edges into separate graphs, each with its own answers; of any type
        that can be sorted. Null is a key like any other.
    observation : pyspark.sql.Observation, optional
        Receives two counters once an action has run: ``edges``, the edges of the windows, where an
        edge of two windows counts twice; and ``null_rows``, how many of these edges have a null
        endpoint, and are dropped.

    Returns
    -------
    pyspark.sql.DataFrame
        The rows of ``answers``, each with the further column ``path``: an array of structs ``src``,
        ``dst`` (in the type of the edges' ids), ``time``, and the columns of ``keep`` in their own
        types, under the names that ``edges`` have. These are edges of the table in order
        from ``source`` to ``target``, or from ``vertex`` to ``marked``; each edge has the direction
        that it has in the table. ``path`` is null where the two are not connected in the window, or
        ``marked`` is null. It is empty where both are one vertex, which occurs in the window.

    Raises
    ------
    pyspark.errors.AnalysisException
        A column is missing, of a wrong type or given twice, ``edges`` or ``answers`` is a streaming
        DataFrame, or ``answers`` have a column ``path`` already, both kinds of ends, or a column of
        ``edges`` that ``by`` lacks.
    {type_error}
    pyspark.errors.PySparkValueError
        ``observation`` is in use already, or a Column has the name of another column of ``edges``.
    pyspark.errors.PySparkRuntimeError
        The session, or the Spark Connect server, runs without the jar, or with the jar of another
        version; or ``edges`` and ``answers`` belong to two sessions of Spark Connect.

    Examples
    --------
    Of the edges from ann to bob at 10:05, bob to cleo at 10:20 and dan to eve at 10:40:

    >>> answers = edges.bicConnectivity("1 hour", queries=[("ann", "cleo")])
    >>> edges.bicPaths(answers).selectExpr("inline(path)").show()
    +---+----+-------------------+
    |src| dst|               time|
    +---+----+-------------------+
    |ann| bob|2024-05-01 10:05:00|
    |bob|cleo|2024-05-01 10:20:00|
    +---+----+-------------------+
    <BLANKLINE>
    """
    return answers_of(bic_paths, locals())
