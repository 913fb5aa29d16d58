"""Docstrings name things as Sphinx does, :func:`like this`; the site shows the name alone."""

import re

_ROLE = re.compile(r":(?:func|class|meth|mod):(?=<code)")


def on_page_content(html: str, **_: object) -> str:
    """Called by MkDocs with each page."""
    return _ROLE.sub("", html)
