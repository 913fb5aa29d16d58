"""Sessions that need a process of their own: without the jar, and with it from a repository."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

import pyspark_bic
from pyspark_bic import jar_path

ROOT = Path(__file__).resolve().parent.parent
COORDINATES = f"io.github.sparkbic:spark-bic_4.2_2.13:{pyspark_bic.__version__}"
JAR = f"spark-bic_4.2_2.13-{pyspark_bic.__version__}.jar"

# Starts a plain session with the settings it is given and prints the answers, or the error.
PROGRAM = """
import json, sys
from datetime import datetime
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
import pyspark_bic

builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False)
for key, value in json.loads(sys.argv[1]).items():
    builder.config(key, value)
spark = builder.getOrCreate()
day = datetime(2024, 1, 1)
edges = spark.createDataFrame([(1, 2, day), (2, 3, day)], "src long, dst long, time timestamp")
try:
    answers = edges.bicConnectivity("1 hour", queries=[(1, 3), (1, 4)])
    print("RESULT", json.dumps([list(row[1:]) for row in answers.orderBy("target").collect()]))
except PySparkException as error:
    print("RESULT", json.dumps([type(error).__name__, str(error)]))
"""


def run_program(folder: Path, settings: dict[str, str]) -> object:
    given = json.dumps({"spark.sql.shuffle.partitions": 1, **settings})
    command = [sys.executable, "-c", PROGRAM, given]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    results = [line for line in found.stdout.splitlines() if line.startswith("RESULT ")]
    assert found.returncode == 0 and len(results) == 1, found.stdout + found.stderr
    return json.loads(results[0].removeprefix("RESULT "))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Maven repository with the artifact published by sbt, and nothing else."""
    folder = tmp_path_factory.mktemp("repository")
    commands = [
        f'set publishTo := Some(MavenCache("test", file("{folder}")))',
        "set ThisBuild / packageDoc / publishArtifact := false",
        "publish",
    ]
    sbt = [str(ROOT / "build" / "sbt"), *commands]
    published = subprocess.run(sbt, cwd=ROOT, capture_output=True, text=True, check=False)
    assert published.returncode == 0, published.stdout + published.stderr
    return folder


def test_a_session_without_the_jar(tmp_path: Path) -> None:
    assert run_program(tmp_path, {}) == [
        "PySparkRuntimeError",
        "this Spark session runs without the spark-bic jar: make the first session of the process "
        "with configure_spark_with_bic(SparkSession.builder).getOrCreate(), or start Spark with "
        f"--packages {COORDINATES}",
    ]


@pytest.mark.long("a session of its own, started by spark-submit")
def test_spark_submit_with_an_extension_of_its_own(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(
        "from pyspark.sql import SparkSession\n"
        "from pyspark_bic import configure_spark_with_bic\n"
        "spark = configure_spark_with_bic(SparkSession.builder).getOrCreate()\n"
        "print('RESULT', spark.conf.get('spark.sql.extensions'))\n"
        "spark.sql('SELECT bic_version()').show()\n"
    )
    given = ["--master", "local[1]", "--conf", "spark.sql.extensions=a.Mine"]
    found = subprocess.run(
        [Path(sys.executable).with_name("spark-submit"), *given, "--jars", jar_path(), job],
        env={
            **os.environ,
            "SPARK_HOME": str(Path(pyspark.__file__).parent),
            "PYSPARK_PYTHON": sys.executable,
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "RESULT a.Mine,io.github.sparkbic.sql.BicExtensions\n" in found.stdout


@pytest.mark.long("sbt publishes to a repository")
def test_packages_from_a_repository(tmp_path: Path, repository: Path) -> None:
    settings = {
        "spark.jars.packages": COORDINATES,
        "spark.jars.repositories": repository.as_uri(),
        "spark.jars.ivy": str(tmp_path / "ivy"),
        # A build that was published to this machine's own repository would come first.
        "spark.driver.extraJavaOptions": f"-Duser.home={tmp_path}",
    }
    assert run_program(tmp_path, settings) == [[1, 3, True], [1, 4, False]]
    # What ran is what was published, and it brought nothing else along.
    resolved = list((tmp_path / "ivy" / "jars").iterdir())
    assert [jar.name for jar in resolved] == [f"io.github.sparkbic_{JAR}"]
    (published,) = repository.rglob(JAR)
    assert _digest(resolved[0]) == _digest(published)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
