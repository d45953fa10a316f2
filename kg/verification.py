"""Faults of a graph that are no contradiction and no gap in a shape: SPARQL queries of `queries/verification/` that must find nothing.

They are modelled on the reports of ROBOT and the pitfalls of OOPS!: what lacks a label or definition, is used and not declared or declared
and not used, stands outside a domain, is pointed at and not described, quotes what is not there. Each query gives the subject of a fault
and what was found of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from kg.rows import Rows
from kg.store import Store
from loader import iris
from loader.data import folder
from loader.errors import QueryError
from loader.saying import LANGUAGES

COLUMNS: Final = ("subject", "found")
"""Columns of every query."""
_FIELDS: Final = {"title", "answers"}


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of fault.

    Attributes:
        name: its file name.
        title: language to title.
        answers: what the query finds, in a sentence.
        sparql: the query; its rows are faults.
    """

    name: str
    title: dict[str, str]
    answers: str
    sparql: str

    def findings(self, store: Store) -> Iterator["Finding"]:
        """The faults of this kind in a store; raises what the store raises, and QueryError where the query is no SELECT."""
        rows = store.query(self.sparql)
        if not isinstance(rows, Rows):
            raise QueryError("a verification query is a SELECT", where=f"verification/{self.name}.rq")
        for row in rows.rows:
            subject, found = (str(getattr(term, "value", term)) if term is not None else "" for term in row)
            yield Finding(self.name, subject, found)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: which check found it, of what, and what it is.

    >>> print(Finding("missing-label", "https://w3id.org/guigu/ns/Void", "ko"))
    missing-label: ns/Void: ko
    """

    check: str
    subject: str
    found: str

    def __str__(self) -> str:
        return f"{self.check}: {self.subject.removeprefix(iris.BASE)}: {self.found.removeprefix(iris.BASE)}"


def read(path: Path) -> Check:
    """Read a query file: YAML behind `# `, then a SELECT of `COLUMNS`.

    Raises:
        QueryError: the front matter is not in order.
    """
    where = f"{path.parent.name}/{path.name}"
    lines = path.read_text("utf-8").splitlines()
    count = next((i for i, line in enumerate(lines) if not line.startswith("# ")), len(lines))
    try:
        data = yaml.safe_load("\n".join(line[2:] for line in lines[:count]))
    except yaml.YAMLError as error:
        raise QueryError(f"the front matter is not YAML: {error}", where=where) from error
    if not isinstance(data, dict) or set(data) != _FIELDS or not isinstance(data["title"], dict) or set(data["title"]) != set(LANGUAGES):
        raise QueryError("the front matter is not in order", where=where, todo=f"write answers, and a title in {', '.join(LANGUAGES)}")
    return Check(path.stem, data["title"], data["answers"], "\n".join(lines[count:]).strip() + "\n")


@cache
def checks() -> dict[str, Check]:
    """Name to check, by name.

    >>> checks()["circle"].title["ko"]
    '제자리로 돌아오는 것'

    Raises:
        QueryError: a file is not in order.
    """
    return {path.stem: read(path) for path in sorted((folder("queries") / "verification").glob("*.rq"))}


def findings(store: Store) -> tuple[Finding, ...]:
    """Every fault of a store, by check; none where all is well. Raises what the store raises.

    >>> from kg.store import EmbeddedStore
    >>> [f.check for f in findings(EmbeddedStore([]))][:2]
    ['header', 'header']
    """
    return tuple(finding for one in checks().values() for finding in one.findings(store))
