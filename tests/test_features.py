"""Features of payments for a model: the example, as a reader would run it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fraud

ROOT = Path(__file__).resolve().parent.parent


def test_gangs_are_among_the_payments_and_each_seed_has_its_own() -> None:
    payments = fraud.payments()
    frauds = [payment for payment in payments if payment.fraud]
    assert 0.05 < len(frauds) / len(payments) < 0.1
    assert any(payment.payee in fraud.MULES for payment in frauds)
    assert payments == fraud.payments() and payments != fraud.payments(seed=1)


@pytest.mark.long("two models, and a stream of two days")
def test_a_stream_serves_the_features_of_the_table() -> None:
    """Ends with status 0 only if each answer of the stream is that of the table."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "examples" / "shared")}
    command = [sys.executable, "examples/features/features_demo.py"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "The stream has answered 10,396 payments; 32 of the last minutes wait" in run.stdout
    assert "Of the answers, 10,396 are those of the table." in run.stdout
