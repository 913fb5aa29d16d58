"""Edges between the entities of an event, such as account, device and card of a payment."""

from collections.abc import Iterable, Mapping

from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, MapType, StructField, StructType

from pyspark_bic._arguments import column, is_series, names, spark_frame, text, wrong
from pyspark_bic._frames import folding, quoted, resolved

_COMPOSED = (ArrayType, MapType, StructType)
# Parts of the names of collations that take different strings for equal.
_FOLDING = {"LCASE", "CI", "AI", "RTRIM"}


def star_edges(
    events: DataFrame,
    entities: Iterable[str] | Mapping[str, str],
    *,
    time: str = "time",
    keep: str | Iterable[str] | None = None,
) -> DataFrame:
    """Make edges between the entities of each event.

    Each event gives a star: an edge from its first entity to each of its other entities. So the
    entities of an event are connected, with the fewest edges that can do so. A null is no entity.
    An event with a single entity gives a self-loop, so this entity occurs. An event without any
    gives no edge.

    Parameters
    ----------
    events : pyspark.sql.DataFrame
        A static or a streaming table. A watermark on ``time`` stays in force.
    entities : list of str, or dict of str to str
        At least two columns with ids. A vertex is the type of its entity, a colon and the id, such
        as ``account:17``; so ids of two types never clash. The type is the name of the column. A
        dict gives other types: ``{"payer": "account", "payee": "account"}`` are two columns of one
        type.
    time : str
        The column with the time of an event.
    keep : str, or list of str, optional
        Further columns that each edge gets from its event, such as the ``by`` columns.

    Returns
    -------
    pyspark.sql.DataFrame
        ``src`` and ``dst`` (STRING), ``time``, and the columns of ``keep``. Ids have the form in
        which Spark casts them to STRING.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        An argument is of a wrong Python type, such as a DataFrame of pandas.
    pyspark.errors.PySparkValueError
        There are fewer than two entities, a column is missing or given twice, a type holds a colon
        or is empty, or ids are arrays, maps, structs or variants. Or ids are ``CHAR(n)``, whose
        strings Spark pads with spaces, or have a collation in which different ids may be equal.

    Examples
    --------
    Of one payment of the account ``ann`` from ``phone-1`` with ``card-7``:

    >>> star_edges(payments, ["account", "device", "card"]).show()
    +-----------+--------------+-------------------+
    |        src|           dst|               time|
    +-----------+--------------+-------------------+
    |account:ann|device:phone-1|2024-05-01 10:05:00|
    |account:ann|   card:card-7|2024-05-01 10:05:00|
    +-----------+--------------+-------------------+
    <BLANKLINE>
    """
    frame = spark_frame("events", events)
    types = _types(frame, entities)
    if len(types) < 2:
        raise PySparkValueError(
            message="entities must be at least two columns, since an edge has two ends, but "
            f"{'there are none' if not types else 'there is only ' + repr(next(iter(types)))}"
        )
    for name in types:
        _require_plain(frame.schema[name])
    (at,) = resolved(frame, [column("time", time)])
    kept = resolved(frame, names("keep", keep))
    _require_apart(frame, kept)
    ids = F.array(*(_vertex(name, kind) for name, kind in types.items()))
    others = ["src", "dst", "time", *kept]
    # Every name inside is new, so none can clash with a column of `keep`.
    found = frame.select(
        F.filter(ids, lambda vertex: vertex.isNotNull()).alias("src"),
        F.col(quoted(at)).alias("time"),
        *(F.col(quoted(name)) for name in kept),
    )
    # A single entity is joined with itself.
    rest = F.when(F.size("src") == 1, F.col("src")).otherwise(F.slice("src", 2, len(types)))
    return (
        found.where(F.size("src") > 0)
        .withColumn("dst", F.explode(rest))
        .withColumn("src", F.element_at("src", 1))
        .select(*(quoted(name) for name in others))
    )


def _vertex(name: str, kind: str) -> Column:
    # Null where the id is.
    return F.concat(F.lit(kind + ":"), F.col(quoted(name)).cast("string"))


def _types(frame: DataFrame, entities: object) -> dict[str, str]:
    """The type of each column of ids, by the column as the frame spells it."""
    if isinstance(entities, Mapping):
        given = [column(f"entities[{name!r}]", name) for name in entities]
        kinds = [text(f"entities[{name!r}]", kind, "a str") for name, kind in entities.items()]
    elif isinstance(entities, str) or not is_series(entities):
        raise PySparkTypeError(
            message=wrong(
                "entities", "a list of column names, or a dict of columns to types", entities
            )
        )
    else:
        given = kinds = names("entities", entities)
    for kind in kinds:
        if not kind or ":" in kind:
            raise PySparkValueError(
                message=f"{kind!r} cannot be the type of an entity, since a colon ends the type in "
                "'account:17': give another type, such as {'column': 'account'}"
            )
    columns = resolved(frame, given)
    for name in columns:
        if columns.count(name) > 1:
            raise PySparkValueError(message=f"column '{name}' is given twice in entities")
    return dict(zip(columns, kinds, strict=True))


def _require_plain(field: StructField) -> None:
    # Spark notes CHAR(n) beside the type that it shows.
    kind = field.metadata.get("__CHAR_VARCHAR_TYPE_STRING", field.dataType.simpleString())
    reason = None
    if isinstance(field.dataType, _COMPOSED) or kind == "variant":
        reason = "which is no id: give a column of numbers, strings, dates or the like"
    elif kind.startswith("char("):
        reason = "which Spark pads with spaces: give rtrim(...), cast to STRING"
    elif set(kind.partition(" collate ")[2].split("_")) & _FOLDING:
        reason = "in which different ids may be equal: give lower(...) or the like, cast to STRING"
    if reason is not None:
        raise PySparkValueError(
            message=f"column '{field.name}' of entities is of the type {kind.upper()}, {reason}"
        )


def _require_apart(frame: DataFrame, kept: list[str]) -> None:
    fold = folding(frame)
    for name in kept:
        if fold(name) in ("src", "dst", "time") or kept.count(name) > 1:
            raise PySparkValueError(
                message=f"column '{name}' of keep "
                + (
                    "is given twice"
                    if kept.count(name) > 1
                    else "has the name of a column of the edges (src, dst, time): rename it"
                )
            )
