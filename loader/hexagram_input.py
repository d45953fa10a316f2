"""What a person types for a hexagram, made into six line values; and the toss of coins.

Line values are 6 (old yin, moving), 7 (young yang), 8 (young yin) and 9 (old yang, moving), from bottom to top.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from random import Random, SystemRandom
from typing import Final

from loader.errors import AmbiguousName, InputError, UnknownName, listed, quoted

LINES: Final = 6
HEXAGRAMS: Final = 64

_FIRST_SIGN: Final = 0x4DC0
_LINE_VALUES: Final = frozenset("6789")
_SEPARATORS: Final = re.compile(r"[\s,;、]+")
# Signs may be typed with a selector that asks for text or emoji presentation; it changes nothing.
_PRESENTATION: Final = re.compile("[\ufe0e\ufe0f]")
_VALUE_OF: Final = {("1", False): 7, ("0", False): 8, ("1", True): 9, ("0", True): 6}


def parse_lines(text: str) -> tuple[int, ...]:
    """Read six line values, bottom to top, separated by commas or blanks or not at all.

    Raises:
        InputError: A value is not one of 6 to 9, or they are not six.

    >>> parse_lines("7,8,9,6,7,8"), parse_lines("789 678")
    ((7, 8, 9, 6, 7, 8), (7, 8, 9, 6, 7, 8))
    """
    words = _words(text)
    # Without separators each digit is a value, so that a wrong one is found at its place. With separators a word may
    # still hold several values (two trigrams), but "10" among numbers is one wrong value and not two.
    alone = len(words) == 1 and words[0].isdecimal()
    values: list[str] = []
    for word in words:
        values.extend(word if alone or _LINE_VALUES.issuperset(word) else [word])
    for position, value in enumerate(values, 1):
        if value not in _LINE_VALUES:
            raise InputError(
                f"line {position} from the bottom is {quoted(value)}",
                where="lines",
                code="GUIGU.CAST.LINE",
                todo="Write 6 (old yin), 7 (young yang), 8 (young yin) or 9 (old yang)",
            )
    if len(values) != LINES:
        given = "1 line is given" if len(values) == 1 else f"{len(values) or 'no'} lines are given"
        raise InputError(
            f"{given} and a hexagram has six",
            where="lines",
            code="GUIGU.CAST.LINES",
            todo="Write six numbers from bottom to top, such as 7,8,9,6,7,8",
        )
    return tuple(map(int, values))


def parse_hexagram(text: str, names: Mapping[str, frozenset[int]]) -> int:
    """Find a hexagram by its King Wen number, a name or its Unicode sign.

    An exact name wins. Failing that, case and blanks do not count, and failing that, neither do tone marks.

    Args:
        text: What was typed.
        names: Every known name, short or full, in every language and script, with the hexagrams that it can mean.

    Raises:
        InputError: Nothing was typed, or the number is not 1 to 64.
        AmbiguousName: The name means several hexagrams.
        UnknownName: There is no such name.

    >>> names = {"泰": frozenset({11}), "地天泰": frozenset({11}), "Peace": frozenset({11})}
    >>> [parse_hexagram(text, names) for text in ("11", "地天泰", "peace", "䷊")]
    [11, 11, 11, 11]
    """
    typed = unicodedata.normalize("NFKC", _PRESENTATION.sub("", text)).strip()
    if not typed:
        raise InputError(
            "no hexagram is given",
            where="hexagram",
            code="GUIGU.CAST.HEXAGRAM",
            todo="Write its number or its name",
        )
    if re.fullmatch(r"[+-]?[0-9]+", typed):
        return _number(typed)
    if len(typed) == 1 and 0 <= ord(typed) - _FIRST_SIGN < HEXAGRAMS:
        return ord(typed) - _FIRST_SIGN + 1
    numbers = _named(typed, names)
    if not numbers:
        raise UnknownName(typed, "hexagram", names, where="hexagram", todo="Write a number from 1 to 64 or a name")
    if len(numbers) > 1:
        raise AmbiguousName(
            typed,
            "hexagram",
            _candidates(numbers, names),
            where="hexagram",
            todo="Write the number or the full name",
        )
    (number,) = numbers
    return number


def parse_moving(text: str) -> frozenset[int]:
    """Read the positions of the moving lines, 1 at the bottom; nothing or "none" for a still hexagram.

    Raises:
        InputError: A position is not 1 to 6, or is given twice.

    >>> sorted(parse_moving("1,3")), parse_moving("none")
    ([1, 3], frozenset())
    """
    words = _words(text)
    if [word.casefold() for word in words] == ["none"]:
        return frozenset()
    positions: set[int] = set()
    for word in words:
        if word not in {"1", "2", "3", "4", "5", "6"}:
            raise InputError(
                f"a hexagram has no line {quoted(word)}",
                where="moving",
                code="GUIGU.CAST.MOVING",
                todo="Write positions from 1 (bottom) to 6 (top) with commas between, such as 1,3",
            )
        if int(word) in positions:
            # Twice the same is more likely a slip for another line than emphasis.
            raise InputError(
                f"line {word} is given twice",
                where="moving",
                code="GUIGU.CAST.MOVING",
                todo="Write each line once",
            )
        positions.add(int(word))
    return frozenset(positions)


def lines_of(bits: str, moving: Collection[int] = frozenset()) -> tuple[int, ...]:
    """Make line values from a hexagram and its moving lines.

    Args:
        bits: Six lines, bottom to top, "1" for yang and "0" for yin.
        moving: Positions of moving lines, 1 at the bottom.

    Raises:
        InputError: The bits are not six of 0 and 1, or a position is not 1 to 6.

    >>> lines_of("111000", {1, 6})
    (9, 7, 7, 8, 8, 6)
    """
    _check_bits(bits)
    for position in moving:
        if not 1 <= position <= LINES:
            raise InputError(f"a hexagram has no line {position}", where="moving", code="GUIGU.CAST.MOVING")
    return tuple(_VALUE_OF[bit, position in moving] for position, bit in enumerate(bits, 1))


def lines_between(original: str, changed: str) -> tuple[int, ...]:
    """Make line values from the hexagram cast and the one it changes to: the lines that differ move.

    Raises:
        InputError: Either is not six of 0 and 1.

    >>> lines_between("111000", "011001")
    (9, 7, 7, 8, 8, 6)
    """
    _check_bits(original)
    _check_bits(changed)
    pairs = enumerate(zip(original, changed, strict=True), 1)
    return lines_of(original, {position for position, (before, after) in pairs if before != after})


def toss(seed: int | None = None) -> tuple[int, ...]:
    """Toss three coins for each of six lines, bottom to top; one side counts 3, the other 2.

    Args:
        seed: Makes the toss repeatable, on every version of Python; None tosses by the system's entropy. Python's
            generator ignores the sign of a seed, so 5 and -5 toss alike.

    >>> toss(7) == toss(7), len(toss())
    (True, 6)
    """
    coins = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - a seed asks for a repeatable toss
    # Of the generator's methods only random() is promised to repeat across versions of Python.
    return tuple(sum(3 if coins.random() < 0.5 else 2 for _ in range(3)) for _ in range(LINES))


def _words(text: str) -> list[str]:
    return [word for word in _SEPARATORS.split(unicodedata.normalize("NFKC", text)) if word]


def _number(typed: str) -> int:
    # Long digit strings never reach int(), which refuses those beyond some thousand digits with an error of its own.
    digits = typed.removeprefix("+").lstrip("0")
    if not (digits.isdecimal() and len(digits) <= 2 and int(digits) <= HEXAGRAMS):
        raise InputError(
            f"there is no hexagram {quoted(typed)}",
            where="hexagram",
            code="GUIGU.CAST.HEXAGRAM",
            todo=f"Write a number from 1 to {HEXAGRAMS}",
        )
    return int(digits)


def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in letters if not (char.isspace() or char in "-'’"))


def _bare(name: str) -> str:
    letters = unicodedata.normalize("NFD", _folded(name))
    return "".join(char for char in letters if not unicodedata.combining(char))


def _named(typed: str, names: Mapping[str, frozenset[int]]) -> frozenset[int]:
    exact = names.get(typed)
    if exact:
        return exact
    for key in (_folded, _bare):
        wanted = key(typed)
        found: set[int] = set()
        for name, numbers in names.items():
            if wanted and key(name) == wanted:
                found |= numbers
        if found:
            return frozenset(found)
    return frozenset()


def _candidates(numbers: Iterable[int], names: Mapping[str, frozenset[int]]) -> list[str]:
    """Show each hexagram by its number and the first of its names that means no other."""
    label: dict[int, str] = {}
    for name, meant in names.items():
        if len(meant) == 1:
            label.setdefault(next(iter(meant)), name)
    return [f"{number} {label[number]}" if number in label else str(number) for number in sorted(numbers)]


def _check_bits(bits: str) -> None:
    if not re.fullmatch("[01]{6}", bits):
        raise InputError(
            f"{quoted(bits)} is no hexagram",
            where="bits",
            code="GUIGU.CAST.BITS",
            todo=f"Write six of {listed('01', last='and')}, bottom to top, such as 111000",
        )
