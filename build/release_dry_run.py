#!/usr/bin/env python3
"""Makes everything that a release uploads, checks it, and uploads nothing.

For Maven Central: jar, sources, javadoc and POM, signed with a key that is made for the run and
thrown away. For PyPI: sdist and wheel. A release itself is the same two steps with a real key
(`build/sbt publishSigned sonaRelease`, `twine upload dist/release/*`), and credentials that
are in the environment of whoever does it and nowhere else.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
STAGING = ROOT / "target" / "sona-staging"
DISTRIBUTIONS = ROOT / "dist" / "release"
PROJECTS = {
    "": "spark-bic_4.2_2.13",
    "spark41/": "spark-bic_4.1_2.13",
    "spark40/": "spark-bic_4.0_2.13",
    "spark35/": "spark-bic_3.5_2.12",
    "spark35of213/": "spark-bic_3.5_2.13",
}
"""The artifact of each project of sbt."""

ARTIFACTS = list(PROJECTS.values())
POM = "{http://maven.apache.org/POM/4.0.0}"
# Maven Central refuses a POM that lacks any of these.
REQUIRED = ["name", "description", "url", "licenses/license/name", "developers/developer/name"]
REQUIRED += ["scm/url", "scm/connection"]


def run(*command: str, **variables: str) -> None:
    print("$", *command, flush=True)
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, check=True
    )


def check(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(f"not fit for release: {what}")
    print(f"ok: {what}", flush=True)


def maven(version: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        key = ["--batch", "--passphrase", "", "--quick-generate-key"]
        run(
            "gpg",
            *key,
            "dry run <dry-run@example.invalid>",
            "default",
            "default",
            "1d",
            GNUPGHOME=home,
        )
        run(
            "build/sbt",
            "mimaReportBinaryIssues",
            *(f"{project}publishSigned" for project in PROJECTS),
            GNUPGHOME=home,
            PGP_PASSPHRASE="",
        )
        for artifact in ARTIFACTS:
            folder = STAGING / "io/github/sparkbic" / artifact / version
            for suffix in (".jar", "-sources.jar", "-javadoc.jar", ".pom"):
                file = folder / f"{artifact}-{version}{suffix}"
                check(file.is_file(), f"{file.name} is there")
                for sum_ in (".md5", ".sha1"):
                    check(Path(f"{file}{sum_}").is_file(), f"{file.name}{sum_} is there")
                run("gpg", "--verify", f"{file}.asc", str(file), GNUPGHOME=home)
    for artifact in ARTIFACTS:
        check_pom(STAGING / "io/github/sparkbic" / artifact / version / f"{artifact}-{version}.pom")


def check_pom(file: Path) -> None:
    pom = ElementTree.parse(file).getroot()
    for path in REQUIRED:
        found = pom.find("/".join(POM + part for part in path.split("/")))
        has = found is not None and bool((found.text or "").strip())
        check(has, f"{file.name} has {path}")
    scopes = {
        str(each.findtext(f"{POM}artifactId")): each.findtext(f"{POM}scope")
        for each in pom.iter(f"{POM}dependency")
    }
    brought = [each for each, scope in scopes.items() if scope not in ("provided", "test")]
    check(brought == ["scala-library"], f"{file.name} brings nothing but Scala's own library")


def pypi(version: str) -> None:
    DISTRIBUTIONS.mkdir(parents=True, exist_ok=True)
    for old in DISTRIBUTIONS.iterdir():
        old.unlink()
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(DISTRIBUTIONS), "python")
    files = sorted(DISTRIBUTIONS.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, files))
    jars = [f"pyspark_bic/jars/{artifact}-{version}.jar" for artifact in ARTIFACTS]
    wheel = DISTRIBUTIONS / f"pyspark_bic-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    check(all(jar in names for jar in jars), "the wheel has the jars")
    license_file = f"pyspark_bic-{version}.dist-info/licenses/LICENSE"
    check(license_file in names, "the wheel has the licence")
    check("pyspark_bic/py.typed" in names, "the wheel is typed")
    with tarfile.open(DISTRIBUTIONS / f"pyspark_bic-{version}.tar.gz") as source:
        packed_names = source.getnames()
    check(
        all(f"pyspark_bic-{version}/{jar}" in packed_names for jar in jars),
        "the sdist has the jars",
    )


def main() -> None:
    written = (ROOT / "python/pyspark_bic/_version.py").read_text()
    version = written.rpartition(" = ")[2].strip().strip('"')
    maven(version)
    pypi(version)
    print(f"{version} is fit for release; nothing was uploaded")


if __name__ == "__main__":
    main()
