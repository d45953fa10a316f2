"""A condition as words and names, each name with the symbol or term that it means, ready to be read and linked."""

from collections.abc import Iterator
from dataclasses import dataclass

from loader.clause import Clause
from loader.condition import And, Name, Not, Or, Some, Value, parse
from loader.errors import GuiguError
from loader.expression import Expression, resolve
from loader.names import names


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a condition.

    Attributes:
        text: as it is written.
        kind: `name`, `word` (and, or, not, some, value) or `mark` (a parenthesis).
        iri: what a name means: the symbol whose bearers it gathers, else the term itself.
        spaced: whether a blank stands before it.
    """

    text: str
    kind: str
    iri: str | None = None
    spaced: bool = True


Phrase = tuple[Token, ...]


def phrase(e: Expression) -> Phrase:
    """The pieces of a resolved condition, in their order.

    >>> from loader.condition import parse
    >>> [t.text for t in phrase(resolve(parse("初爻 and (空 or 墓)"), names()))]
    ['初爻', 'and', '(', '空', 'or', '墓', ')']
    """
    tokens: list[Token] = []
    for token in _walk(e):
        glued = not tokens or tokens[-1].text == "(" or token.text == ")"
        tokens.append(Token(token.text, token.kind, token.iri, not glued))
    return tuple(tokens)


def _walk(e: Expression) -> Iterator[Token]:
    match e.tree:
        case Name(text):
            yield Token(text, "name", _meant(e))
        case Not():
            yield Token("not", "word")
            yield from _unit(e.parts[0])
        case Some(prop, _):
            yield Token(prop.text, "name", _meant(e))
            yield Token("some", "word")
            yield from _unit(e.parts[0])
        case Value(prop, target):
            yield Token(prop.text, "name", _meant(e))
            yield Token("value", "word")
            yield Token(target.text, "name", e.value)
        case And() | Or():
            for number, part in enumerate(e.parts):
                if number:
                    yield Token("and" if isinstance(e.tree, And) else "or", "word")
                yield from _unit(part)


def _unit(e: Expression) -> Iterator[Token]:
    if isinstance(e.tree, And | Or):
        yield Token("(", "mark")
        yield from _walk(e)
        yield Token(")", "mark")
    else:
        yield from _walk(e)


def _meant(e: Expression) -> str | None:
    return (e.term.denotes or e.term.iri) if e.term else None


def condition(text: str, tradition: str) -> Phrase:
    """The pieces of a condition as a clause writes it; one that cannot be resolved stands as it is, for a page shows what there is."""
    try:
        return phrase(resolve(parse(text), names(tradition)))
    except GuiguError:
        return (Token(text, "mark", None, False),)


def of(clause: Clause) -> Phrase:
    """The pieces of the condition of a clause; none where it has no condition."""
    return condition(clause.when_text, clause.tradition) if clause.when_text else ()
