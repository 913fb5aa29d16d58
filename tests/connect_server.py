"""A Spark Connect server in a process of its own, as a user would start one."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pyspark

_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextmanager
def connect_server(settings: Mapping[str, object], folder: Path) -> Iterator[str]:
    """Start a server with these settings; gives the URL to connect to."""
    port = _free_port()
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--class", _SERVER]
    for key, value in {"spark.connect.grpc.binding.port": port, **settings}.items():
        command += ["--conf", f"{key}={value}"]
    log = folder / "server.log"
    environment = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    environment["PYSPARK_PYTHON"] = sys.executable
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "spark-internal"], cwd=folder, env=environment, stdout=output, stderr=output
        )
    try:
        for _ in range(600):
            with closing(socket.socket()) as client:
                if client.connect_ex(("localhost", port)) == 0:
                    break
            assert server.poll() is None, log.read_text()
            time.sleep(0.2)
        else:
            raise AssertionError(f"no server after two minutes: {log.read_text()}")
        yield f"sc://localhost:{port}"
    finally:
        server.terminate()
        server.wait()


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
