"""The condition language: its grammar, and the tree that a text becomes.

Manchester syntax over the names of the vocabulary: `and`, `or`, `not`, `some`, `value`, parentheses, nothing else. `and` and
`or` never meet without parentheses. A name may be quoted with `'...'` where it holds blanks.

>>> parse("初爻 and 官鬼")
And(parts=(Name(text='初爻', column=1), Name(text='官鬼', column=8)))
>>> parse("子孫 and 化 some (官鬼 and (空 or 墓))").parts[1].prop.text
'化'
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import VisitError

from loader.errors import ConditionError

LONGEST: Final = 4000
"""Characters in a condition; the longest of the books has under 400."""
DEEPEST: Final = 40
"""Parentheses within parentheses."""


@dataclass(frozen=True, slots=True)
class Name:
    """A class name, or the name of a property or value inside `Some` and `Value`."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Not:
    """`not part`."""

    part: "Tree"


@dataclass(frozen=True, slots=True)
class Some:
    """`prop some part`: something that the property leads to is in the part."""

    prop: Name
    part: "Tree"


@dataclass(frozen=True, slots=True)
class Value:
    """`prop value target`."""

    prop: Name
    target: Name


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold of one individual."""

    parts: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds."""

    parts: tuple["Tree", ...]


Tree = Name | Not | Some | Value | And | Or

_GRAMMAR: Final = r"""
?start: expr
?expr: unit
     | unit ("and" unit)+ -> conjunction
     | unit ("or" unit)+  -> disjunction
?unit: name               -> klass
     | "not" unit         -> negation
     | name "some" unit   -> some
     | name "value" name  -> value
     | "(" expr ")"
name: WORD | QUOTED
QUOTED: "'" /[^']+/ "'"
WORD.-1: /[^\s()']+/
%import common.WS
%ignore WS
"""


class _Tree(Transformer[Token, Tree]):
    """Turns the parse into our frozen tree."""

    def name(self, items: list[Token]) -> Name:
        token = items[0]
        return Name(str(token).strip("'"), token.column or 0)

    def klass(self, items: list[Name]) -> Tree:
        return items[0]

    def negation(self, items: list[Tree]) -> Tree:
        return Not(items[0])

    def some(self, items: list[Any]) -> Tree:  # lark hands over a list of unlike children
        return Some(items[0], items[1])

    def value(self, items: list[Name]) -> Tree:
        return Value(items[0], items[1])

    def conjunction(self, items: list[Tree]) -> Tree:
        return And(tuple(items))

    def disjunction(self, items: list[Tree]) -> Tree:
        return Or(tuple(items))


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", propagate_positions=False)


def parse(text: str, where: str | None = None) -> Tree:
    """Parse a condition.

    Raises:
        ConditionError: not a condition; the column counts from 1 within `text`.
    """
    if len(text) > LONGEST:
        raise ConditionError(f"a condition of {len(text)} characters", where=where, todo=f"at most {LONGEST} are read")
    depth = 0
    for column, character in enumerate(text, 1):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth > DEEPEST:
            raise ConditionError("parentheses too deep", where=where, column=column, todo=f"at most {DEEPEST}")
    try:
        return _Tree().transform(_parser().parse(text))
    except UnexpectedInput as error:
        column = error.column if error.column and error.column > 0 else len(text)
        token = getattr(error, "token", None)
        # Lark prefixes what it sees with its own token names; the words of the condition are enough.
        seen = f"{str(token)!r}" if token else "the end"
        todo = "'and' and 'or' meet only with parentheses; write NAME, not, some, value, ( )"
        raise ConditionError(f"unexpected {seen} in {text!r}", where=where, column=column, todo=todo) from error
    except VisitError as error:
        raise ConditionError(f"cannot read {text!r}", where=where, todo="write it simpler") from error


@cache
def parsed(text: str) -> Tree:
    """The tree of a condition, kept: clauses are parsed when they are first needed, not when their chapter is read.

    Raises:
        ConditionError: as `parse`.
    """
    return parse(text)


def show(tree: Tree) -> str:
    """The tree as text again, with the fewest parentheses.

    >>> show(parse("(子孫 and (空))"))
    '子孫 and 空'
    """
    match tree:
        case Name(text):
            return f"'{text}'" if " " in text else text
        case Not(part):
            return f"not {_unit(part)}"
        case Some(prop, part):
            return f"{show(prop)} some {_unit(part)}"
        case Value(prop, target):
            return f"{show(prop)} value {show(target)}"
        case And(parts):
            return " and ".join(_unit(p) for p in parts)
        case Or(parts):
            return " or ".join(_unit(p) for p in parts)


def _unit(tree: Tree) -> str:
    return f"({show(tree)})" if isinstance(tree, And | Or) else show(tree)
