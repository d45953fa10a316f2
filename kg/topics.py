"""What can be asked: the topics with the passages that answer, and the conventions with their options."""

from typing import Any

from kg.render import pad
from loader import iris
from loader.chapter import chapters
from loader.iris import symbol
from loader.ontology import ontology
from loader.tables import conventions


def topic_list() -> tuple[list[dict[str, Any]], str]:
    """The topics as data and as text, a narrower one under its parent."""
    o = ontology()
    passages: dict[str, list[str]] = {}
    count: dict[str, int] = {}
    for chapter in chapters():
        for passage in chapter.passages:
            passages.setdefault(passage.topic, []).append(f"{chapter.name} ¶{passage.number}")
            count[passage.topic] = count.get(passage.topic, 0) + len(passage.clauses)
    data, lines = [], []
    for topic, where in passages.items():
        iri = symbol("topic", topic)
        parent = next((iris.key(b) for b in o.iris(iri, iris.SKOS + "broader")), None)
        labels = {language: o.label(iri, language) for language in ("zh-hant", "ko", "en")}
        data.append({"topic": topic, "parent": parent, "labels": labels, "passages": where, "clauses": count[topic]})
        indent = "  " if parent else ""
        span = where[0] if len(where) == 1 else f"{where[0]} to {where[-1]}"
        lines.append(
            f"{indent}{pad(topic, 22 - len(indent))}{pad(labels['zh-hant'], 8)}{pad(labels['ko'], 10)}{pad(labels['en'], 30)}{span} ({count[topic]} clauses)"
        )
    return data, "\n".join(lines)


def convention_list() -> tuple[list[dict[str, Any]], str]:
    """The conventions as data and as text, the default marked."""
    data, lines = [], []
    for name, options in conventions().items():
        data.append({"convention": name, "options": [{"key": o.key, "default": o.is_default, "definition": o.definition} for o in options]})
        lines.append(name)
        lines.extend(f"  {'*' if o.is_default else ' '} {pad(o.key, 18)} {o.definition}" for o in options)
    return data, "\n".join(lines)
