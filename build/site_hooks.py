"""What MkDocs makes of a page of the site, beside what the page holds."""

import re
from pathlib import Path
from typing import Any

import griffe

from pyspark_bic._docs import filled
from pyspark_bic._methods import METHODS

_ROLE = re.compile(r":(?:func|class|meth|mod):(?=<code)")


def on_page_markdown(markdown: str, config: Any, **_: object) -> str:
    """`::: questions` stands for the reference of every question, `::: introduction` for README."""
    questions = "\n".join(f"::: pyspark_bic.{function.__name__}" for function in METHODS.values())
    markdown = markdown.replace("\n::: questions\n", f"\n{questions}\n")
    if "\n::: introduction\n" not in markdown:
        return markdown
    readme = (Path(config["docs_dir"]).parent / "README.md").read_text(encoding="utf-8")
    # Without its title, which is that of the page; links to the site are relative to docs/.
    text = readme.partition("\n")[2].replace("](docs/", "](")
    others = rf"]({config['repo_url']}/blob/main/\1)"
    text = re.sub(r"\]\((LICENSE|CONTRIBUTING\.md|CHANGELOG\.md)\)", others, text)
    return markdown.replace("\n::: introduction\n", text)


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


class Docstrings(griffe.Extension):
    """The reference reads docstrings in their source, without the texts that several share."""

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        if func.docstring is not None:
            func.docstring.value = filled(func.docstring.value)
