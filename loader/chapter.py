"""Chapter files: a text and its clauses side by side, each clause anchored in the passage that it quotes."""

import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from loader.clause import VERDICTS, Chapter, Clause, Computation, Emendation, Mark, Otherwise, Passage, Span, Timing
from loader.condition import parsed
from loader.data import folder
from loader.errors import ChapterError, ConditionError, InputError, quoted

LARGEST: Final = 4_000_000
"""Bytes in a chapter file; the largest has under 200,000."""

KINDS: Final = VERDICTS | {
    "useful-god", "line-assignment", "significator", "definition", "computation", "table-row",
    "narrative", "attribution", "heading",
}  # fmt: skip
TRADITIONS: Final = frozenset({"liuyao", "qimen"})
OMENS: Final = frozenset({"auspicious", "inauspicious", "mixed", "neutral"})
UNITS: Final = frozenset({"year", "month", "day", "hour", "decade", "limit"})
MOMENTS: Final = frozenset({"once", "within-day", "within-month", "after-month", "within-year"})


class _Reader:
    """Walks the node tree of a YAML file, so that every fault has a line and a column."""

    def __init__(self, file: str, *, lazy: bool) -> None:
        self.file, self.lazy = file, lazy

    def fault(self, node: yaml.Node, what: str, todo: str | None = None) -> ChapterError:
        at = node.start_mark
        return ChapterError(what, where=self.file, line=at.line + 1, column=at.column + 1, todo=todo)

    def mark(self, node: yaml.Node) -> Mark:
        return Mark(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def fields(self, node: yaml.Node, allowed: frozenset[str], required: frozenset[str]) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "a mapping is expected here")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.text(key)
            if name in found:
                raise self.fault(key, f"{name!r} stands twice")
            if name not in allowed:
                raise self.fault(key, f"no field is named {name!r}", f"there are: {', '.join(sorted(allowed))}")
            found[name] = value
        for name in sorted(required - found.keys()):
            raise self.fault(node, f"{name!r} is missing")
        return found

    def text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self.fault(node, "a text is expected here")
        return unicodedata.normalize("NFC", str(node.value))

    def number(self, node: yaml.Node) -> int:
        text = self.text(node)
        if not text.isdecimal() or len(text) > 6:
            raise self.fault(node, f"a number is expected, not {text[:20]!r}")
        return int(text)

    def items(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.fault(node, "a list is expected here")
        return list(node.value)

    def words(self, node: yaml.Node, allowed: frozenset[str] | None = None) -> tuple[str, ...]:
        nodes = [node] if isinstance(node, yaml.ScalarNode) else self.items(node)
        for n in nodes:
            if allowed is not None and self.text(n) not in allowed:
                raise self.fault(n, f"{self.text(n)!r} is not one of {', '.join(sorted(allowed))}")
        return tuple(self.text(n) for n in nodes)

    def flag(self, node: yaml.Node) -> bool:
        return self.words(node, frozenset({"true", "false"})) == ("true",)


_CHAPTER: Final = frozenset({"chapter", "text", "document", "tradition", "title", "topic", "passages"})
_PASSAGE: Final = frozenset({"id", "lzh", "ko", "topic", "clauses"})
_CLAUSE: Final = frozenset({
    "id", "quote", "occurrence", "ko", "ko_occurrence", "kind", "when", "about", "value", "omen", "timing", "signifies",
    "selects", "defines", "overrides", "authority", "en", "doubt", "emend", "otherwise", "computes", "note", "dead", "unformalised", "topic",
})  # fmt: skip
_TIMING: Final = frozenset({"unit", "stage", "relation", "void", "element", "kin", "branch", "of", "at"})
_COMPUTES: Final = frozenset({"quantity", "add", "times", "count", "back", "of"})
_OTHERWISE: Final = frozenset({"when", "about", "value", "omen", "timing"})
_EMEND: Final = frozenset({"received", "read", "grade", "why"})


def read(path: Path, *, lazy: bool = False) -> Chapter:
    """Read one chapter file.

    Args:
        path: the file.
        lazy: leave the conditions unparsed until they are needed; faults in them then come late, so only for checked files.

    Raises:
        ChapterError: not UTF-8, too large, not YAML, an unknown field, a quote that is not in the passage or is ambiguous.
        ConditionError: a condition that does not parse.
    """
    size = path.stat().st_size
    if size > LARGEST:
        raise ChapterError(f"a file of {size} bytes", where=str(path), line=1, column=1, todo=f"at most {LARGEST} are read")
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ChapterError("not UTF-8", where=str(path), line=line, column=error.start - raw.rfind(b"\n", 0, error.start)) from error
    return parse_chapter(text, str(path), lazy=lazy)


def parse_chapter(text: str, file: str, *, lazy: bool = False) -> Chapter:
    """Read a chapter from text; `file` names it in faults, `lazy` as in `read`."""
    reader = _Reader(file, lazy=lazy)
    try:
        # Aliases could make a small file huge, and no chapter needs them.
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                where = event.start_mark
                line, column = (where.line + 1, where.column + 1) if where else (1, 1)
                raise ChapterError("anchors and aliases are not read", where=file, line=line, column=column)
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark
        line, column = (at.line + 1, at.column + 1) if at else (1, 1)
        raise ChapterError(f"not YAML: {error.problem}", where=file, line=line, column=column) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ChapterError("not YAML", where=file, line=1, column=1) from error
    if root is None:
        raise ChapterError("an empty file", where=file, line=1, column=1)
    fields = reader.fields(root, _CHAPTER, _CHAPTER)
    title = {reader.text(k): reader.text(v) for k, v in fields["title"].value} if isinstance(fields["title"], yaml.MappingNode) else {}
    name, work, document, tradition, topic = (reader.text(fields[f]) for f in ("chapter", "text", "document", "tradition", "topic"))
    chapter = Chapter(name, work, document, tradition, title, topic, file)
    reader.words(fields["tradition"], TRADITIONS)
    if not reader.items(fields["passages"]):
        raise reader.fault(fields["passages"], "a chapter without passages")
    for node in reader.items(fields["passages"]):
        inner = reader.fields(node, _PASSAGE, frozenset({"id", "lzh", "ko", "clauses"}))
        topic = reader.text(inner["topic"]) if "topic" in inner else chapter.topic
        passage = Passage(chapter, reader.number(inner["id"]), reader.text(inner["lzh"]), reader.text(inner["ko"]), topic)
        passage.clauses.extend(_clause(reader, n, passage) for n in reader.items(inner["clauses"]))
        chapter.passages.append(passage)
    return chapter


def _clause(reader: _Reader, node: yaml.Node, passage: Passage) -> Clause:
    f = reader.fields(node, _CLAUSE, frozenset({"id", "quote", "ko", "kind", "en"}))

    def text(name: str) -> str | None:
        return reader.text(f[name]) if name in f else None

    kind = reader.words(f["kind"], KINDS)[0]
    when_text = _condition(reader, f)
    if not when_text and kind in VERDICTS and "unformalised" not in f:
        raise reader.fault(node, f"a {kind} without 'when'", "write its condition, or 'unformalised: <reason>'")
    if "omen" in f:
        reader.words(f["omen"], OMENS)
    if "otherwise" in f and "emend" not in f:
        raise reader.fault(f["otherwise"], "'otherwise' without 'emend'", "say which characters the two readings differ in")
    return Clause(
        id=reader.text(f["id"]),
        passage=passage,
        kind=kind,
        quote=reader.text(f["quote"]),
        span=_anchor(reader, f, "quote", "occurrence", passage.lzh),
        ko=reader.text(f["ko"]),
        ko_span=_anchor(reader, f, "ko", "ko_occurrence", passage.ko),
        en=reader.text(f["en"]),
        topic=text("topic") or passage.topic,
        mark=reader.mark(node),
        when_text=when_text,
        timing=_timing(reader, f["timing"]) if "timing" in f else None,
        overrides=reader.words(f["overrides"]) if "overrides" in f else (),
        signifies=reader.words(f["signifies"]) if "signifies" in f else (),
        authority=reader.words(f["authority"]) if "authority" in f else (),
        computes=_computation(reader, f["computes"]) if "computes" in f else None,
        emend=_emendations(reader, f["emend"]) if "emend" in f else (),
        otherwise=_otherwise(reader, f["otherwise"]) if "otherwise" in f else None,
        **{name: text(name) for name in ("about", "value", "omen", "selects", "defines", "doubt", "note", "dead", "unformalised")},
    )


def _condition(reader: _Reader, f: dict[str, yaml.Node]) -> str:
    if "when" not in f:
        return ""
    text, mark = reader.text(f["when"]), reader.mark(f["when"])
    if reader.lazy:
        return text
    try:
        parsed(text)
    except ConditionError as error:
        raise ConditionError(error.what, where=mark.file, line=mark.line, column=mark.column, todo=error.todo) from error
    return text


def _otherwise(reader: _Reader, node: yaml.Node) -> Otherwise:
    f = reader.fields(node, _OTHERWISE, frozenset())
    when_text = _condition(reader, f)
    if "omen" in f:
        reader.words(f["omen"], OMENS)
    timing = _timing(reader, f["timing"]) if "timing" in f else None
    return Otherwise(when_text, timing=timing, **{name: reader.text(f[name]) for name in ("about", "value", "omen") if name in f})


def _computation(reader: _Reader, node: yaml.Node) -> Computation:
    f = reader.fields(node, _COMPUTES, frozenset({"quantity"}))
    if not f.keys() & {"add", "times", "count", "back"}:
        raise reader.fault(node, "a computation without a step", "give add, times, count or back")
    add: list[tuple[str, tuple[str, ...]]] = []
    if "add" in f:
        if not isinstance(f["add"], yaml.MappingNode):
            raise reader.fault(f["add"], "a mapping is expected here", "write the table and what is looked up in it")
        add = [(reader.text(table), reader.words(what)) for table, what in f["add"].value]
    times = None
    if "times" in f:
        try:
            times = Fraction(reader.text(f["times"])[:12])
        except (ValueError, ZeroDivisionError) as error:
            raise reader.fault(f["times"], f"{reader.text(f['times'])[:20]!r} is no number", "write 2, 10 or 1/2") from error
    back = reader.words(f["back"], frozenset({"this", "year", "decade"})) if "back" in f else ()
    if back and len(back) != 2:
        raise reader.fault(f["back"], "'back' needs two ends", "write [this, decade] or [year, this]")
    return Computation(
        quantity=reader.text(f["quantity"]),
        add=tuple(add),
        times=times,
        count="count" in f and reader.flag(f["count"]),
        back=(back[0], back[1]) if back else None,
        of=reader.text(f["of"]) if "of" in f else "this",
    )


def _anchor(reader: _Reader, f: dict[str, yaml.Node], field_name: str, occurrence: str, text: str) -> Span:
    wanted = reader.text(f[field_name])
    nth = reader.number(f[occurrence]) if occurrence in f else None
    starts = list(_places(wanted, text))
    if not starts:
        raise reader.fault(f[field_name], f"the passage does not hold {wanted[:40]!r}", "quote it letter by letter")
    if nth is None and len(starts) > 1:
        raise reader.fault(f[field_name], f"{wanted[:40]!r} stands {len(starts)} times in the passage", f"add '{occurrence}: n'")
    if nth is not None and not 1 <= nth <= len(starts):
        raise reader.fault(f[occurrence], f"{wanted[:40]!r} stands {len(starts)} times, not {nth}")
    start = starts[(nth or 1) - 1]
    return Span(start, start + len(wanted))


def _places(wanted: str, text: str) -> Iterator[int]:
    """Where a run of characters stands in a text, overlapping ones too; an empty run nowhere."""
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _timing(reader: _Reader, node: yaml.Node) -> Timing:
    f = reader.fields(node, _TIMING, frozenset())
    if not f.keys() & {"stage", "relation", "void", "element", "kin", "branch", "at"}:
        raise reader.fault(node, "a timing that names no time", "give stage, relation, void, element, kin, branch or at")
    return Timing(
        units=reader.words(f["unit"], UNITS) if "unit" in f else (),
        stages=reader.words(f["stage"]) if "stage" in f else (),
        relations=reader.words(f["relation"], frozenset("沖合生臨克刑害扶")) if "relation" in f else (),
        void="void" in f and reader.flag(f["void"]),
        element="element" in f and reader.flag(f["element"]),
        kin=reader.text(f["kin"]) if "kin" in f else None,
        branches=reader.words(f["branch"]) if "branch" in f else (),
        of=reader.text(f["of"]) if "of" in f else "this",
        at=reader.words(f["at"], MOMENTS)[0] if "at" in f else None,
    )


def _emendations(reader: _Reader, node: yaml.Node) -> tuple[Emendation, ...]:
    nodes = reader.items(node) if isinstance(node, yaml.SequenceNode) else [node]
    found = []
    for n in nodes:
        f = reader.fields(n, _EMEND, _EMEND)
        found.append(Emendation(*(reader.text(f[k]) for k in ("received", "read", "grade", "why"))))
    return tuple(found)


_added: Final[list[Chapter]] = []


def add(name: str) -> Chapter:
    """Add a chapter file to those that travel with guigu; one of the same text and name is replaced by it.

    To be called before the first cast: what is compiled already does not change.

    Raises:
        InputError: the file cannot be read.
        ChapterError: as `read`.
        ConditionError: as `read`.
    """
    try:
        chapter = read(Path(name))
    except (OSError, ValueError) as error:  # a name with a NUL or a lone surrogate is a ValueError
        raise InputError(f"cannot read {quoted(name)}: {getattr(error, 'strerror', error)}", where="--chapter") from error
    _added.append(chapter)
    chapters.cache_clear()
    clauses.cache_clear()
    return chapter


@cache
def chapters() -> tuple[Chapter, ...]:
    """Every chapter that travels with guigu or was added, in the order of the documents."""
    found = {(c.work, c.name): c for c in (*(read(p, lazy=True) for p in sorted((folder("ontology") / "texts").rglob("*.yaml"))), *_added)}
    return tuple(sorted(found.values(), key=lambda c: (c.document, c.passages[0].number if c.passages else 0)))


@cache
def clauses() -> dict[str, Clause]:
    """Every clause by its id.

    Raises:
        ChapterError: an id stands twice.
    """
    found: dict[str, Clause] = {}
    for chapter in chapters():
        for clause in chapter.clauses():
            if clause.id in found:
                raise ChapterError(f"clause {clause.id} stands twice", where=clause.mark.file, line=clause.mark.line, column=clause.mark.column)
            found[clause.id] = clause
    return found
