"""The texts of the errors that users may see, read from the sources; what is filled in is `…`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Calls that make an error for users, and texts that such calls are given by a name.
_SCALA = re.compile(
    r"(?:\binvalid|(?:throw|function\.) ?wrong|\bUnreadableStateException|Remedy = )\("
    r"|(?:val empty|def withNull\(.*\)|OtherQuery|FIX) *(?::[^=]*)?= *"
)
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FILLED = re.compile(r"\$\{[^}]*\}|\$\w+")


def scala() -> Iterator[str]:
    for path in sorted((ROOT / "src/main").rglob("*.scala")):
        text = path.read_text(encoding="utf-8")
        for found in _SCALA.finditer(text):
            parts = _LITERAL.findall(_call(text, found.end()))
            if parts:
                yield _tidy(_FILLED.sub("…", "".join(parts)))


def python() -> Iterator[str]:
    for path in sorted((ROOT / "python/pyspark_bic").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                given = [*node.exc.args, *(each.value for each in node.exc.keywords)]
                texts = [_text(each) for each in given]
                if texts and (text := _tidy("".join(texts))).strip("… "):
                    yield text


def _call(text: str, start: int) -> str:
    """The arguments of a call whose parenthesis has just been opened."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return text[start:]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(each) for each in node.values)
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "wrong":
        return f"… must be {_text(node.args[1])}, not …"
    return "…"


def _tidy(text: str) -> str:
    return re.sub("…+", "…", text.replace('\\"', '"'))
