"""Small pieces of HTML, escaped: what notebooks show of tables, verdicts and explanations."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from kg.explain import Proof
from kg.pages.rendering import script
from loader.ontology import ontology


def markup(text: str, *values: object) -> Markup:
    """Text escaped; with values a piece of HTML of ours into which they are put, escaped.

    >>> markup("<b>"), markup("<b>{}</b>", "&")
    (Markup('&lt;b&gt;'), Markup('<b>&amp;</b>'))
    """
    return Markup(text).format(*values) if values else escape(text)  # noqa: S704 - the piece is ours, what is put in is escaped


def chinese(text: str) -> Markup:
    """Classical Chinese."""
    return markup('<span lang="lzh">{}</span>', text)


def text(said: str) -> Markup:
    """Text of any language, marked by its script."""
    return markup('<span lang="{}">{}</span>', script(said), said) if said else Markup()


def names(iri: str) -> Markup:
    """A thing by its names in Chinese and English."""
    o = ontology()
    return markup('<span lang="zh-Hant">{}</span> {}', o.label(iri), o.label(iri, "en"))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table; cells that are no markup are escaped."""
    head = Markup().join(markup('<th scope="col">{}</th>', c) for c in columns)
    body = Markup().join(markup("<tr>{}</tr>", Markup().join(markup("<td>{}</td>", cell) for cell in row)) for row in rows)
    return markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body)


def tree(proofs: Iterable[Proof]) -> Markup:
    """Explanations as nested lists: ✓ holds, ✗ does not, ? not known."""
    return markup("<ul>{}</ul>", Markup().join(map(_step, proofs)))


def _step(p: Proof) -> Markup:
    mark = {True: "✓", False: "✗", None: "?"}[p.holds]
    by = markup(" [{}]", p.clause) if p.clause else ""
    why = markup(" — {}", p.reason) if p.reason else ""
    return markup("<li>{} {}: {}{}{}{}</li>", mark, p.individual, p.text, by, why, tree(p.parts) if p.parts else "")
