"""What mypy, strict and with the plugin, says about the methods on DataFrame."""

import subprocess
import sys
from pathlib import Path

import pytest

from pyspark_bic import BicDataFrame
from pyspark_bic._methods import METHODS
from questions import ONE_EACH

PROGRAM = """
from datetime import timedelta
from typing import cast
import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark_bic import BicDataFrame, bic_connectivity

spark = SparkSession.builder.getOrCreate()
edges: DataFrame = spark.read.parquet("edges").withWatermark("time", "1 hour")
reveal_type(edges.bicConnectivity("1 hour", "5 minutes", queries=[(1, 2)]))
reveal_type(edges.bicComponents("1 hour", min_size=3).where("component > 1"))
reveal_type(edges.bicComponentStats("1 hour", by=["a", "b"]))
reveal_type(cast(BicDataFrame, edges).bicComponents("1 hour"))
reveal_type(bic_connectivity(edges, "1 hour", queries=[("a", "b")]))
reveal_type(edges.bicPaths(edges.bicConnectedTo("1 hour", marked=[1]), keep=["id", edges.amount]))
reveal_type(edges.bicComponents())
edges.bicConnectivity(3600, queries=[(1, 2)])
edges.bicConnectivity("1 hour", "5 minutes")
reveal_type(edges.bicConnectivity(timedelta(hours=1), None, np.array([(1, 2)]), src=edges.src))
edges.bicComponents("1 hour", minimum=3)
reveal_type(edges.src)
""" + "".join(
    f"reveal_type(edges.{name}('1 hour', {terms}))\n"
    for name, question in ONE_EACH.items()
    for terms in [", ".join(f"{k}={v!r}" for k, v in question.arguments([(1, 2)]).items())]
)
PROGRAM += """
reveal_type(edges.bicAsOf(edges, ["1 hour", "1 day"], "1 hour", source="src", target=edges.dst))
edges.bicAsOf(edges, "1 hour", marked=[1])
"""

CONFIGURATION = """
[mypy]
strict = true
plugins = pyspark_bic.mypy_plugin
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What mypy says of the program, by line."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "mypy.ini").write_text(CONFIGURATION)
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "program.py"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not run.stderr
    lines: dict[int, str] = {}
    for line in run.stdout.splitlines():
        _, number, text = line.split(":", 2)
        lines[int(number)] = lines.get(int(number), "") + text
    return lines


def test_the_methods_have_types(said: dict[int, str]) -> None:
    of_events = 23 + len(ONE_EACH)
    for line in [*range(10, 17), 19, *range(22, 22 + len(ONE_EACH)), of_events]:
        assert said.pop(line) == ' note: Revealed type is "pyspark.sql.dataframe.DataFrame"'
    none = " error: No overload variant matches argument types"
    assert said.pop(17).startswith(f'{none} "int", "list')
    # Without queries there is nothing to ask.
    assert said.pop(18).startswith(f'{none} "str", "str"')
    assert said.pop(20).startswith(
        ' error: Unexpected keyword argument "minimum"',
    )
    assert said.pop(of_events + 1).startswith(' error: Missing named argument "source"')
    # Columns are attributes as before.
    assert said.pop(21) == ' note: Revealed type is "pyspark.sql.column.Column"'
    assert said == {}


def test_every_method_is_declared() -> None:
    source = Path(sys.modules["pyspark_bic._methods"].__file__ or "").read_text()
    declared = source.partition("class BicDataFrame")[2].partition("else:")[0]
    for name, function in METHODS.items():
        assert f"        {name} = {function.__name__} " in declared
        assert hasattr(BicDataFrame, name)
