"""What can be asked: the tree of topics with the passages that answer, their narrower questions and roles; and the conventions."""

from collections.abc import Iterator
from typing import Any

from kg.asking import roles_of
from kg.text import pad
from loader import iris, qimen_facts
from loader.chapter import chapters, clauses
from loader.clause import ROLE_KINDS, Clause
from loader.condition import And, Name, Not, Or, Some, Tree, Value
from loader.facts import QUESTION_CLASS
from loader.iris import ns, symbol
from loader.names import Names, names
from loader.ontology import ontology
from loader.tables import conventions


def topic_list() -> tuple[list[dict[str, Any]], str]:
    """The topics as data and as text, a narrower one under its parent, with what narrows it."""
    o = ontology()
    passages: dict[str, list[str]] = {}
    for chapter in chapters():
        for passage in chapter.passages:
            passages.setdefault(passage.topic, []).append(passage.place)
    by_topic: dict[str, list[Clause]] = {}
    for clause in clauses().values():
        by_topic.setdefault(clause.topic, []).append(clause)
    data, lines = [], []
    for topic in _tree(list(passages)):
        mine, where, iri = by_topic.get(topic, []), passages[topic], symbol("topic", topic)
        parent = next((iris.key(b) for b in o.iris(iri, iris.SKOS + "broader")), None)
        asks, roles = questions_of(topic), roles_of(topic)
        labels = _labels(iri)
        data.append(
            {
                "topic": topic,
                "parent": parent,
                "labels": labels,
                "passages": where,
                "clauses": len(mine),
                "asks": [{"ask": q, "labels": _labels(symbol("question", q)), "passages": found} for q, found in asks.items()],
                "roles": [{"role": r, "labels": _labels(_role(r)), "clauses": list(by)} for r, by in roles.items()],
            }
        )
        indent = "  " if parent else ""
        span = ", ".join(_spans(where))
        lines.append(
            f"{indent}{pad(topic, 22 - len(indent))}{pad(labels['zh-hant'], 8)}{pad(labels['ko'], 14)}{pad(labels['en'], 46)}{span} ({len(mine)} clauses)"
        )
        lines += [f"{indent}    --ask {pad(q, 22)} {_short(symbol('question', q))}  {', '.join(found)}" for q, found in asks.items()]
        lines += [f"{indent}    --role {pad(r, 21)} {_short(_role(r))}  {', '.join(by)}" for r, by in roles.items()]
    return data, "\n".join(lines)


def _spans(where: list[str]) -> Iterator[str]:
    """From where to where the passages of each document go."""
    by_document: dict[str, list[str]] = {}
    for passage in where:
        by_document.setdefault(passage.split()[0], []).append(passage)
    for found in by_document.values():
        yield found[0] if len(found) == 1 else f"{found[0]} to {found[-1].split()[1]}"


def _tree(found: list[str]) -> list[str]:
    """Topics in the order of the books, each narrower one after its parent."""
    o = ontology()
    parents = {t: next((iris.key(b) for b in o.iris(symbol("topic", t), iris.SKOS + "broader")), None) for t in found}
    roots = [t for t in found if parents[t] not in found]
    return [t for root in roots for t in (root, *(c for c in found if parents[c] == root))]


def _labels(iri: str) -> dict[str, str]:
    return {language: ontology().label(iri, language) for language in ("zh-hant", "ko", "en")}


def _short(iri: str) -> str:
    return " · ".join(_labels(iri).values())


def _role(key: str) -> str:
    return ontology().keyed(key, *ROLE_KINDS) or symbol("role", key)


def questions_of(topic: str) -> dict[str, list[str]]:
    """Keys of the questions on which conditions of a topic hang, with the passages of those clauses."""
    asks = {ns(c): q for q, c in (QUESTION_CLASS | qimen_facts.QUESTION_CLASS).items()}
    prop = names().term("問", prop=True)
    result: dict[str, list[str]] = {}

    def walk(tree: Tree, where: str, known: Names) -> None:
        key = None
        match tree:
            case Value(p, target) if p.text == prop.label:
                key = iris.key(known.value(prop, target.text))
            case Name(text):
                key = asks.get(known.term(text, prop=False).iri)
            case Some(_, part) | Not(part):
                walk(part, where, known)
            case And(parts) | Or(parts):
                for part in parts:
                    walk(part, where, known)
        if key and where not in result.setdefault(key, []):
            result[key].append(where)

    for clause in clauses().values():
        if clause.topic == topic and clause.when is not None:
            walk(clause.when, clause.passage.place, names(clause.tradition))
    return result


def convention_list() -> tuple[list[dict[str, Any]], str]:
    """The conventions as data and as text, the default marked."""
    data, lines = [], []
    for name, options in conventions().items():
        data.append({"convention": name, "options": [{"key": o.key, "default": o.is_default, "definition": o.definition} for o in options]})
        lines.append(name)
        lines.extend(f"  {'*' if o.is_default else ' '} {pad(o.key, 18)} {o.definition}" for o in options)
    return data, "\n".join(lines)
