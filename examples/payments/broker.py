"""A Kafka broker of one's own: one node in KRaft mode, on free ports, gone when the block ends."""

import base64
import random
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

JARS = Path(__file__).resolve().parent / "target" / "broker-jars"
WAIT_SECONDS = 180
_PORTS = range(20_000, 32_000)

PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:{controller}
listeners=PLAINTEXT://localhost:{broker},CONTROLLER://localhost:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={folder}/logs
num.partitions=4
offsets.topic.replication.factor=1
"""


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Start a broker with its data in ``folder``; what comes is its address, ``host:port``."""
    folder.mkdir(parents=True)
    broker, controller = _free_ports(2)
    properties = folder / "server.properties"
    properties.write_text(PROPERTIES.format(broker=broker, controller=controller, folder=folder))
    cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    with (folder / "broker.log").open("w") as log:
        java = ["java", "-Xmx512m", "-cp", f"{JARS}/*"]
        # One word: an id may begin with "-", which would be an option if it came by itself.
        storage = [
            "kafka.tools.StorageTool",
            "format",
            f"--cluster-id={cluster}",
            "-c",
            str(properties),
        ]
        if subprocess.run([*java, *storage], check=False, stdout=log, stderr=log).returncode:
            raise RuntimeError(f"Kafka cannot format its log folder; it says:\n{_log_of(folder)}")
        process = subprocess.Popen([*java, "kafka.Kafka", str(properties)], stdout=log, stderr=log)
        try:
            _wait_for(process, broker, folder)
            yield f"localhost:{broker}"
        finally:
            process.kill()
            process.wait()


def _free_ports(count: int) -> list[int]:
    """Below those that the system hands out, so that nobody gets one before the broker has it."""
    ports: list[int] = []
    for port in random.sample(_PORTS, len(_PORTS)):
        try:
            socket.create_server(("localhost", port)).close()
        except OSError:
            continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise RuntimeError(f"no {count} free ports between {_PORTS.start} and {_PORTS.stop}")


def _wait_for(process: "subprocess.Popen[bytes]", port: int, folder: Path) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(
        f"the Kafka broker does not answer on port {port}; its log ends:\n{_log_of(folder)}"
    )


def _log_of(folder: Path) -> str:
    return (folder / "broker.log").read_text()[-2000:]
