"""Kafka to Delta Lake with a kill in the middle: the example, as a reader would run it."""

import os
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path

import pytest

import alerts_demo
from broker import Broker
from payments import (
    MIN_SIZE,
    SLIDE,
    START,
    WINDOW,
    Member,
    Payment,
    known,
    make,
    members,
    touching,
)
from rings_demo import differences

ROOT = Path(__file__).resolve().parent.parent


def demonstrate(program: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run a demonstration to its end, which is good, and whose lines stand alone."""
    subprocess.run(["make", "examples/payments/target/.staged"], cwd=ROOT, check=True)
    command = [sys.executable, f"examples/payments/{program}", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "examples" / "shared")}
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " WARN " not in run.stderr and "incubator" not in run.stderr, run.stderr
    return run


@pytest.mark.long("a Kafka broker, and a job that is killed")
def test_from_kafka_to_delta_lake_and_killed_in_the_middle() -> None:
    """Ends with status 0 only if the table holds each row of the oracle, once."""
    run = demonstrate("rings_demo.py")
    assert "rows checked, all the same" in run.stdout
    assert "killed the job after" in run.stdout


@pytest.mark.long("a Kafka broker that is killed, and a job that is killed")
def test_alerts_with_their_payment_and_none_twice() -> None:
    """Ends with status 0 only if each row comes once, and each alert with its payment."""
    run = demonstrate("alerts_demo.py", "300")
    assert "rows checked, all the same, none twice" in run.stdout
    assert "killed the broker after" in run.stdout
    assert "killed the job after" in run.stdout
    assert "ALERT account-r" in run.stdout


@pytest.mark.long("a Kafka broker")
def test_a_broker_whose_cluster_id_begins_with_a_dash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One id in 64 does, and by itself it was taken for an option."""
    dashed = uuid.UUID(int=0xF8 << 120)
    monkeypatch.setattr(uuid, "uuid4", lambda: dashed)
    with Broker(tmp_path / "kafka") as broker:
        assert broker.address.startswith("localhost:")
    assert "cluster.id=-AAA" in next((tmp_path / "kafka/logs").glob("meta.properties")).read_text()


def test_the_check_of_the_example_sees_every_difference() -> None:
    row: Member = (0, "account-1", "account-1")
    other: Member = (0, "device-1", "account-1")
    assert differences(Counter([row, other]), {row, other}) == []
    assert differences(Counter([row, row]), {row}) == [f"2 times: {row}"]
    assert differences(Counter([row]), {row, other}) == [f"missing: {other}"]
    assert differences(Counter([row, other]), {row}) == [f"not so: {other}"]


def test_the_oracle_of_the_example() -> None:
    chain = [Payment(f"a{step}", f"d{step + turn}", START) for step in range(3) for turn in (0, 1)]
    expected = {
        (start, vertex, "a0")
        for start in range(START - WINDOW + SLIDE, START + SLIDE, SLIDE)
        for vertex in ("a0", "a1", "a2", "d0", "d1", "d2", "d3")
    }
    assert members(chain) == expected
    assert members(chain[: MIN_SIZE - 2]) == set()
    assert any("-r0-" in vertex for _, vertex, _ in members(make(100, rings=1)))


def test_the_check_of_alerts_sees_every_difference() -> None:
    row, other = (0, "a", "m"), (0, "b", "m")
    expected = {row: 30, other: 60}
    ends = {0: 25, 1: 50, 2: 75}
    good = [(row, 1), (other, 2)]
    assert alerts_demo.differences(good, expected, ends) == []
    assert alerts_demo.differences([*good, good[0]], expected, ends) == [f"2 times: {row}"]
    assert alerts_demo.differences(good[:1], expected, ends) == [f"missing: {other}"]
    wrong = (0, "a", "n")
    assert alerts_demo.differences([*good, (wrong, 1)], expected, ends) == [f"not so: {wrong}"]
    late = [(row, 2), (other, 2)]
    assert alerts_demo.differences(late, expected, ends) == [f"not with its payment: {row}"]
    assert alerts_demo.differences(late, expected) == []


def test_the_payment_that_connects_to_a_mule() -> None:
    moments = (0, 1, 2, WINDOW)
    made = [Payment(f"a{i % 3}", f"d{i // 2}", START + moments[i]) for i in range(4)]
    # Payments a0-d0, a1-d0, a2-d1, then an hour later a0-d1.
    found = touching(made, ["a1", "a9"])
    first = {start for start, vertex, _ in found if vertex == "a0"}
    assert first == set(range(START - WINDOW + SLIDE, START + SLIDE, SLIDE))
    assert {(vertex, mule, place) for (_, vertex, mule), place in found.items()} == {
        (vertex, "a1", 1) for vertex in ("a0", "a1", "d0")
    }
    assert known(1) == ["account-r0-0"]
