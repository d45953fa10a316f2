"""All 64 hexagrams against an independent implementation (the package najia): palace, 世, 應, 納甲, kin, hidden lines."""

import pytest
from najia import const, utils

from loader.given import Typed, given
from loader.iris import ns, symbol
from loader.liuyao import Chart, bits_of
from loader.ontology import ontology

TRADITIONAL = str.maketrans("兑离财孙龙", "兌離財孫龍")


def their_palace(bits: str) -> int:
    return int(utils.palace(bits, utils.set_shi_yao(bits)[0]))


@pytest.mark.parametrize("number", range(1, 65))
def test_hexagram(number: int) -> None:
    o, bits = ontology(), bits_of(number)
    cast, _ = given(Typed(hexagram=str(number), pillars={"month": "子", "day": "甲子"}), ["childbirth"])
    c = Chart(cast)
    shi, ying, _ = utils.set_shi_yao(bits)
    assert (c.shi, c.ying) == (shi, ying)
    palace = their_palace(bits)
    assert o.label(c.palace) == const.GUAS[palace].translate(TRADITIONAL)
    assert [o.label(v.pair) for v in c.visible] == utils.get_najia(bits)

    def kin(pair: str) -> str:
        element = const.ZHI5[const.ZHIS.index(pair[1])]
        found = utils.get_qin6(const.XING5[const.GUA5[palace]], const.XING5[element])
        return str(found).translate(TRADITIONAL)

    assert [o.label(v.kin) for v in c.visible] == [kin(p) for p in utils.get_najia(bits)]
    pure = utils.get_najia(const.YAOS[palace] * 2)
    hidden = [(o.label(h.pair), o.label(h.kin)) if h else None for h in c.hidden]
    assert hidden == [None if p == v else (p, kin(p)) for p, v in zip(pure, utils.get_najia(bits), strict=True)]
    assert o.number(symbol("hexagram", number), ns("shi")) == shi
