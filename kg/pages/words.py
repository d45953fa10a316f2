"""The words of the pages themselves, in the three languages of the interface."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from loader.errors import OntologyError
from loader.saying import LANGUAGES

TAGS: Final = {"en": "en", "ko": "ko", "zh-hant": "zh-Hant", "lzh": "lzh", "zh-latn-pinyin": "zh-Latn-pinyin", "zh-hans": "zh-Hans"}
"""Language tags of our data as HTML has them."""
_FILE: Final = Path(__file__).parent / "words.yaml"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language.

    >>> words("en")("n-clauses", 1), words("en")("n-clauses", 2), words("ko")("n-clauses", 2)
    ('1 clause', '2 clauses', '조목 2개')
    """

    language: str
    by_key: dict[str, str]

    def __call__(self, key: str, n: int | None = None) -> str:
        """The word of a key, with a number where it counts something.

        Raises:
            OntologyError: there is no such word.
        """
        if key not in self.by_key:
            raise OntologyError(f"no word {key!r}", where=_FILE.name)
        text = self.by_key[key]
        if n is None:
            return text
        one, _, many = text.partition("|")
        return (one if n == 1 or not many else many).replace("{n}", f"{n:,}")

    def has(self, key: str) -> bool:
        """Whether there is such a word."""
        return key in self.by_key


@cache
def _every(*files: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for file in files:
        for key, by_language in yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader).items():
            if set(by_language) != set(LANGUAGES):
                raise OntologyError(f"{key!r} is not said in each of {', '.join(LANGUAGES)}", where=file.name)
            if key in found:
                raise OntologyError(f"{key!r} is said twice", where=file.name)
            found[key] = {language: str(text) for language, text in by_language.items()}
    return found


@cache
def words(language: str, *more: Path) -> Words:
    """The words of a language of the interface.

    Args:
        language: the language.
        more: files of words beside those of the pages.

    Raises:
        OntologyError: the pages do not speak it, or a word is missing, or said twice.
    """
    if language not in LANGUAGES:
        raise OntologyError(f"the pages do not speak {language!r}", todo=f"they speak {', '.join(LANGUAGES)}")
    return Words(language, {key: by_language[language] for key, by_language in _every(_FILE, *more).items()})


def said(key: str) -> dict[str, str]:
    """A word in every language, as the title of a page."""
    return {language: words(language)(key) for language in LANGUAGES}
