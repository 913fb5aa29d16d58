"""The installed wheel: where it is, its jar, and the settings it adds to a session."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from pyspark.errors import PySparkRuntimeError, PySparkTypeError, PySparkValueError
from pyspark.sql import SparkSession

import pyspark_bic
from pyspark_bic import _jar, configure_spark_with_bic, jar_path

EXTENSION = {"spark.sql.extensions": "io.github.sparkbic.sql.BicExtensions"}


def options(builder: SparkSession.Builder) -> dict[str, str]:
    return builder._options


def test_the_installed_wheel_is_tested_not_the_source_tree() -> None:
    assert Path(pyspark_bic.__file__).is_relative_to(sys.prefix)


def test_the_jar_has_the_version_of_the_wheel_and_nothing_but_our_classes() -> None:
    assert jar_path().name == f"spark-bic_4.2_2.13-{pyspark_bic.__version__}.jar"
    with zipfile.ZipFile(jar_path()) as jar:
        classes = [name for name in jar.namelist() if name.endswith(".class")]
    assert classes
    # The second is where Scala lets code see what Spark keeps to its own packages.
    ours = ("io/github/sparkbic/", "org/apache/spark/sql/bic/")
    assert [name for name in classes if not name.startswith(ours)] == []


def test_the_package_is_typed() -> None:
    assert (Path(pyspark_bic.__file__).parent / "py.typed").is_file()


def test_adds_the_jar_and_returns_the_builder() -> None:
    builder = SparkSession.builder
    assert configure_spark_with_bic(builder) is builder
    assert options(builder) == {"spark.jars": str(jar_path()), **EXTENSION}


def test_keeps_what_the_builder_holds() -> None:
    builder = (
        SparkSession.builder.config("spark.jars", "/a.jar, /b.jar")
        .config("spark.jars.packages", "g:a:1")
        .config("spark.sql.extensions", "a.Mine")
        .config("spark.app.name", "mine")
    )
    configure_spark_with_bic(builder, extra_packages=["g:b:2", "g:a:1"])
    assert options(builder) == {
        "spark.jars": f"/a.jar,/b.jar,{jar_path()}",
        "spark.jars.packages": "g:a:1,g:b:2",
        "spark.sql.extensions": "a.Mine,io.github.sparkbic.sql.BicExtensions",
        "spark.app.name": "mine",
    }


def test_twice_is_once() -> None:
    builder = configure_spark_with_bic(configure_spark_with_bic(SparkSession.builder, []), "g:a:1")
    assert options(builder) == {
        "spark.jars": str(jar_path()),
        "spark.jars.packages": "g:a:1",
        **EXTENSION,
    }


def test_keeps_what_the_defaults_of_spark_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.jars /x.jar\nspark.jars   /a.jar,/b.jar\n# spark.jars /not.jar\n"
        "spark.jars.packages: g:a:1\n"
    )
    builder = configure_spark_with_bic(SparkSession.builder, ["g:b:2"])
    assert options(builder) == {
        "spark.jars": f"/a.jar,/b.jar,{jar_path()}",
        "spark.jars.packages": "g:a:1,g:b:2",
        **EXTENSION,
    }
    # A builder's own setting replaces the default, as it does in Spark.
    builder = configure_spark_with_bic(SparkSession.builder.config("spark.jars", "/c.jar"))
    assert options(builder) == {"spark.jars": f"/c.jar,{jar_path()}", **EXTENSION}


def test_keeps_what_the_options_of_spark_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS",
        "--conf spark.sql.extensions=a.Other -c spark.sql.extensions=a.Mine pyspark-shell",
    )
    builder = configure_spark_with_bic(SparkSession.builder)
    assert options(builder)["spark.sql.extensions"] == (
        "a.Mine,io.github.sparkbic.sql.BicExtensions"
    )
    file = tmp_path / "mine.conf"
    file.write_text("spark.jars /a.jar\nspark.sql.extensions a.Other\n")
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS",
        f"--properties-file {tmp_path}/none --properties-file={file} pyspark-shell",
    )
    builder = configure_spark_with_bic(SparkSession.builder)
    assert options(builder) == {
        "spark.jars": f"/a.jar,{jar_path()}",
        "spark.sql.extensions": "a.Other,io.github.sparkbic.sql.BicExtensions",
    }


@pytest.mark.parametrize("option", ["--jars /a.jar", "--jars=/a.jar"])
def test_an_option_that_hides_the_jar_is_refused(
    monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--verbose {option} pyspark-shell")
    with pytest.raises(PySparkValueError) as caught:
        configure_spark_with_bic(SparkSession.builder)
    assert str(caught.value) == (
        f"PYSPARK_SUBMIT_ARGS holds --jars, which replaces spark.jars: add {jar_path()} to it, or "
        "move its value into the builder's spark.jars"
    )
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{option},{jar_path()} pyspark-shell")
    configure_spark_with_bic(SparkSession.builder)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--packages g:a:1 pyspark-shell")
    configure_spark_with_bic(SparkSession.builder)
    with pytest.raises(PySparkValueError, match=r"--packages, .*: add g:b:2 to it"):
        configure_spark_with_bic(SparkSession.builder, ["g:a:1", "g:b:2"])
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--conf spark.jars=/x.jar pyspark-shell")
    with pytest.raises(PySparkValueError, match=r"--conf spark.jars, which replaces spark.jars"):
        configure_spark_with_bic(SparkSession.builder)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "-c spark.driver.memory=1g pyspark-shell")
    configure_spark_with_bic(SparkSession.builder)
    # A JVM that runs already has taken its options.
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{option} pyspark-shell")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    builder = SparkSession.builder.config(map={"spark.jars": "/a.jar", **EXTENSION})
    configure_spark_with_bic(builder)
    assert options(builder)["spark.jars"] == f"/a.jar,{jar_path()}"


def test_refuses_a_session_in_place_of_a_builder() -> None:
    with pytest.raises(PySparkTypeError) as caught:
        configure_spark_with_bic("local[2]")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "builder must be a SparkSession.Builder, as SparkSession.builder is, not 'local[2]' (str)"
    )


def test_refuses_packages_that_are_no_names() -> None:
    with pytest.raises(PySparkTypeError) as caught:
        configure_spark_with_bic(SparkSession.builder, extra_packages=["g:a:1", 2])  # type: ignore[list-item]
    assert str(caught.value) == "extra_packages[1] must be a str, not 2 (int)"


def test_an_installation_without_its_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_jar, "_JARS", tmp_path)
    version = pyspark_bic.__version__
    with pytest.raises(PySparkRuntimeError) as caught:
        configure_spark_with_bic(SparkSession.builder)
    assert str(caught.value) == (
        f"pyspark-bic {version} has no jar at {tmp_path}/spark-bic_4.2_2.13-{version}.jar: "
        "install the wheel (in a source tree, `make build` makes it), or start Spark with "
        f"--packages io.github.sparkbic:spark-bic_4.2_2.13:{version}"
    )


def jar_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the jar in that folder, where the package then looks for it."""
    folder.mkdir()
    copy = Path(shutil.copy(jar_path(), folder))
    monkeypatch.setattr(_jar, "_JARS", folder)
    return copy


RUN = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.jars", sys.argv[1]).getOrCreate()
print(spark._jvm.io.github.sparkbic.PythonApi.version())
"""


def test_the_jar_in_a_folder_with_odd_characters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jar = jar_in(tmp_path / "team#1 50% off *now* a%23b }", monkeypatch)
    setting = options(configure_spark_with_bic(SparkSession.builder))["spark.jars"]
    assert setting == jar.as_uri()
    run = subprocess.run(
        [sys.executable, "-c", RUN, setting], capture_output=True, text=True, check=False
    )
    assert run.stdout == f"{pyspark_bic.__version__}\n", run.stderr


@pytest.mark.parametrize("odd", [",", "?", "[", "]", "{", ":", "\\*"])
def test_a_folder_that_spark_cannot_read_is_refused(
    odd: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jar = jar_in(tmp_path / f"team{odd}1", monkeypatch)
    with pytest.raises(PySparkValueError) as caught:
        configure_spark_with_bic(SparkSession.builder)
    assert str(caught.value) == (
        f"the path of the spark-bic jar, {jar}, holds a '{odd[0]}', which Spark cannot read in "
        f"spark.jars: install pyspark-bic into a folder without any of ,?[]{{:{odd[:-1]}, or start "
        f"Spark with --packages io.github.sparkbic:spark-bic_4.2_2.13:{pyspark_bic.__version__}"
    )
