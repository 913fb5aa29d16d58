"""What the calls have in common: their arguments, checked, and the way to the JVM and back."""

from collections.abc import Iterable
from typing import Any

from pyspark.errors import PySparkRuntimeError
from pyspark.sql import DataFrame, Observation
from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame

from pyspark_bic import _connect
from pyspark_bic._arguments import column, duration, durations, names, spark_frame, text
from pyspark_bic._jvm import python_api
from pyspark_bic._observation import attach, jvm_side


class Call:
    """The arguments that every call has, with their Python types checked."""

    def __init__(
        self,
        edges: DataFrame,
        window: str | Iterable[str],
        slide: str | None,
        *,
        src: str,
        dst: str,
        time: str,
        by: str | Iterable[str] | None,
        start_time: str | None,
        index: str,
        observation: Observation | None,
    ) -> None:
        self.window = durations("window", window)
        self.slide = None if slide is None else duration("slide", slide)
        self.start_time = None if start_time is None else duration("start_time", start_time)
        self.columns = column("src", src), column("dst", dst), column("time", time)
        self.by = names("by", by)
        self.index = text("index", index, "the name of an index, such as 'bic'")
        self.edges = spark_frame("edges", edges)
        self.observation = observation
        if _connect.is_remote(edges):
            _connect.require_functions(edges.sparkSession)
        else:
            self.api = python_api(edges.sparkSession)

    def answers(self, question: str, own: str, value: Any) -> DataFrame:
        """Ask ``question``, such as ``component_stats``, with its one parameter ``own``."""
        if isinstance(value, DataFrame) and not _connect.is_same_session(value, self.edges):
            both = _connect.is_remote(value) and _connect.is_remote(self.edges)
            raise PySparkRuntimeError(
                message=f"{own} and edges must be of one session, but "
                + (
                    "they belong to two of Spark Connect"
                    if both
                    else "one of them belongs to Spark Connect and the other does not"
                )
            )
        if _connect.is_remote(self.edges):
            return self._remote(question, own, value)
        return self._classic(question, value)

    def _classic(self, question: str, value: Any) -> DataFrame:
        assert isinstance(self.edges, ClassicDataFrame)
        observation = self.observation
        counters = None if observation is None else jvm_side(self.edges, observation)
        first, *others = question.split("_")
        method = getattr(self.api, first + "".join(each.title() for each in others))
        answers = method(
            self.edges._jdf,
            self.window,
            self.slide,
            value._jdf if isinstance(value, ClassicDataFrame) else value,
            *self.columns,
            self.by,
            self.start_time,
            self.index,
            counters,
        )
        if observation is not None:
            attach(observation, self.edges, counters)
        return ClassicDataFrame(answers, self.edges.sparkSession)

    def _remote(self, question: str, own: str, value: Any) -> DataFrame:
        src, dst, time = self.columns
        arguments = {
            "window": self.window[0] if len(self.window) == 1 else self.window,
            "slide": self.slide,
            own: value,
            "src": src,
            "dst": dst,
            "time": time,
            "by": self.by or None,
            "start_time": self.start_time,
            "index": self.index,
        }
        return _connect.call(f"bic_{question}", self.edges, arguments, self.observation)
