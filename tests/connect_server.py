"""A Spark Connect server in a process of its own, as a user would start one."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyspark

_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
# The server takes any free port, and logs which.
_STARTED = re.compile(r"Spark Connect server started at: .*:(\d+)")


@contextmanager
def connect_server(settings: Mapping[str, object], folder: Path) -> Iterator[str]:
    """Start a server with these settings; gives the URL to connect to."""
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--class", _SERVER]
    for key, value in {"spark.connect.grpc.binding.port": 0, **settings}.items():
        command += ["--conf", f"{key}={value}"]
    log = folder / "server.log"
    environment = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    environment["PYSPARK_PYTHON"] = sys.executable
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "spark-internal"], cwd=folder, env=environment, stdout=output, stderr=output
        )
    try:
        for _ in range(900):
            started = _STARTED.search(log.read_text())
            if started is not None:
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.2)
        else:
            raise AssertionError(f"no server after three minutes: {log.read_text()}")
        yield f"sc://localhost:{started.group(1)}"
    finally:
        server.terminate()
        server.wait()
