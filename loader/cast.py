"""A cast of either tradition: from its input to its chart, and from the chart to its facts."""

from loader import facts as liuyao_facts
from loader import qimen_facts
from loader.iris import Triple
from loader.liuyao import Chart, Given
from loader.qimen import QimenChart, QimenGiven

AnyGiven = Given | QimenGiven
AnyChart = Chart | QimenChart


def chart_of(given: AnyGiven) -> AnyChart:
    """The chart of an input."""
    return QimenChart(given) if isinstance(given, QimenGiven) else Chart(given)


def facts_of(chart: AnyChart) -> list[Triple]:
    """All facts of a chart as triples of IRIs."""
    return qimen_facts.facts(chart) if isinstance(chart, QimenChart) else liuyao_facts.facts(chart)


def tradition_of(given: AnyGiven) -> str:
    """The tradition by which an input is judged."""
    return "qimen" if isinstance(given, QimenGiven) else "liuyao"
