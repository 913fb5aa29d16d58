"""What the calls have in common: their arguments, checked, and the way to the JVM and back."""

from collections.abc import Callable, Iterable
from typing import Any

from pyspark.errors import PySparkRuntimeError, PySparkTypeError
from pyspark.sql import DataFrame, Observation
from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame

from pyspark_bic._arguments import column, duration, durations, names, text, wrong
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
        self.edges = classic("edges", edges)
        self.observation = observation
        self.api = python_api(self.edges.sparkSession)

    def answers(self, method: Callable[..., Any], question: Any = None) -> DataFrame:
        """Call ``method`` of the JVM with these arguments and, unless None, with ``question``."""
        observation = self.observation
        counters = None if observation is None else jvm_side(self.edges, observation)
        answers = method(
            self.edges._jdf,
            self.window,
            self.slide,
            *([] if question is None else [question]),
            *self.columns,
            self.by,
            self.start_time,
            self.index,
            counters,
        )
        if observation is not None:
            attach(observation, self.edges, counters)
        return ClassicDataFrame(answers, self.edges.sparkSession)


def classic(name: str, frame: object) -> ClassicDataFrame:
    """``frame``, which must live in a JVM that this process can reach."""
    if isinstance(frame, ClassicDataFrame):
        return frame
    if isinstance(frame, DataFrame):
        raise PySparkRuntimeError(
            message=f"{name} belongs to a Spark Connect session, which this version does not "
            "serve: use a session that is not made with .remote() or SPARK_REMOTE"
        )
    raise PySparkTypeError(message=wrong(name, "a DataFrame", frame))
