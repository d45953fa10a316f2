"""Pages of the questions of the library: what each answers, its parameters and columns, an example, and its SPARQL."""

from dataclasses import dataclass
from functools import partial

import pyoxigraph as ox

from kg.pages.address import listing, path
from kg.pages.page import Page, Plans
from kg.pages.words import said
from kg.parameter import Parameter
from kg.question import THEMES, Question, questions


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter, and the IRIs of its default; empty where that is a text or number."""

    parameter: Parameter
    default: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question with its parameters."""

    question: Question
    parameters: tuple[Given, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionsView:
    """All questions by theme."""

    themes: tuple[tuple[str, tuple[Question, ...]], ...]


def question_pages() -> Plans:
    """The list of questions, and the questions."""
    return {"questions": questions_page} | {path(q.iri): partial(question_page, q) for q in questions().values()}


def questions_page() -> Page:
    """The list of questions."""
    every = questions().values()
    themes = tuple((theme, found) for theme in THEMES if (found := tuple(q for q in every if q.theme == theme)))
    about = tuple(q.iri for q in every)
    return Page(listing("questions"), "questions", "questions.html", said("questions"), QuestionsView(themes), about)


def question_page(q: Question) -> Page:
    """The page of a question."""
    given = tuple(Given(p, tuple(t.value for t in p.terms(p.default) if isinstance(t, ox.NamedNode))) for p in q.parameters)
    columns = tuple(dict.fromkeys(c for row in q.example.rows for c in row))
    about = tuple(f"{q.iri}/{p.name}" for p in q.parameters)
    return Page(q.iri, path(q.iri), "question.html", dict(q.title), QuestionView(q, given, columns), about)
