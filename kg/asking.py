"""What may be asked: topics, the questions that narrow them, the relative or the role meant, by id or by label in any language."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from loader import iris
from loader.chapter import clauses
from loader.clause import ROLE_KINDS
from loader.errors import InputError, UnknownName
from loader.iris import symbol
from loader.kinship import ASKS, SELF, relatives
from loader.ontology import ontology

EXCLUSIVE: Final = (
    (("birth-near", "birth-far"), "the birth cannot be both near and far off"),
    (tuple(ASKS.values()), "one of the two is the elder"),
    (("first-marriage", "remarriage"), "a marriage is the first or it is not"),
    (("first-birth", "second-birth"), "it is one birth"),
    (("first-birth", "third-birth"), "it is one birth"),
    (("second-birth", "third-birth"), "it is one birth"),
    (("inner-kin", "outer-kin"), "a relative is of the own clan or not"),
)
"""Questions that cannot be asked together, each with the reason."""


@cache
def topics(tradition: str = "liuyao") -> tuple[str, ...]:
    """Ids of the topics on which clauses of a tradition are encoded, in the order of the books."""
    return tuple(dict.fromkeys(c.topic for c in clauses().values() if c.tradition == tradition))


def _labelled(found: Iterable[str], kind: str) -> dict[str, str]:
    """Every label of the symbols of a kind, and their keys, to the key; a chief label goes before an alias of another."""
    o = ontology()
    by_name: dict[str, str] = {}
    keys = list(found)
    for key in keys:
        for literal in o.labels(symbol(kind, key)):
            by_name.setdefault(literal.text, key)
    for key in keys:
        for language in ("zh-hant", "ko", "en"):
            by_name[o.label(symbol(kind, key), language)] = key
    return by_name | {key: key for key in keys}


@cache
def _topic_names(tradition: str) -> Mapping[str, str]:
    return _labelled(topics(tradition), "topic")


@cache
def _question_names() -> Mapping[str, str]:
    return _labelled((iris.key(q) for q in ontology().of_type("Question")), "question")


@cache
def _relative_names() -> Mapping[str, str]:
    return _labelled([iris.key(r) for r in relatives() if r != SELF], "relative")


@cache
def _role_names(topic: str) -> Mapping[str, str]:
    by_name: dict[str, str] = {}
    for key in roles_of(topic):
        kind = next(k for k in ROLE_KINDS if ontology().keyed(key, k))
        by_name |= _labelled([key], kind)
    return by_name


def check_topics(given: Iterable[str], tradition: str = "liuyao") -> tuple[str, ...]:
    """Topic ids from ids or labels in any language; `all` means every topic.

    Raises:
        UnknownName: no such topic, with near matches.
        InputError: none was given.
    """
    by_name = _topic_names(tradition)
    found: list[str] = []
    for name in given:
        if name == "all":
            found += topics(tradition)
        elif name in by_name:
            found.append(by_name[name])
        else:
            raise UnknownName(name, "topic", by_name, where="--topic", todo=f"There are: {', '.join(topics(tradition))}")
    if not found:
        raise InputError("no topic", where="--topic", todo=f"ask about one of: {', '.join(topics(tradition))}")
    return tuple(dict.fromkeys(found))


def check_questions(given: Iterable[str]) -> tuple[str, ...]:
    """Keys of questions that narrow the topic, from keys or labels.

    Raises:
        UnknownName: no such question, with near matches.
        InputError: two that exclude each other.
    """
    by_name = _question_names()
    found = []
    for name in given:
        if name not in by_name:
            keys = sorted(set(by_name.values()))
            raise UnknownName(name, "question", by_name, where="--ask", todo=f"There are: {', '.join(keys)}")
        found.append(by_name[name])
    for pair, why in EXCLUSIVE:
        if set(pair) <= set(found):
            raise InputError(why, where="--ask", todo=f"give one of {', '.join(pair)}")
    return tuple(dict.fromkeys(found))


def check_relative(name: str | None) -> str | None:
    """Key of a relative from its key or a label: `father`, `父`, `부`.

    Raises:
        UnknownName: no such relative, with near matches.
    """
    if name is None:
        return None
    by_name = _relative_names()
    if name not in by_name:
        raise UnknownName(name, "relative", by_name, where="--relative", todo="see 'guigu kinship --world 木' for all of them")
    return by_name[name]


def check_role(name: str | None, asked: Iterable[str]) -> str | None:
    """Key of a role that a line has in one of the topics asked about, from its key or a label.

    Raises:
        UnknownName: no line of those topics has that role; the message lists those there are.
    """
    if name is None:
        return None
    by_name: dict[str, str] = {}
    for topic in asked:
        by_name |= _role_names(topic)
    if name not in by_name:
        keys = sorted(set(by_name.values()))
        raise UnknownName(name, "role", by_name, where="--role", todo=f"There are: {', '.join(keys)}" if keys else "the topics asked assign no roles")
    return by_name[name]


@cache
def roles_of(topic: str) -> dict[str, tuple[str, ...]]:
    """Roles that the lines have in a topic (分宮), each with the ids of the clauses that assign it."""
    found: dict[str, tuple[str, ...]] = {}
    for c in clauses().values():
        if c.topic == topic and c.kind == "line-assignment":
            for key in c.signifies:
                found[key] = (*found.get(key, ()), c.id)
    return found


def check_element(name: str | None) -> tuple[str, ...]:
    """IRIs of elements: the one of that name, or all five in the order of generation.

    Raises:
        UnknownName: no such element.
    """
    every = ontology().of_type("Element")
    if name is None:
        return tuple(every)
    by_name = _labelled((iris.key(e) for e in every), "element")
    if name not in by_name:
        raise UnknownName(name, "element", by_name, where="--world", todo=f"There are: {', '.join(ontology().label(e) for e in every)}")
    return (symbol("element", by_name[name]),)
