"""The words of the drawings, in the languages of the pages."""

from typing import Final

WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "hexagram": "Hexagram",
        "changed": "changes to",
        "upward": "Lines from the bottom",
        "line": "line",
        "yang": "yang",
        "yin": "yin",
        "moving": "moving, becomes",
        "hidden": "hidden",
        "hour": "Hour chart",
        "on-top": "Palaces, south on top",
    },
    "ko": {
        "hexagram": "본괘",
        "changed": "지괘",
        "upward": "아래부터 여섯 효",
        "line": "효",
        "yang": "양",
        "yin": "음",
        "moving": "동하여",
        "hidden": "복신",
        "hour": "기문 시반",
        "on-top": "아홉 궁, 남쪽이 위",
    },
    "zh-hant": {
        "hexagram": "本卦",
        "changed": "之卦",
        "upward": "自下而上六爻",
        "line": "爻",
        "yang": "陽",
        "yin": "陰",
        "moving": "動化",
        "hidden": "伏",
        "hour": "奇門時盤",
        "on-top": "九宮，南在上",
    },
}
"""Language to the words with which a drawing is described to those who do not see it."""
