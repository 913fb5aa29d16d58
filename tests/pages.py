"""The code on a page of the documentation, and how to run it.

A page is run from top to bottom in one namespace, as a reader would type it, with ``/data/`` in a
folder of the test's own:

- a fenced block of ``python`` is executed; a block without a language right after it must be what
  it printed;
- a fenced block of ``sql`` is given to ``spark.sql``, statement by statement, and collected;
- ``<!-- run: ... -->`` is code that readers do not see, such as the files a page reads;
- ``<!-- not run: why -->`` right before a block leaves it out, for a reason that is written there;
- fenced blocks of ``scala`` are compiled and run by sbt: see ``project/ScalaPages.scala``.
"""

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PIECE = re.compile(
    r"<!-- run:\s*\n(?P<hidden>.*?)-->"
    r"|<!-- not run: (?P<why>[^\n]+) -->"
    r"|^```[ ]?(?P<language>[a-z]*)[^\n]*\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Piece:
    line: int
    language: str
    code: str


def pieces(text: str) -> Iterator[Piece]:
    """What is to be run, and what must have been printed (language '')."""
    skipped = False
    for found in _PIECE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["why"] is not None:
            skipped = True
            continue
        if found["hidden"] is not None:
            yield Piece(line, "hidden", found["hidden"])
        elif not skipped and found["language"] in ("", "python", "sql"):
            yield Piece(line, found["language"], found["code"])
        elif found["language"] not in ("", "python", "sql"):
            # Shell, Scala, configuration: what follows is not the output of Python.
            yield Piece(line, "other", "")
        skipped = False


def run(page: Path, namespace: dict[str, Any], data: Path) -> int:
    """Run a page, with ``data`` for its ``/data/``; gives the number of blocks that were run."""
    printed: str | None = None
    count = 0
    text = re.sub(r"""(?<=["'])/data/""", f"{data}/", page.read_text(encoding="utf-8"))
    for piece in pieces(text):
        if piece.language == "":
            if printed is not None:
                assert _tidy(printed) == _tidy(piece.code), f"{page}:{piece.line}: {printed}"
            printed = None
            continue
        printed = None
        if piece.language == "other":
            continue
        count += 1
        if piece.language == "sql":
            for statement in filter(str.strip, piece.code.split(";")):
                namespace["spark"].sql(statement).collect()
            continue
        # The lines of a traceback are those of the page.
        code = compile("\n" * piece.line + piece.code, str(page), "exec")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, namespace)
        # Readers do not see what hidden code prints.
        printed = output.getvalue() if piece.language == "python" else None
    return count


def _tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines() if line.strip()]
