"""The page of errors lists every message that a user may see, and none that there is not."""

import re

import pytest

import error_texts

_PAGE = (error_texts.ROOT / "docs/errors.md").read_text(encoding="utf-8")
ENTRIES = [
    entry
    for row in re.findall(r"^\| (`.*?`) \|", _PAGE, re.MULTILINE)
    for entry in re.findall("`([^`]+)`", row)
]
# Of some, all is filled in.
TEXTS = sorted(
    text for text in {*error_texts.scala(), *error_texts.python()} if re.search("[a-z]", text)
)


def listed(entry: str, text: str) -> bool:
    """Whether ``entry`` stands in ``text``, with anything for `…`."""
    return re.search(".*".join(map(re.escape, entry.split("…"))), text) is not None


def test_the_sources_have_messages() -> None:
    assert len(TEXTS) > 100 and len(ENTRIES) > 50 and len(set(ENTRIES)) == len(ENTRIES)


@pytest.mark.parametrize("text", TEXTS)
def test_a_message_is_listed(text: str) -> None:
    assert any(listed(entry, text) for entry in ENTRIES), "add it to docs/errors.md"


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_is_listed_is_a_message(entry: str) -> None:
    assert any(listed(entry, text) for text in TEXTS), "no source has it"
