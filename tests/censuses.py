"""A small census by hand: a row of every kind, true of what `guigu` can name, its counts our own."""

from kg.census.rdf import Origin
from kg.census.row import AccordRow, AspectRow, ChangeRow, ClauseRow, EffectRow, PairRow, Row
from loader import iris

CAST = iris.BASE + "cast/0123456789abcdef"
COMMAND = "guigu cast --lines 8,8,8,8,8,7 --month 辰 --day 戊辰 --topic childbirth"
HOUR = "guigu qimen --year 甲子 --month 丙寅 --day 甲子 --hour 甲子 --term 立春 --ju 陽8 --topic childbirth"
ORIGIN = Origin(conventions=("star-pillars=day",), version="0.1.0", fingerprint="0123456789abcdef0123")
CLAUSE = ClauseRow("days", "childbirth", "yy-taichan-015", 64, 64, 60, "", COMMAND, CAST, COMMAND)
ROWS: tuple[Row, ...] = (
    CLAUSE,
    ClauseRow("days", "childbirth", "yy-taichan-013", 64, 0, 0, "", "", "", ""),
    ClauseRow("hours", "childbirth", "qm-taichan-017", 1036800, 115200, 115200, "", HOUR, "", ""),
    PairRow("days", "childbirth", "implies", "yy-taichan-028", "yy-taichan-027", "", 12, COMMAND, CAST, COMMAND),
    PairRow("days", "childbirth", "same", "yy-taichan-015", "yy-taichan-020", "", 64, COMMAND, CAST, ""),
    PairRow("days", "childbirth", "contradicts", "yy-taichan-136", "yy-taichan-144", "delivery", 7, COMMAND, CAST, ""),
    PairRow("days", "childbirth", "excludes", "yy-taichan-087", "yy-taichan-088", "", 0, "", "", ""),
    AspectRow("days", "childbirth", "midwife", 64, 40, 20, 3, 1),
    EffectRow("liuyao", "star-pillars", "day", 512, 100, 3000, 40, 90),
    EffectRow("liuyao", "day-boundary", "00:00", 512, 20, 3000, 8, 9),
    EffectRow("liuyao", "stages", "earth-with-fire", 512, 60, 3000, 70, 65),
    EffectRow("qimen", "plate", "rotating", 512, 500, 2000, 900, 800),
    ChangeRow("liuyao", "star-pillars", "day", "yy-taichan-028", 1, 5, COMMAND),
    AccordRow("childbirth", 2026, "midwife", 4000, 90, 60, 5, 3, 2),
)
