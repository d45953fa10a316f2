"""Variant characters: one form for 沖 and 冲, 婦 and 妇, 值 and 直, so that a search finds a word however it is written."""

import csv
import unicodedata
from functools import cache

from loader.data import folder


@cache
def _forms() -> dict[int, str]:
    """Code point of a variant to the character for which it stands, from `ontology/variants.tsv`."""
    lines = (folder("ontology") / "variants.tsv").read_text("utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {ord(row["variant"]): row["folded"] for row in rows}


def fold(text: str) -> str:
    """A text as searches compare it: NFC, small letters, one form of every character.

    One character stays one character, so that a place in the folded text is the same place in the text.

    >>> fold("六冲"), fold("产妇"), fold("騰蛇"), fold("直符") == fold("值符")
    ('六沖', '產婦', '螣蛇', True)
    >>> fold("干") == fold("乾"), fold("丑") == fold("醜"), fold("己") == fold("已")
    (False, False, False)
    """
    small = "".join(low if len(low := c.lower()) == 1 else c for c in unicodedata.normalize("NFC", text))
    return small.translate(_forms())
