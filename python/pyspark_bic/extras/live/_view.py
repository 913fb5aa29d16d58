"""The server of the page, in a thread of the driver."""

import math
import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

from dash import Dash, Input, Output
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery
from werkzeug.serving import WSGIRequestHandler, make_server

from pyspark_bic._arguments import text, wrong
from pyspark_bic.extras.live import _page
from pyspark_bic.extras.live._snapshot import Watcher


class _Quiet(WSGIRequestHandler):
    """No line on the console for each request; errors are still told."""

    def log_request(self, *_: object) -> None:
        pass


class LiveView:
    """A page that is being served, at ``url``, until :meth:`stop`. Made by :func:`live_view`."""

    def __init__(self, app: Any, host: str, port: int) -> None:
        # With a socket of its own it would end the whole process where the port is taken.
        with _listening(host, port) as listener:
            self._server = make_server(
                host, port, app, threaded=True, request_handler=_Quiet, fd=listener.fileno()
            )
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self._server.port}/"
        self._thread = Thread(target=self._server.serve_forever, name="bic-live", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the page; the query goes on."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> "LiveView":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise OSError(
            error.errno,
            f"cannot serve the page: {error.strerror}; give another host or port, 0 for a free one",
        ) from error


def live_view(
    query: StreamingQuery,
    answers: Callable[[], DataFrame],
    *,
    host: str = "127.0.0.1",
    port: int = 8050,
    seconds: float = 2.0,
) -> LiveView:
    """Serve a web page on a running query, from this process.

    Parameters
    ----------
    query : pyspark.sql.streaming.StreamingQuery
        The query. The counts cover the micro-batches that the page has seen. The page looks only
        while it is open in a browser. It then takes the micro-batches that Spark remembers, the
        last ``spark.sql.streaming.numRecentProgressUpdates`` (100). Micro-batches that Spark has
        forgotten by then are not counted.
    answers : function without parameters that gives a pyspark.sql.DataFrame
        Reads the rows that the query has written: answers of any of the methods of this package,
        for one length of window. The function is called after each micro-batch while the page is
        open, by one thread at a time. Until a call ends, the page shows the answers of the call
        before. Where a call raises, or gives something else, the page tells why, and calls the
        function again when the page next asks for news.
    host : str
        The address to serve at. There is no log-in: whoever reaches it can look.
    port : int
        The port, at most 65535; 0 takes one that is free.
    seconds : float
        How often the page asks for news, in seconds.

    Returns
    -------
    LiveView
        With ``url`` and ``stop()``; usable in a ``with`` statement.

    Raises
    ------
    pyspark.errors.PySparkTypeError
        ``query`` is no query, ``answers`` is no function, or another argument is of a wrong type.
    pyspark.errors.PySparkValueError
        ``seconds`` is not positive and finite, or ``port`` is out of range.
    OSError
        The page cannot be served: the port is taken, or this machine does not have the address.

    Examples
    --------
    >>> view = live_view(query, lambda: spark.read.parquet("/data/answers"))  # doctest: +SKIP
    >>> view.url  # doctest: +SKIP
    'http://127.0.0.1:8050/'
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise PySparkTypeError(message=wrong("seconds", "a number", seconds))
    if not 0 < seconds < math.inf:
        raise PySparkValueError(message=f"seconds must be positive and finite, but it is {seconds}")
    text("host", host, "an address such as '127.0.0.1'")
    if isinstance(port, bool) or not isinstance(port, int):
        raise PySparkTypeError(message=wrong("port", "an int", port))
    if not 0 <= port <= 65535:
        raise PySparkValueError(message=f"port must be from 0 to 65535, but it is {port}")
    watcher = Watcher(query, answers)
    app = Dash("pyspark_bic.extras.live", title="spark-bic", update_title="")
    app.layout = _page.layout(seconds)

    @app.callback(Output("news", "children"), Input("tick", "n_intervals"))
    def refresh(_ticks: int | None) -> list[Any]:
        return _page.news(watcher.look())

    return LiveView(app.server, host, port)
