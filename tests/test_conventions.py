"""Files that repeat what another file says, and must not differ from it."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pyspark_bic
import rings
from pyspark_bic._methods import METHODS
from pyspark_bic.extras import graphframes, plot

ROOT = Path(__file__).resolve().parent.parent


def test_the_citation_has_the_version() -> None:
    written = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert written is not None
    assert written.group(1) == pyspark_bic.__version__


def test_the_wheel_has_the_licence_of_the_project() -> None:
    assert (ROOT / "python/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_lock_pins_what_is_asked_for() -> None:
    """And names no registry, which is up to whoever installs."""
    asked = (ROOT / "python/requirements-dev.txt").read_text()
    locked = (ROOT / "python/requirements-dev.lock").read_text()
    wanted = [Requirement(line.partition("#")[0]) for line in asked.splitlines() if _names(line)]
    pinned = [Requirement(line) for line in locked.splitlines() if _names(line)]
    versions: dict[str, list[str]] = {}
    for each in pinned:
        assert [one.operator for one in each.specifier] == ["=="], each
        versions.setdefault(each.name, []).append(next(iter(each.specifier)).version)
    assert len(wanted) > 10
    for each in wanted:
        assert versions.get(each.name), f"{each.name} is not pinned: run `make lock`"
        unfit = [one for one in versions[each.name] if one not in each.specifier]
        assert not unfit, f"{each.name} {unfit} is not {each.specifier}: run `make lock`"
    assert "//" not in locked and "-url" not in locked


def _names(line: str) -> bool:
    return line[:1].isalpha()


def test_the_first_version_that_is_checked_for_compatibility() -> None:
    """MiMa compares with the last release: from the second version on there is one."""
    build = (ROOT / "build.sbt").read_text()
    assert ("mimaPreviousArtifacts := Set.empty" in build) == (pyspark_bic.__version__ == "0.1.0")


def test_the_example_names_the_versions_that_its_test_fetches() -> None:
    build = (ROOT / "build.sbt").read_text()
    values = dict(re.findall(r'val (\w+) = "([\d.]+)"', build))
    sparks = (ROOT / "project" / "Sparks.scala").read_text()
    values["sparkVersion"] = re.findall(r'Sparks\("([\d.]+)"', sparks)[-1]
    for coordinates in rings.PACKAGES:
        _, artifact, version = coordinates.split(":")
        named = re.search(rf'"{re.escape(artifact)}" % (\w+)', build)
        assert named is not None, artifact
        assert values[named.group(1)] == version


def test_colours_are_in_one_place() -> None:
    package = ROOT / "python/pyspark_bic"
    coloured = {
        path.name for path in package.rglob("*.py") if re.search('"#[0-9a-f]{6}"', path.read_text())
    }
    assert coloured == {"_colours.py"}


@pytest.mark.parametrize(
    "function",
    [
        *METHODS.values(),
        *(pyspark_bic.metrics, pyspark_bic.configure_spark_with_bic, pyspark_bic.jar_path),
        pyspark_bic.star_edges,
        *(graphframes.window_graph, graphframes.window_components, graphframes.from_edges),
        *(plot.connected_pairs, plot.component_stats, plot.largest_components),
        *(plot.network, plot.to_networkx),
    ],
)
def test_what_raises_says_so(function: Callable[..., object]) -> None:
    assert "Raises\n    ------\n" in (function.__doc__ or "")


def test_each_fault_to_be_planted_changes_one_place_of_the_sources() -> None:
    found = runpy.run_path(str(ROOT / "build/mutants.py"))
    assert len(found["MUTANTS"]) > 20
    for mutant in found["MUTANTS"]:
        text = (ROOT / found["SOURCES"] / mutant.file).read_text()
        assert text.count(mutant.right) == 1, mutant.fault
