"""How the pages call things: labels in three languages, definitions, and the line that a reader sees who points at a name."""

import re
from functools import cache
from typing import Final

from kg.pages.address import LISTS, listing
from kg.pages.words import said
from kg.question import questions
from loader import iris
from loader.chapter import chapters, clauses
from loader.iris import ns
from loader.ontology import Literal, ontology
from loader.saying import LANGUAGES

ORDER: Final = ("zh-hant", "ko", "en")
"""Languages in the order in which the labels of a thing stand."""
_NAMED: Final = re.compile(r"\b\d{3} ¶\d+|\b(?:yy|qm)-[a-z]+-\d{3}[a-z]?\b")
_DEFINING: Final = (iris.SKOS + "definition", iris.DCTERMS + "description", iris.RDFS + "comment")


@cache
def _titles() -> dict[str, dict[str, str]]:
    """Titles of what the ontology does not label: chapters, questions, lists."""
    found = {chapter.iri: dict(chapter.title) for chapter in chapters()}
    found |= {q.iri: dict(q.title) for q in questions().values()}
    return found | {listing(name): said(name) for name in LISTS if name != "index"}


@cache
def label(iri: str, language: str) -> str:
    """The label of a thing in a language, else in Chinese, else the key of its IRI.

    >>> label(iris.symbol("branch", "wu"), "ko"), label(iris.clause("yy-taichan-013"), "en")
    ('오', 'yy-taichan-013')
    """
    if title := _titles().get(iri):
        return title[language]
    o = ontology()
    if (key := o.text(iri, ns("optionKey"))) is not None:
        return key
    if iri == iris.NS:
        return next(t.text for t in o.objects(iri, iris.DCTERMS + "title") if isinstance(t, Literal) and t.language == language)
    found = o.label(iri, language)
    return (found if found != iris.key(iri) else local(iri)) or iri


def local(iri: str) -> str:
    """The last step of an IRI, after a slash or a hash.

    >>> local(iris.SKOS + "broader")
    'broader'
    """
    return iris.key(iri).rpartition("#")[2]


@cache
def labels(iri: str) -> tuple[tuple[str, str], ...]:
    """The labels of a thing, each with its language, in the order Chinese, Korean, English; one where it has one name for all."""
    found = [(language, label(iri, language)) for language in ORDER]
    return tuple(found) if len({text for _, text in found}) > 1 else ()


def titles(iri: str) -> dict[str, str]:
    """The labels of a thing by language, as the title of its page: its own language first, then Chinese."""
    chinese = label(iri, "zh-hant")
    return {language: own if (own := label(iri, language)) == chinese else f"{own} · {chinese}" for language in LANGUAGES}


@cache
def definition(iri: str) -> str:
    """The definition of a thing, in English; empty where it has none."""
    o = ontology()
    return next((text for p in _DEFINING if (text := o.text(iri, p))), "")


@cache
def tooltip(iri: str) -> str:
    """All labels and the definition in a line."""
    names = " · ".join(text for _, text in labels(iri)) or label(iri, "en")
    said_of_it = definition(iri) or next((definition(d) for d in ontology().iris(iri, ns("denotes"))), "")
    return f"{names}: {said_of_it}" if said_of_it else names


@cache
def _places() -> dict[str, str]:
    """Passages and clauses by the words with which prose names them."""
    found = {p.place: p.iri for chapter in chapters() for p in chapter.passages}
    return found | {c.id: c.iri for c in clauses().values()}


def pieces(text: str) -> tuple[tuple[str, str | None], ...]:
    """Prose in pieces, those that name a passage or clause with its IRI.

    >>> pieces("as in 000 ¶5")
    (('as in ', None), ('000 ¶5', 'https://w3id.org/guigu/text/yiyin/taichan/5'))
    """
    found: list[tuple[str, str | None]] = []
    at = 0
    for match in _NAMED.finditer(text):
        iri = _places().get(match[0])
        if iri:
            found += [(text[at : match.start()], None), (match[0], iri)]
            at = match.end()
    return tuple(piece for piece in (*found, (text[at:], None)) if piece[0])
