"""Engines that close a graph under OWL 2 RL; all derive the same verdicts."""

from kg.reasoning.engine import ENGINES, Engine, engine

__all__ = ["ENGINES", "Engine", "engine"]
