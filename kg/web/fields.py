"""The fields of the form of a question: one for each parameter, with what may be written there in the language of the interface."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from kg.pages import naming
from kg.parameter import Parameter, known
from kg.question import Question
from loader import iris
from loader.chapter import chapters

_LONGEST_SELECT: Final = 40
"""Choices of a field that is a list to choose from; where there are more, they are suggestions as one writes."""
_LONGEST_LIST: Final = 600
"""Suggestions of a field; where there would be more, as of clauses, there are none: a page of them helps nobody."""
_WRITTEN: Final = frozenset({"text", "search", "integer", "clause"})
"""Types of parameters that are written, not chosen."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be given: what is sent, how it is called here, and its other names."""

    value: str
    name: str
    others: str


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter with the values that are given.

    Attributes:
        parameter: what is asked.
        kind: `select`, `list` (suggestions), `search`, `number` or `text`.
        values: one for each input that the form shows; at least one.
        choices: what may be given; for `text`, `search` and `number` nothing.
        given: whether a value was given, and not the default taken.
    """

    parameter: Parameter
    kind: str
    values: tuple[str, ...]
    choices: tuple[Choice, ...]
    given: bool


def fields(question: Question, given: dict[str, list[str]], more: str, language: str) -> tuple[Field, ...]:
    """The fields of a question.

    Args:
        question: the question.
        given: parameter to the values that were given.
        more: name of a parameter that wants one more empty input, or anything else.
        language: language of the interface.
    """
    return tuple(_field(p, given.get(p.name, []), p.name == more, language) for p in question.parameters)


def _field(p: Parameter, given: list[str], more: bool, language: str) -> Field:
    values = [*(given or [p.default]), *([""] if more else [])]
    if p.allowed:
        return Field(p, "select", tuple(values), tuple(Choice(a, a, "") for a in p.allowed), bool(given))
    if p.type in _WRITTEN:
        kind = {"search": "search", "integer": "number"}.get(p.type, "text")
        return Field(p, kind, tuple(values), (), bool(given))
    choices = _choices(p.type, language)
    if len(choices) > _LONGEST_SELECT:
        return Field(p, "list", tuple(values), choices if len(choices) <= _LONGEST_LIST else (), bool(given))
    chosen = [_chosen(p.type, value, choices) for value in values]
    if None in chosen:  # a name that several share, or that is unknown: it stays as it was written
        return Field(p, "list", tuple(values), choices, bool(given))
    return Field(p, "select", tuple(value or "" for value in chosen), choices, bool(given))


def _chosen(kind: str, value: str, choices: tuple[Choice, ...]) -> str | None:
    """The choice that a value means: empty for nothing, None where none of them means just that."""
    if not value:
        return ""
    meant = known(kind).get(value.strip())
    return next((c.value for c in choices if known(kind)[c.value] == meant), None)


@cache
def _choices(kind: str, language: str) -> tuple[Choice, ...]:
    """What may be given for a type, once for each thing, in the order of the ontology; names that several share stand once, for all of them."""
    if kind == "passage":
        return tuple(Choice(p.place, p.place, naming.label(c.iri, language)) for c in chapters() for p in c.passages)
    names = known(kind)
    found: dict[str, Choice] = {}
    for iri in dict.fromkeys(iri for meant in names.values() for iri in meant):
        labels = dict(naming.labels(iri))
        own = naming.label(iri, language)
        value = next((n for n in (own, *labels.values(), iris.key(iri), iri) if iri in names.get(n, ())), iri)
        found.setdefault(value, Choice(value, own, " · ".join(text for text in labels.values() if text != own)))
    return tuple(found.values())
