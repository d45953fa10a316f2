"""The faults that guigu reports, each with a stable code, a place and a remedy.

Every fault is a :class:`GuiguError`, so that a front end needs one handler: it shows ``str(fault)`` to a person and
``fault.code`` to a program. Codes stay as they are once published; sentences may be reworded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from difflib import get_close_matches
from typing import ClassVar, Self, TypeVar

_SHOWN = 40  # Longest piece of foreign text that a sentence quotes: more would bury the message.

_Fault = TypeVar("_Fault", bound="GuiguError")


def quoted(text: str) -> str:
    r"""Quote foreign text for a sentence: control characters escaped, long text cut.

    >>> print(quoted("地天太"), quoted("a\\nb"))
    '地天太' 'a\\nb'
    >>> quoted("x" * 100) == "'" + "x" * 39 + "…'"
    True
    """
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def listed(items: Iterable[str], last: str = "or") -> str:
    """Join items as a person would say them.

    >>> listed(["甲子", "乙丑"]), listed(["a", "b", "c"], last="and"), listed(["a"])
    ('甲子 or 乙丑', 'a, b and c', 'a')
    """
    *head, tail = items
    return f"{', '.join(head)} {last} {tail}" if head else tail


def near_matches(name: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Find the known names nearest to a mistyped one, best first, whatever their case.

    >>> near_matches("asia/seul", ["Asia/Seoul", "Europe/Paris"])
    ('Asia/Seoul',)
    >>> near_matches("地天秦", ["地天泰", "天地否"])[0]
    '地天泰'
    """
    folded: dict[str, str] = {}
    for label in known:
        folded.setdefault(label.casefold(), label)
    # Names of two or three characters are common here: one wrong in two must still be near, hence 0.5.
    return tuple(folded[key] for key in get_close_matches(name.casefold(), folded, n=limit, cutoff=0.5))


def _rebuilt(cls: type[_Fault], args: tuple[object, ...], state: dict[str, object]) -> _Fault:
    fault = cls.__new__(cls, *args)
    fault.__dict__.update(state)
    return fault


class GuiguError(Exception):
    """A fault with what happened, where, and what to do about it.

    The attributes are read-only; an exception cannot be a frozen dataclass, since raising it sets its traceback.

    Args:
        what: What happened, as a clause without a final stop.
        where: The place: a file position, a node, the name of an input.
        todo: What to do about it, as a sentence; the final stop may be left out.
        code: A stable code more exact than the one of the class.

    >>> fault = GuiguError("the table has no row for 甲", where="tables.ttl", todo="Add the row")
    >>> print(fault.code, "-", fault)
    GUIGU - tables.ttl: the table has no row for 甲. Add the row.
    """

    family: ClassVar[str] = "GUIGU"

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        todo: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(what)
        self._what = what
        self._where = where
        self._todo = todo
        self._code = code or self.family

    @property
    def code(self) -> str:
        """The stable code, such as ``GUIGU.CAST.LINES``."""
        return self._code

    @property
    def what(self) -> str:
        """What happened."""
        return self._what

    @property
    def where(self) -> str | None:
        """The place of the fault, if it has one."""
        return self._where

    @property
    def todo(self) -> str | None:
        """What to do about it, if that is known."""
        return self._todo

    def placed(self, where: str) -> Self:
        """Give the same fault with another place, for a caller that knows better where the input came from.

        >>> print(UnknownName("地天秦", "hexagram", ["地天泰"]).placed("--hexagram"))
        --hexagram: '地天秦' is not a known hexagram. Did you mean 地天泰?
        """
        fault = copy(self)
        fault._where = where
        return fault

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f" {_stopped(self.todo)}" if self.todo else ""
        return f"{place}{_stopped(self.what)}{remedy}"

    def __reduce__(self) -> tuple[object, ...]:
        # Exception's own way calls the class with `args` alone, which fails for the keyword-only arguments here,
        # and then a fault raised in a worker process would be lost on its way to the parent.
        return _rebuilt, (type(self), self.args, self.__dict__)


def _stopped(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


class InputError(GuiguError):
    """What the user gave for a cast cannot be used.

    >>> print(InputError("5 lines are given; a hexagram has 6", where="lines", code="GUIGU.CAST.LINES"))
    lines: 5 lines are given; a hexagram has 6.
    """

    family = "GUIGU.INPUT"


class UnknownName(InputError):  # noqa: N818 - it says what is wrong with the name
    """A name that means nothing here, with the known names nearest to it.

    >>> print(UnknownName("地天秦", "hexagram", ["地天泰", "雷山小過"]))
    '地天秦' is not a known hexagram. Did you mean 地天泰?
    """

    family = "GUIGU.NAME.UNKNOWN"

    def __init__(
        self,
        name: str,
        kind: str,
        known: Iterable[str] = (),
        *,
        where: str | None = None,
        todo: str | None = None,
        code: str | None = None,
    ) -> None:
        self._name = name
        self._near = near_matches(name, known)
        if self._near:
            hint = f"Did you mean {listed(self._near)}?"
            todo = f"{hint} {todo}" if todo else hint
        super().__init__(f"{quoted(name)} is not a known {kind}", where=where, todo=todo, code=code)

    @property
    def name(self) -> str:
        """The name as it was given."""
        return self._name

    @property
    def near(self) -> tuple[str, ...]:
        """The known names nearest to it, best first; at most three."""
        return self._near


class AmbiguousName(InputError):  # noqa: N818 - it says what is wrong with the name
    """A name that means several things.

    >>> print(AmbiguousName("lu", "hexagram", ["10 天澤履", "56 火山旅"]))
    'lu' means more than one hexagram: 10 天澤履 and 56 火山旅. Give one of them in full.
    """

    family = "GUIGU.NAME.AMBIGUOUS"

    def __init__(
        self,
        name: str,
        kind: str,
        candidates: Sequence[str],
        *,
        where: str | None = None,
        todo: str | None = "Give one of them in full",
        code: str | None = None,
    ) -> None:
        self._name = name
        self._candidates = tuple(candidates)
        what = f"{quoted(name)} means more than one {kind}: {listed(self._candidates, last='and')}"
        super().__init__(what, where=where, todo=todo, code=code)

    @property
    def name(self) -> str:
        """The name as it was given."""
        return self._name

    @property
    def candidates(self) -> tuple[str, ...]:
        """What the name can mean."""
        return self._candidates


class CalendarError(InputError):
    """A moment, date or pillar that cannot be reckoned.

    >>> print(CalendarError("the year 1500 is outside 1600 to 2100"))
    the year 1500 is outside 1600 to 2100.
    """

    family = "GUIGU.CALENDAR"


class ClusterFault(GuiguError):  # noqa: N818 - it says what is at fault
    """The workers over which work is spread were lost.

    >>> print(ClusterFault("a worker was lost", todo="run the same again"))
    a worker was lost. run the same again.
    """

    family = "GUIGU.CLUSTER"


class _SourceError(GuiguError):
    """A fault at a position of a source file; its ``where`` is ``file:line:column``, as editors and linters read it.

    Inside a condition that stands in no file, `where` may be missing and `column` counts within the condition.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        line: int | None = None,
        column: int | None = None,
        todo: str | None = None,
        code: str | None = None,
    ) -> None:
        place = ":".join(str(p) for p in (where or ("column" if column and not line else None), line, column) if p)
        super().__init__(what, where=place or None, todo=todo, code=code)
        self._file = where
        self._line = line
        self._column = column

    @property
    def file(self) -> str | None:
        """The file."""
        return self._file

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        return self._line

    @property
    def column(self) -> int | None:
        """The column, from 1."""
        return self._column


class ChapterError(_SourceError):
    """A fault in a chapter of clauses.

    >>> print(ChapterError("the clause has no text", where="birth.yaml", line=4, column=3, todo="Add `text:`"))
    birth.yaml:4:3: the clause has no text. Add `text:`.
    """

    family = "GUIGU.CHAPTER"


class ConditionError(_SourceError):
    """A fault in the condition of a clause.

    >>> print(ConditionError("the condition mixes two subjects", where="birth.yaml", line=9, column=17).code)
    GUIGU.CONDITION
    """

    family = "GUIGU.CONDITION"


class OntologyError(GuiguError):
    """The knowledge base is incomplete or contradicts itself.

    >>> print(OntologyError("two cells for one row", where="table/lu/jia"))
    table/lu/jia: two cells for one row.
    """

    family = "GUIGU.ONTOLOGY"


class EngineError(GuiguError):
    """The reasoner or the store failed, or is not installed.

    >>> print(EngineError("the reasoner stopped", todo="Run it again with another engine"))
    the reasoner stopped. Run it again with another engine.
    """

    family = "GUIGU.ENGINE"


class QueryError(GuiguError):
    """A query that cannot be read or run, or a question file that is not in order.

    >>> print(QueryError("'aspect' stands in no VALUES block", where="queries/doctrine/aspect.rq"))
    queries/doctrine/aspect.rq: 'aspect' stands in no VALUES block.
    """

    family = "GUIGU.QUERY"


class EndpointError(GuiguError):
    """A SPARQL endpoint that does not answer, or not as the protocol says.

    >>> print(EndpointError("no answer within 30 s", where="http://localhost:7878/query"))
    http://localhost:7878/query: no answer within 30 s.
    """

    family = "GUIGU.ENDPOINT"
