"""The server of the page, in a thread of the driver."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from dash import Dash, Input, Output
from pyspark.errors import PySparkValueError
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery
from werkzeug.serving import WSGIRequestHandler, make_server

from pyspark_bic.live import _page
from pyspark_bic.live._snapshot import Watcher


class _Quiet(WSGIRequestHandler):
    """No line on the console for each request; errors are still told."""

    def log_request(self, *_: object) -> None:
        pass


class LiveView:
    """A page that is being served, at ``url``, until :meth:`stop`. Made by :func:`live_view`."""

    def __init__(self, app: Any, host: str, port: int) -> None:
        self._server = make_server(host, port, app, threaded=True, request_handler=_Quiet)
        self.url = f"http://{host}:{self._server.server_port}/"
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
        The query. Its counts cover the micro-batches seen since the view began, and before that
        those that Spark remembers.
    answers : function without parameters that gives a pyspark.sql.DataFrame
        Reads what the query has written, of any of the methods of this package. It is called after
        each micro-batch, while somebody looks.
    host : str
        The address to serve at. There is no log-in: whoever reaches it can look.
    port : int
        The port; 0 takes one that is free.
    seconds : float
        How often the page asks for news.

    Returns
    -------
    LiveView
        With ``url`` and ``stop()``; usable in a ``with`` statement.

    Raises
    ------
    pyspark.errors.PySparkTypeError, pyspark.errors.PySparkValueError
        ``query`` is no query, ``answers`` is no function, ``seconds`` is not positive.
    OSError
        The port is taken.

    Examples
    --------
    >>> view = live_view(query, lambda: spark.read.parquet("/data/answers"))  # doctest: +SKIP
    >>> view.url  # doctest: +SKIP
    'http://127.0.0.1:8050/'
    """
    if seconds <= 0:
        raise PySparkValueError(message=f"seconds must be positive, but it is {seconds}")
    watcher = Watcher(query, answers)
    app = Dash("pyspark_bic.live", title="spark-bic", update_title="")
    app.layout = _page.layout(seconds)

    @app.callback(Output("news", "children"), Input("tick", "n_intervals"))
    def refresh(_ticks: int | None) -> list[Any]:
        return _page.news(watcher.look())

    return LiveView(app.server, host, port)
