"""Where a clause stands in its passage, as Web Annotations: by the words (quote selector) and by offsets (position selector).

Offsets count code points of the NFC text, from 0, the end exclusive, as the standard has them.
"""

from collections.abc import Iterator
from typing import Final

from loader import iris
from loader.clause import Chapter, Clause, Span
from loader.ontology import Literal, Node

_CONTEXT: Final = 12
"""Characters before and after the quote that a selector carries, so that it is found again in another edition."""
_INTEGER: Final = iris.XSD + "nonNegativeInteger"

Statement = tuple[str, str, Node]
"""Subject, predicate, and an IRI or literal."""


def anchors(chapters: Iterator[Chapter] | tuple[Chapter, ...]) -> Iterator[Statement]:
    """The texts of the passages as sources, and an annotation for every clause of the chapters.

    The body of an annotation is the clause, its targets are a run of the classical text and one of the Korean translation.
    """
    for chapter in chapters:
        for passage in chapter.passages:
            for language in ("lzh", "ko"):
                source = _source(passage.iri, language)
                yield source, iris.TYPE, iris.ns("PassageText")
                yield source, iris.DCTERMS + "isPartOf", passage.iri
                yield source, iris.DCTERMS + "language", Literal(language, None, iris.XSD + "language")
                yield source, iris.DCTERMS + "conformsTo", "http://www.w3.org/TR/annotation-model/"
        for clause in chapter.clauses():
            yield from _annotation(clause)


def _source(passage: str, language: str) -> str:
    return f"{passage}/{language}"


def _annotation(c: Clause) -> Iterator[Statement]:
    me = f"{c.iri}/anchor"
    yield me, iris.TYPE, iris.OA + "Annotation"
    yield me, iris.OA + "hasBody", c.iri
    yield me, iris.OA + "motivatedBy", iris.OA + "identifying"
    for language, text, span in (("lzh", c.passage.lzh, c.span), ("ko", c.passage.ko, c.ko_span)):
        target = f"{me}/{language}"
        yield me, iris.OA + "hasTarget", target
        yield target, iris.TYPE, iris.OA + "SpecificResource"
        yield target, iris.OA + "hasSource", _source(c.passage.iri, language)
        yield from _selectors(target, text, span, language)


def _selectors(target: str, text: str, span: Span, language: str) -> Iterator[Statement]:
    quote, position = f"{target}/quote", f"{target}/position"
    yield target, iris.OA + "hasSelector", quote
    yield quote, iris.TYPE, iris.OA + "TextQuoteSelector"
    yield quote, iris.OA + "exact", Literal(text[span.start : span.end], language, iris.RDF + "langString")
    yield quote, iris.OA + "prefix", Literal(text[max(0, span.start - _CONTEXT) : span.start], language, iris.RDF + "langString")
    yield quote, iris.OA + "suffix", Literal(text[span.end : span.end + _CONTEXT], language, iris.RDF + "langString")
    yield target, iris.OA + "hasSelector", position
    yield position, iris.TYPE, iris.OA + "TextPositionSelector"
    yield position, iris.OA + "start", Literal(str(span.start), None, _INTEGER)
    yield position, iris.OA + "end", Literal(str(span.end), None, _INTEGER)
