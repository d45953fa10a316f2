"""What is said of a cast, in each language of the interface: why a fact holds, who is spoken of, how a count goes.

The sentences lie in `sayings.yaml`. Symbols that stand in them keep the name that the books give them, in every language.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

import yaml

from loader.errors import OntologyError

LANGUAGES: Final = ("en", "ko", "zh-hant")
"""Languages of the interface, in which every sentence is said; the first is that of what says none."""
_FILE: Final = Path(__file__).parent / "sayings.yaml"
_DIGITS: Final = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, or a part of one, in each language.

    >>> str(say("it-is", value="午")), say("it-is", value="午").text("zh-hant")
    ('it is 午', '即午')
    """

    en: str
    ko: str
    zh_hant: str

    def text(self, language: str) -> str:
        """The sentence in a language, one of `LANGUAGES`."""
        return {"en": self.en, "ko": self.ko, "zh-hant": self.zh_hant}[language]

    def __str__(self) -> str:
        return self.en


Value = str | int | Said
"""What stands in a sentence: a symbol by its name, a number, or what is itself said in each language."""


def said(value: Value) -> Said:
    """A value in each language: a number in Chinese by its numeral, a symbol by the same name everywhere.

    >>> said(12).text("zh-hant"), said("午").text("ko")
    ('十二', '午')
    """
    if isinstance(value, Said):
        return value
    return Said(value, value, value) if isinstance(value, str) else Said(str(value), str(value), _numeral(value))


def say(key: str, **fields: Value) -> Said:
    """The sentence of a key with its fields filled.

    >>> say("line", place=place(3), branch="申", kin="兄弟").text("ko")
    '3효 申 兄弟'

    Raises:
        OntologyError: there is no such sentence.
    """
    templates = _catalogue().get(key)
    if templates is None:
        raise OntologyError(f"no sentence {key!r}", where=_FILE.name)
    filled = {name: said(value) for name, value in fields.items()}
    return Said(*(templates[x].format_map({name: value.text(x) for name, value in filled.items()}) for x in LANGUAGES))


def has(key: str) -> bool:
    """Whether there is such a sentence."""
    return key in _catalogue()


def fields_of(key: str, language: str = "en") -> frozenset[str]:
    """The names of the fields of a sentence.

    >>> sorted(fields_of("line"))
    ['branch', 'kin', 'place']
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(_catalogue()[key][language]) if name)


def keys() -> tuple[str, ...]:
    """The keys of every sentence."""
    return tuple(_catalogue())


def joined(parts: Iterable[Value], between: Value) -> Said:
    """Parts one after another, with something between.

    >>> joined(["子", "丑"], say("listed")).text("zh-hant")
    '子、丑'
    """
    each, middle = [said(p) for p in parts], said(between)
    return Said(*(middle.text(x).join(p.text(x) for p in each) for x in LANGUAGES))


def place(position: int) -> Said:
    """The place of a line; in Chinese the lowest is 初."""
    return Said(str(position), str(position), "初" if position == 1 else _numeral(position))


def _numeral(n: int) -> str:
    if not 0 <= n < 100:
        return str(n)
    tens, ones = divmod(n, 10)
    return _DIGITS[n] if not tens else f"{_DIGITS[tens] if tens > 1 else ''}十{_DIGITS[ones] if ones else ''}"


@cache
def _catalogue() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = yaml.load(_FILE.read_text("utf-8"), Loader=yaml.CSafeLoader)
    for key, templates in found.items():
        if tuple(templates) != LANGUAGES:
            raise OntologyError(f"{key!r} is not said in {', '.join(LANGUAGES)}", where=_FILE.name)
    return found
