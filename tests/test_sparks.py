"""The versions of Spark that the wheel serves: which jar it picks, and that each jar runs."""

import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import PySparkRuntimeError

import pyspark_bic
from pyspark_bic import _sparks

TABLES = {
    "3.5.9": (
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.1",
        "io.delta:delta-spark_2.12:3.3.2",
    ),
    "4.0.5": (
        "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1",
        "io.delta:delta-spark_2.13:4.0.0",
    ),
    "4.1.4": (
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",
        "io.delta:delta-spark_4.1_2.13:4.4.0",
    ),
}
"""Delta Lake and Iceberg for versions of PySpark."""

ROOT = Path(__file__).resolve().parent.parent
VERSION = pyspark_bic.__version__


@pytest.mark.long("it needs the jars of all Sparks")
def test_the_wheel_has_a_jar_for_each_version() -> None:
    jars = {path.name for path in (Path(pyspark_bic.__file__).parent / "jars").iterdir()}
    assert jars == {
        f"spark-bic_{minor}_{scala}-{VERSION}.jar"
        for minor, scalas in _sparks.SUPPORTED.items()
        for scala in scalas
    }, "run `make wheel-all`"


@pytest.mark.long("it needs the jars of all Sparks")
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


@pytest.fixture(scope="module")
def python_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Python with a PySpark and the wheel, in a virtual environment made at the first use."""

    @cache
    def python(version: str) -> Path:
        folder = tmp_path_factory.mktemp(f"pyspark-{version}")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        (wheel,) = (ROOT / "dist").glob("pyspark_bic-*.whl")
        install = f"{folder}/bin/python -m pip install --quiet --no-compile".split()
        subprocess.run([*install, f"pyspark=={version}", wheel], check=True)
        return folder / "bin" / "python"

    return python


def run_job(python: Path, name: str, *arguments: object) -> str:
    """What a job writes to its standard error; its answers are checked by the job itself."""
    job = subprocess.run(
        [python, ROOT / "tests" / name, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert job.returncode == 0, job.stdout + job.stderr
    assert job.stdout.endswith("all answers are as expected\n"), job.stdout + job.stderr
    return job.stderr


@pytest.mark.long("it installs another PySpark")
@pytest.mark.parametrize("version", ["3.5.9", "4.0.5", "4.1.4", "4.3.0"])
def test_the_wheel_runs_under(
    version: str, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """Batch, SQL and streams of the layouts that there are, restarted."""
    told = run_job(python_of(version), "spark_job.py", tmp_path)
    assert ("is newer than every jar" in told) == (version == "4.3.0")


@pytest.mark.long("it installs another PySpark")
def test_a_stream_moves_on_to_later_versions(
    python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """A checkpoint of each Spark is read by each later one of the same major version."""
    folders: list[Path] = []
    for version in ("4.0.5", "4.1.4", pyspark.__version__, "4.3.0"):
        folders.append(tmp_path / version)
        python = Path(sys.executable) if version == pyspark.__version__ else python_of(version)
        numbers = reversed(range(len(folders)))
        # The stream that this version begins, and one micro-batch more of each earlier one's.
        run_job(python, "spark_job.py", *chain(*zip(folders, numbers, strict=True)))


@pytest.mark.long("it installs another PySpark")
@pytest.mark.parametrize("version", list(TABLES))
def test_tables_of_delta_lake_and_iceberg(
    version: str, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """Batch, with adaptive execution and ANSI on and off, and streams. Spark 4.2 has no Iceberg."""
    ivy, packages = tmp_path / "ivy", ",".join(TABLES[version])
    run_job(python_of(version), "tables_job.py", tmp_path / "data", ivy, packages)


@pytest.mark.long("it installs another PySpark")
def test_a_jar_for_another_scala_says_so(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Under Spark 3.5 with Scala 2.12, a jar for Scala 2.13 names the right one."""
    program = tmp_path / "job.py"
    jar = next((Path(pyspark_bic.__file__).parent / "jars").glob("spark-bic_4.2_2.13-*.jar"))
    program.write_text(f"""
from pyspark.sql import SparkSession
import pyspark_bic
spark = SparkSession.builder.master("local[1]").config("spark.jars", "{jar}").getOrCreate()
try:
    edges = spark.range(1).selectExpr("id src", "id dst", "current_timestamp() time")
    edges.bicComponents("1 hour")
except Exception as error:
    print(error)
""")
    told = subprocess.run([python_of("3.5.9"), program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == (
        "this jar of spark-bic is for Spark 4.2 with Scala 2.13, but Spark 3.5.9 with Scala "
        f"2.12.18 is running; give --packages io.github.sparkbic:spark-bic_3.5_2.12:{VERSION}"
    ), told.stdout + told.stderr
