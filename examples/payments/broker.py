"""A Kafka broker of one's own: one node in KRaft mode, on free ports, gone when the block ends."""

import base64
import random
import socket
import subprocess
import time
import uuid
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


class Broker:
    """A broker with its data in ``folder``, which is there as long as the block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self._port, controller = _free_ports(2)
        self.address = f"localhost:{self._port}"
        self._properties = folder / "server.properties"
        self._properties.write_text(
            PROPERTIES.format(broker=self._port, controller=controller, folder=folder)
        )
        self._process: subprocess.Popen[bytes] | None = None
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        # One word: an id may begin with "-", which would be an option if it came by itself.
        storage = ["format", f"--cluster-id={cluster}", "-c", str(self._properties)]
        if self._java("kafka.tools.StorageTool", *storage).wait():
            raise RuntimeError(f"Kafka cannot format its log folder; it says:\n{_log_of(folder)}")

    def start(self) -> None:
        """Start the broker, or start it again over the data that it has, on the same port."""
        self._process = self._java("kafka.Kafka", str(self._properties))
        _wait_for(self._process, self._port, self.folder)

    def kill(self) -> None:
        """Kill the broker without a warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _java(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = ["java", "-Xmx512m", "-cp", f"{JARS}/*", *arguments]
        with (self.folder / "broker.log").open("a") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    def __enter__(self) -> "Broker":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


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
