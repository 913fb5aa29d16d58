"""A progress bar for long batch calls, where Spark's own is off, as it is in most notebooks."""

import sys
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, TextIO

from py4j.protocol import Py4JError
from pyspark.errors import PySparkTypeError
from pyspark.sql import SparkSession

from pyspark_bic._arguments import wrong

_WIDTH = 40
_SECONDS = 0.25


class progress:  # noqa: N801  (it is used as a function)
    """Show a progress bar while the jobs of a ``with`` block run.

    The bar counts the finished tasks of the running stages of the whole session. It is a line of
    text that is written over, and gone at the end. Answers of a static table come from few tasks:
    one for each graph, or for each segment of a graph.

    Parameters
    ----------
    spark : SparkSession
        The session whose jobs are shown, classic or Spark Connect.
    file : file object, optional
        Where the bar is written; ``sys.stderr`` if it is not given.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``spark`` is no session.

    Examples
    --------
    >>> with progress(spark):  # doctest: +SKIP
    ...     answers = edges.bicComponents("1 hour", "5 minutes").toPandas()
    [=============>                          ] 34 % of 35 tasks
    """

    def __init__(self, spark: SparkSession, file: TextIO | None = None) -> None:
        if not isinstance(spark, SparkSession) and not _is_connect(spark):
            raise PySparkTypeError(message=wrong("spark", "a SparkSession", spark))
        # A handler of Spark Connect is called by keyword, which its type does not tell.
        self._spark: Any = spark
        self._file = sys.stderr if file is None else file
        self._shown = ""
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "progress":
        if _is_connect(self._spark):
            self._spark.registerProgressHandler(self._told)
        else:
            self._thread = threading.Thread(target=self._poll, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread is None:
            self._spark.removeProgressHandler(self._told)
        else:
            self._ended.set()
            self._thread.join()
        self._show("")

    def _poll(self) -> None:
        tracker = self._spark.sparkContext.statusTracker()
        while not self._ended.wait(_SECONDS):
            try:
                # A stage may end between the two questions.
                stages = filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))
                self._show(_bar((each.numTasks, each.numCompletedTasks) for each in stages))
            except Py4JError:
                # The block has stopped the session, which has no more progress.
                return

    def _told(self, stages: Iterable[Any] | None, *_: Any, **__: Any) -> None:
        counts = ((each.num_tasks, each.num_completed_tasks) for each in stages or ())
        self._show(_bar(counts))

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._file.write("\r" + text.ljust(len(self._shown)) + ("" if text else "\r"))
            self._file.flush()
            self._shown = text


def _is_connect(spark: object) -> bool:
    return "pyspark.sql.connect." in type(spark).__module__ + "."


def _bar(stages: Iterable[tuple[int, int]]) -> str:
    """The bar for stages, of which each has so many tasks, and so many that have finished."""
    counted = list(stages)
    tasks, finished = (sum(each[place] for each in counted) for place in (0, 1))
    if tasks == 0:
        return ""
    done = _WIDTH * finished // tasks
    bar = "=" * done + ">" * (done < _WIDTH)
    return f"[{bar.ljust(_WIDTH)}] {100 * finished // tasks} % of {tasks} tasks"
