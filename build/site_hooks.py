"""What MkDocs makes of a page of the site, beside what the page holds."""

import re
from pathlib import Path
from typing import Any

from pyspark_bic._methods import METHODS

_ROLE = re.compile(r":(?:func|class|meth|mod):(?=<code)")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The line `::: questions` stands for the reference of every question."""
    questions = "\n".join(f"::: pyspark_bic.{function.__name__}" for function in METHODS.values())
    return markdown.replace("\n::: questions\n", f"\n{questions}\n")


def on_page_content(html: str, **_: object) -> str:
    """Docstrings name things as Sphinx does, :func:`like this`; the site shows the name alone."""
    return _ROLE.sub("", html)


def on_config(config: Any, **_: object) -> Any:
    """A how-to that `nav` does not name stands at the end of `Ask`, under its own title."""
    named = str(config["nav"])
    pages = sorted(Path(config["docs_dir"]).glob("how-to/*.md"))
    ask = next(section["Ask"] for section in config["nav"] if "Ask" in section)
    ask += [f"how-to/{page.name}" for page in pages if f"how-to/{page.name}" not in named]
    return config
