"""The methods of frames within ``foreachBatch``, from a Spark Connect client.

There Spark runs the function in a Python process of the server, which has imported nothing but what
the pickled function names. A method of a frame names no module, so the client sends a function
around the user's own, which imports this package first.
"""

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from pyspark.sql import DataFrame

from pyspark_bic._version import __version__

_WRITER = "pyspark.sql.connect.streaming.readwriter"


def send_methods(names: Iterable[str]) -> None:
    """Have each function of ``foreachBatch`` find the methods ``names`` where it runs."""
    methods = tuple(names)
    if _WRITER in sys.modules:
        _wrap(methods)
        return

    def on_subclass(kind: Any, /, **options: Any) -> None:
        super(DataFrame, kind).__init_subclass__(**options)
        # PySpark loads its writer just before it makes the Connect client's class of frames.
        if _WRITER in sys.modules:
            delattr(DataFrame, "__init_subclass__")
            _wrap(methods)

    # Not at once: the client needs packages that a classic session does without.
    setattr(DataFrame, "__init_subclass__", classmethod(on_subclass))  # noqa: B010


def _wrap(methods: tuple[str, ...]) -> None:
    writer: Any = sys.modules[_WRITER].DataStreamWriter
    send = writer.foreachBatch

    @wraps(send)
    def foreach_batch(self: Any, func: Callable[[Any, int], None]) -> Any:
        return send(self, with_methods(func, methods))

    writer.foreachBatch = foreach_batch


def with_methods(
    func: Callable[[Any, int], None], methods: tuple[str, ...]
) -> Callable[[Any, int], None]:
    """``func``, after an import of this package where it runs.

    The function is pickled by its code, so a server without this package still runs what does not
    need it.
    """
    version = __version__

    def on_server(batch: Any, batch_id: int) -> None:
        try:
            import pyspark_bic  # noqa: F401
        except ModuleNotFoundError as error:
            if error.name != "pyspark_bic":
                raise
            from pyspark.sql import DataFrame

            def missing(*_: Any, **__: Any) -> None:
                raise RuntimeError(
                    "the Python of the Spark Connect server has no pyspark-bic, which bic… methods "
                    f"need in foreachBatch: pip install pyspark-bic=={version} on the server"
                )

            for name in methods:
                setattr(DataFrame, name, missing)
        func(batch, batch_id)

    return on_server
