"""The condition language: what it reads, what it refuses and where it points."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.condition import And, Name, Not, Or, Some, Tree, Value, parse, show
from loader.errors import ConditionError
from loader.expression import resolve
from loader.names import names


def names_() -> st.SearchStrategy[Name]:
    words = st.text("初二子孫動空abc:", min_size=1, max_size=5).filter(lambda w: w not in {"and", "or", "not", "some", "value"})
    return words.map(lambda w: Name(w, 0))


def trees() -> st.SearchStrategy[Tree]:
    def extend(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        pair = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return inner.map(Not) | st.builds(Some, names_(), inner) | st.builds(Value, names_(), names_()) | pair.map(And) | pair.map(Or)

    return st.recursive(names_(), extend, max_leaves=8)


def without_columns(tree: Tree) -> Tree:
    match tree:
        case Name(text):
            return Name(text, 0)
        case Not(part):
            return Not(without_columns(part))
        case Some(prop, part):
            return Some(Name(prop.text, 0), without_columns(part))
        case Value(prop, target):
            return Value(Name(prop.text, 0), Name(target.text, 0))
        case And(parts):
            return And(tuple(map(without_columns, parts)))
        case Or(parts):
            return Or(tuple(map(without_columns, parts)))


@given(trees())
def test_what_is_shown_reads_back(tree: Tree) -> None:
    assert without_columns(parse(show(tree))) == tree


@given(st.text("and or not some value ()'初空子孫", max_size=60))
def test_any_text_is_read_or_refused_with_our_error(text: str) -> None:
    # Any other exception fails the test.
    with suppress(ConditionError):
        parse(text)


@pytest.mark.parametrize("text", ["a and b or c", "a and", "(a", "a some", "初爻 空", "", "not", "a value (b)"])
def test_refused(text: str) -> None:
    with pytest.raises(ConditionError):
        parse(text)


def test_depth_and_length_are_limited() -> None:
    with pytest.raises(ConditionError, match="too deep"):
        parse("(" * 50 + "a" + ")" * 50)
    with pytest.raises(ConditionError, match="characters"):
        parse("a and " * 2000 + "a")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("初爻 and 大畜", "mixed subjects"),
        ("初爻 or 大畜", "mixed subjects"),
        ("日辰 and 動", "mixed subjects"),
        ("化 some 世", "mixed subjects"),
        ("初爻 and 官甩", "did you mean"),
        ("支 value 木", "no value of '支'"),
        ("支 some 子孫", "use 'value'"),
        ("有 value 子", "leads to no symbols"),
        ("化", "it needs 'some'"),
        ("空亡 some 世", "need a property"),
        ("not 產期近", "may be unknown"),
    ],
)
def test_names_and_subjects(text: str, fault: str) -> None:
    with pytest.raises(ConditionError, match=fault):
        resolve(parse(text), names())


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("初爻 and 空", {"VisibleLine"}),
        ("子孫", {"VisibleLine"}),
        ("大畜 or 渙", {"Cast"}),
        ("not (有 some 用神) and not (有 some 胎爻)", {"Cast"}),
        ("月建 and 官鬼", {"Pillar"}),
        ("伏 some 子孫 and 於卦 some (not (有 some 子孫))", {"VisibleLine"}),
    ],
)
def test_subject_follows_from_the_names(text: str, kinds: set[str]) -> None:
    assert resolve(parse(text), names()).kinds == kinds


def test_a_line_or_pillar_may_share_a_condition() -> None:
    """000 ¶27: 得日辰動爻…帶官貴來生合: the day too may carry the officer-ghost."""
    inner = resolve(parse("得生合於 some ((日辰 or 動爻) and 官鬼)"), names()).parts[0]
    assert inner.kinds == {"Pillar", "VisibleLine"}
    assert inner.kind is None
    with pytest.raises(ConditionError, match="mixed subjects"):
        resolve(parse("(日辰 or 動爻) and 官鬼"), names())


def test_aliases_and_other_languages_name_the_same_class() -> None:
    known = names()
    one = {resolve(parse(t), known).canonical for t in ("初爻 and 官鬼", "初爻 and 鬼", "'line 1' and 官鬼", "초효 and 관귀", "官鬼 and 初爻")}
    assert len(one) == 1
