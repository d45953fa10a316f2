"""The form in which a cast is typed: its choices, what was typed before, and the fault beside the field that it is of."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from kg.asking import roles_of, topics
from kg.topics import questions_of
from kg.web.cast_query import NAMES, Asked
from loader import iris, qimen_facts
from loader.calendar import PAIRS
from loader.clause import READINGS, ROLE_KINDS
from loader.errors import GuiguError
from loader.iris import symbol
from loader.kinship import SELF, relatives
from loader.ontology import ontology
from loader.tables import Option, conventions

ZONES: Final = (
    "Asia/Seoul", "Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Tokyo", "Asia/Singapore", "Asia/Ho_Chi_Minh", "Australia/Sydney",
    "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago", "America/Los_Angeles", "UTC",
)  # fmt: skip
"""Zones that the form proposes; any other may be typed."""
_LOCAL: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")
"""A date-time as the browser's own field for it holds one."""
_AT: Final = {"moment": "at", "bits": "hexagram", "moving": "moving"}
"""Places that faults name otherwise than the field is."""
_BY_CODE: Final = {"GUIGU.CAST.WAY": "hexagram", "GUIGU.CAST.TIME": "at"}


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic that may be asked: its IRI, whether it is narrower than the one before, its narrower questions and the roles of its lines."""

    key: str
    iri: str
    narrower: bool
    asks: tuple[tuple[str, str], ...]
    roles: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Convention:
    """What schools differ on, with its options."""

    name: str
    iri: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The form.

    Attributes:
        asked: what was typed.
        faults: field to what is wrong there; `""` for what belongs to no field.
        lang: the language that the address asks for, or None.
    """

    asked: Asked
    faults: dict[str, str] = field(default_factory=dict)
    lang: str | None = None

    def value(self, name: str) -> str:
        """What was typed into a field."""
        return self.asked.value(name) or ""

    def chosen(self, name: str, value: str) -> bool:
        """Whether one of the values of a field was chosen."""
        return value in self.asked.values(name)

    @property
    def lines(self) -> list[str]:
        """The six numbers typed, from the bottom; blanks where there are none."""
        digits = re.sub(r"[\s,;、]+", "", self.value("lines"))
        return list(digits) if re.fullmatch("[6-9]{6}", digits) else [""] * 6

    @property
    def local(self) -> bool:
        """Whether the moment may stand in the browser's own field for it, which has no place for an offset."""
        return not self.value("at") or _LOCAL.fullmatch(self.value("at")) is not None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics of the tradition."""
        return _topics(self.asked.tradition)

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """What schools differ on, the tables of the other tradition left out; the reading of the text has a field of its own."""
        other = "star-" if self.asked.tradition == "qimen" else "qimen-"
        known = ontology().of_type("Convention")
        named = {iris.key(c): c for c in known}
        return tuple(
            Convention(name, named.get(name, symbol("table", name)), options)
            for name, options in conventions().items()
            if name != "reading" and not name.startswith(other)
        )

    @property
    def readings(self) -> tuple[Option, ...]:
        """The readings of the text."""
        return tuple(option for option in conventions()["reading"] if option.key in READINGS)

    @property
    def hexagrams(self) -> tuple[tuple[int, str], ...]:
        """Number and IRI of the hexagrams."""
        return tuple((n, symbol("hexagram", n)) for n in range(1, 65))

    @property
    def relatives(self) -> tuple[str, ...]:
        """IRIs of the relatives who may be asked about."""
        return tuple(r for r in relatives() if r != SELF)

    @property
    def pairs(self) -> tuple[str, ...]:
        """The sixty pairs."""
        return tuple(PAIRS)

    @property
    def terms(self) -> tuple[str, ...]:
        """IRIs of the solar terms."""
        return tuple(ontology().ordered("SolarTerm"))

    @property
    def mountains(self) -> tuple[str, ...]:
        """IRIs of the twenty-four mountains."""
        return tuple(ontology().of_type("Mountain"))

    @property
    def stems(self) -> tuple[str, ...]:
        """IRIs of the stems."""
        return tuple(ontology().ordered("Stem"))

    @property
    def zones(self) -> tuple[str, ...]:
        """Zones that are proposed."""
        return ZONES

    @property
    def open(self) -> bool:
        """Whether something stands in the part of the form that is folded away."""
        rare = {"convention", "reading", "longitude"}
        return any(self.asked.values(name) or name in self.faults for name in rare)


@cache
def _topics(tradition: str) -> tuple[Topic, ...]:
    o, found, known = ontology(), [], topics(tradition)
    parents = {t: [iris.key(b) for b in o.iris(symbol("topic", t), iris.SKOS + "broader")] for t in known}
    roots = [t for t in known if not set(parents[t]) & set(known)]
    for topic in (t for root in roots for t in (root, *(c for c in known if root in parents[c]))):
        asks = tuple((key, symbol("question", key)) for key in questions_of(topic) if _of(key, tradition))
        roles = tuple((key, iri) for key in roles_of(topic) if (iri := o.keyed(key, *ROLE_KINDS)))
        found.append(Topic(topic, symbol("topic", topic), topic not in roots, asks, roles if tradition == "liuyao" else ()))
    return tuple(found)


def _of(question: str, tradition: str) -> bool:
    """Whether a question narrows a topic in a tradition: some, as that of the second birth, only the hour chart knows."""
    return (question in qimen_facts.QUESTION_CLASS) == (tradition == "qimen")


def place(fault: GuiguError, tradition: str) -> str:
    """The field that a fault is of, or `""`.

    >>> from loader.errors import InputError
    >>> place(InputError("no", where="--birth-year"), "liuyao"), place(InputError("no", code="GUIGU.CAST.TIME"), "qimen"), place(InputError("no"), "qimen")
    ('birth-year', 'at', '')
    """
    name = (fault.where or "").split(",")[0].strip().removeprefix("--")
    name = _AT.get(name, name) or _BY_CODE.get(fault.code, "")
    if name == "hexagram" and tradition == "qimen":
        return ""
    return name if name in (*NAMES[tradition], "from", "clause", "variants") else ""
