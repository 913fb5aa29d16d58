"""The installed wheel: where it is, its jar, and the settings it adds to a session."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkRuntimeError, PySparkTypeError, PySparkValueError
from pyspark.sql import SparkSession

import pyspark_bic
from pyspark_bic import _jar, configure_spark_with_bic, jar_path

EXTENSION = {"spark.sql.extensions": "io.github.sparkbic.sql.BicExtensions"}
COORDINATES = f"io.github.sparkbic:spark-bic_4.2_2.13:{pyspark_bic.__version__}"
JAR = str(jar_path())


def configured(packages: Any = None, **settings: str) -> dict[str, str]:
    """What a builder with these settings, written with underscores, holds after the call."""
    builder = SparkSession.builder
    for key, value in settings.items():
        builder.config(key.replace("_", "."), value)
    more = {} if packages is None else {"extra_packages": packages}
    return configure_spark_with_bic(builder, **more)._options


def test_the_installed_wheel_is_tested_not_the_source_tree() -> None:
    assert Path(pyspark_bic.__file__).is_relative_to(sys.prefix)
    assert (Path(pyspark_bic.__file__).parent / "py.typed").is_file()


def test_the_jar_has_the_version_of_the_wheel_and_nothing_but_our_classes() -> None:
    assert jar_path().name == f"spark-bic_4.2_2.13-{pyspark_bic.__version__}.jar"
    with zipfile.ZipFile(JAR) as jar:
        classes = [name for name in jar.namelist() if name.endswith(".class")]
    assert classes
    # The second is where Scala lets code see what Spark keeps to its own packages.
    ours = ("io/github/sparkbic/", "org/apache/spark/sql/bic/")
    assert [name for name in classes if not name.startswith(ours)] == []


def test_adds_the_jar_and_keeps_what_the_builder_holds() -> None:
    builder = SparkSession.builder
    assert configure_spark_with_bic(builder) is builder
    assert builder._options == {"spark.jars": JAR, **EXTENSION}
    held = {"spark_jars": "/a.jar, /b.jar", "spark_jars_packages": "g:a:1"}
    held |= {"spark_sql_extensions": "a.Mine", "spark_app_name": "mine"}
    once = configured(["g:b:2", "g:a:1"], **held)
    assert once == {
        "spark.jars": f"/a.jar,/b.jar,{JAR}",
        "spark.jars.packages": "g:a:1,g:b:2",
        "spark.sql.extensions": f"a.Mine,{EXTENSION['spark.sql.extensions']}",
        "spark.app.name": "mine",
    }
    # Twice is once.
    assert configured("g:a:1", **once) == once


def test_keeps_what_the_defaults_of_spark_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.jars /x.jar\nspark.jars   /a.jar,/b.jar\n# spark.jars /not.jar\n"
        "spark.jars.packages: g:a:1\n"
    )
    assert configured(["g:b:2"]) == {
        "spark.jars": f"/a.jar,/b.jar,{JAR}",
        "spark.jars.packages": "g:a:1,g:b:2",
        **EXTENSION,
    }
    # A builder's own setting replaces the default, as it does in Spark.
    assert configured(spark_jars="/c.jar") == {"spark.jars": f"/c.jar,{JAR}", **EXTENSION}


@pytest.mark.parametrize(
    ("given", "jars", "extensions"),
    [
        ("--conf spark.sql.extensions=a.Other -c spark.sql.extensions=a.Mine", "", "a.Mine,"),
        ("--properties-file none --properties-file={}", "/a.jar,", "a.Other,"),
        ("-c spark.driver.memory=1g", "", ""),
    ],
)
def test_keeps_what_the_options_of_spark_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str, jars: str, extensions: str
) -> None:
    file = tmp_path / "mine.conf"
    file.write_text("spark.jars /a.jar\nspark.sql.extensions a.Other\n")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{given.format(file)} pyspark-shell")
    assert configured() == {
        "spark.jars": f"{jars}{JAR}",
        "spark.sql.extensions": f"{extensions}{EXTENSION['spark.sql.extensions']}",
    }


@pytest.mark.parametrize(
    ("given", "packages", "text"),
    [
        (
            "--verbose --jars /a.jar",
            None,
            f"PYSPARK_SUBMIT_ARGS holds --jars, which replaces spark.jars: add {JAR} to it, or "
            "move its value into the builder's spark.jars",
        ),
        ("--jars=/a.jar", None, "PYSPARK_SUBMIT_ARGS holds --jars, which replaces spark.jars: add"),
        ("--conf spark.jars=/x.jar", None, "PYSPARK_SUBMIT_ARGS holds --conf spark.jars, which"),
        (
            "--packages g:a:1",
            ["g:a:1", "g:b:2"],
            "PYSPARK_SUBMIT_ARGS holds --packages, which replaces spark.jars.packages: add g:b:2",
        ),
    ],
)
def test_an_option_that_hides_a_setting_is_refused(
    monkeypatch: pytest.MonkeyPatch, given: str, packages: list[str] | None, text: str
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{given} pyspark-shell")
    with pytest.raises(PySparkValueError) as caught:
        configured(packages)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("given", ["--jars /a.jar,{}", "--jars=/a.jar,{}", "--packages g:a:1"])
def test_an_option_that_hides_nothing(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{given.format(JAR)} pyspark-shell")
    assert configured()["spark.jars"].endswith(JAR)
    # A JVM that runs already has taken its options.
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--jars /b.jar pyspark-shell")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    held = {"spark_jars": "/a.jar", "spark_sql_extensions": "a.Mine"}
    assert configured(**held)["spark.jars"] == f"/a.jar,{JAR}"


def test_arguments_of_other_types() -> None:
    given: Any = "local[2]"
    with pytest.raises(PySparkTypeError) as caught:
        configure_spark_with_bic(given)
    assert str(caught.value) == (
        "builder must be a SparkSession.Builder, as SparkSession.builder is, not 'local[2]' (str)"
    )
    with pytest.raises(PySparkTypeError) as caught:
        configured(["g:a:1", 2])
    assert str(caught.value) == "extra_packages[1] must be a str, not 2 (int)"


def test_an_installation_without_its_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_jar, "_JARS", tmp_path)
    with pytest.raises(PySparkRuntimeError) as caught:
        configured()
    assert str(caught.value) == (
        f"pyspark-bic {pyspark_bic.__version__} has no jar at {tmp_path}/{Path(JAR).name}: "
        "install the wheel (in a source tree, `make build SPARK=4.2` makes it), or start Spark "
        f"with --packages {COORDINATES}"
    )


def jar_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the jar in that folder, where the package then looks for it."""
    folder.mkdir()
    copy = Path(shutil.copy(JAR, folder))
    monkeypatch.setattr(_jar, "_JARS", folder)
    return copy


RUN = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.jars", sys.argv[1]).getOrCreate()
print(spark._jvm.io.github.sparkbic.PythonApi.version())
"""


@pytest.mark.long("a session of its own")
def test_the_jar_in_a_folder_with_odd_characters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jar = jar_in(tmp_path / "team#1 50% off *now* a%23b }", monkeypatch)
    setting = configured()["spark.jars"]
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
        configured()
    assert str(caught.value) == (
        f"the path of the spark-bic jar, {jar}, holds a '{odd[0]}', which Spark cannot read in "
        f"spark.jars: install pyspark-bic into a folder without any of ,?[]{{:{odd[:-1]}, or start "
        f"Spark with --packages {COORDINATES}"
    )
