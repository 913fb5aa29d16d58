"""The versions of Spark that the wheel serves: which jar it picks, and that each jar runs."""

import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import pytest
from pyspark.errors import PySparkRuntimeError

import pyspark_bic
from pyspark_bic import _sparks

ROOT = Path(__file__).resolve().parent.parent
VERSION = pyspark_bic.__version__


def test_the_wheel_has_a_jar_for_each_version() -> None:
    jars = {path.name for path in (Path(pyspark_bic.__file__).parent / "jars").iterdir()}
    assert jars == {
        f"spark-bic_{minor}_{scala}-{VERSION}.jar"
        for minor, scalas in _sparks.SUPPORTED.items()
        for scala in scalas
    }


@pytest.mark.parametrize(
    ("minor", "scala"),
    [(minor, scala) for minor, scalas in _sparks.SUPPORTED.items() for scala in scalas],
)
def test_each_jar_tells_its_versions_of_spark_and_scala(minor: str, scala: str) -> None:
    name = f"jars/spark-bic_{minor}_{scala}-{VERSION}.jar"
    with zipfile.ZipFile(Path(pyspark_bic.__file__).parent / name) as jar:
        lines = jar.read("io/github/sparkbic/build.properties").decode().splitlines()
    assert lines == [
        f"version={VERSION}",
        f"spark={minor}",
        f"sparks={', '.join(_sparks.SUPPORTED)}",
        f"scala={scala}",
    ]


def test_patch_releases_share_a_jar() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _sparks.artifact("4.0.1") == _sparks.artifact("4.0.4") == "spark-bic_4.0_2.13"
        assert _sparks.artifact("4.1.0.dev0") == "spark-bic_4.1_2.13"
    assert _sparks.coordinates("4.2.1") == f"io.github.sparkbic:spark-bic_4.2_2.13:{VERSION}"


def test_an_older_spark_is_told_what_is_served() -> None:
    with pytest.raises(PySparkRuntimeError) as caught:
        _sparks.artifact("3.4.4")
    assert str(caught.value) == (
        f"pyspark-bic {VERSION} serves Spark 3.5, 4.0, 4.1, 4.2, but PySpark is 3.4.4: install one "
        "of these, such as pip install 'pyspark==4.2.*'"
    )


def test_a_newer_spark_gets_the_newest_jar_and_a_warning() -> None:
    with pytest.warns(UserWarning) as caught:
        assert _sparks.artifact("4.10.1") == "spark-bic_4.2_2.13"
    assert [str(each.message) for each in caught] == [
        f"PySpark 4.10.1 is newer than every jar of pyspark-bic {VERSION}, which has been tested "
        "up to Spark 4.2; the jar for 4.2 is taken"
    ]


@pytest.mark.long("it installs another PySpark")
@pytest.mark.parametrize("version", ["3.5.9", "4.0.4", "4.0.5", "4.1.4", "4.3.0"])
def test_the_wheel_runs_under(version: str, tmp_path: Path) -> None:
    """Batch, SQL and streams of both layouts, restarted, in a virtual environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    (wheel,) = (ROOT / "dist").glob("pyspark_bic-*.whl")
    install = f"{python} -m pip install --quiet --no-compile".split()
    subprocess.run([*install, f"pyspark=={version}", wheel], check=True)
    job = subprocess.run(
        [python, ROOT / "tests" / "spark_job.py", tmp_path / "data"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert job.returncode == 0, job.stdout + job.stderr
    assert job.stdout.endswith("all answers are as expected\n"), job.stdout + job.stderr
    assert ("is newer than every jar" in job.stderr) == (version == "4.3.0")
