"""The code on a page of the documentation, and how to run it.

A page is run as a reader would run it: its blocks, from top to bottom, in a Python that has nothing
but the wheel, in an empty folder.

- A fenced block of ``python`` is executed. A block without a language right after it must be what
  it printed.
- A fenced block of ``sql`` is given to the session, statement by statement, as to ``spark-sql``.
- A fenced block of ``csv`` is written into the file that its title names, as a reader would save
  it.
- ``<!-- check: ... -->`` holds assertions that readers do not see. It may hold nothing else, since
  code that readers do not see prepares nothing.
- ``<!-- not run: why -->`` right before a block leaves it out, for a reason that is written there.
- Fenced blocks of ``scala`` are compiled and run by sbt: see ``project/ScalaPages.scala``.
"""

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

_PIECE = re.compile(
    r"<!-- check:\s*\n(?P<check>.*?)-->"
    r"|<!-- not run: (?P<why>[^\n]+) -->"
    r'|^```[ ]?(?P<language>[a-z]*)(?: title="(?P<file>[^"]+)")?[^\n]*\n(?P<code>.*?)^```$',
    re.DOTALL | re.MULTILINE,
)
_HIDDEN = re.compile(r"<!-- (?!check:|check scala:|not run: )")


@dataclass(frozen=True)
class Piece:
    line: int
    language: str
    code: str
    file: str = ""


def pieces(text: str) -> Iterator[Piece]:
    """What is to be run, and what must have been printed (language '')."""
    skipped = False
    for found in _PIECE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["why"] is not None:
            skipped = True
            continue
        language = found["language"]
        if found["check"] is not None:
            yield Piece(line, "check", found["check"])
        elif not skipped and (language in ("", "python", "sql") or found["file"]):
            yield Piece(line, language, found["code"], found["file"] or "")
        else:
            # What follows code that is not run is not the output of Python.
            yield Piece(line, "other", "")
        skipped = False


def run(page: Path, folder: Path) -> dict[str, Any]:
    """Run a page in an empty ``folder``, where this process is; gives the names that it leaves."""
    text = page.read_text(encoding="utf-8")
    stray = _HIDDEN.search(text)
    assert stray is None, f"{page} hides something: {text[stray.start() :][:60]}"
    names: dict[str, Any] = {"__name__": "page"}
    printed: str | None = None
    for piece in pieces(text):
        # The lines of a traceback are those of the page.
        code = "\n" * piece.line + piece.code
        before, printed = printed, None
        if piece.language == "":
            if before is not None:
                assert _tidy(before) == _tidy(piece.code), f"{page}:{piece.line}: {before}"
        elif piece.language == "check":
            checks = ast.parse(code, str(page)).body
            assert all(isinstance(each, ast.Assert) for each in checks), f"{page}:{piece.line}"
            exec(compile(code, str(page), "exec"), names)
        elif piece.language == "sql":
            for statement in filter(str.strip, piece.code.split(";")):
                SparkSession.active().sql(statement).collect()
        elif piece.language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(code, str(page), "exec"), names)
            printed = output.getvalue()
        elif piece.file:
            path = folder / piece.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(piece.code, encoding="utf-8")
    return names


@contextlib.contextmanager
def inside(spark: SparkSession, folder: Path) -> Iterator[None]:
    """Relative paths of the JVM, which was started elsewhere, are in ``folder``."""
    hadoop: Any = spark.sparkContext._jvm.org.apache.hadoop.fs  # type: ignore[union-attr]
    local = hadoop.FileSystem.getLocal(spark.sparkContext._jsc.hadoopConfiguration())
    before = local.getWorkingDirectory()
    local.setWorkingDirectory(hadoop.Path(str(folder)))
    try:
        yield
    finally:
        local.setWorkingDirectory(before)


def _tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines() if line.strip()]
