"""Captures of telecap as Arrow tables, and its verdicts as objects.

Begin with `telecap.open`, `telecap.conform` and `telecap.replay`.
"""

from .capture import Capture, open
from .errors import TelecapError
from .program import conform, replay
from .results import Breach, Check, Conformance, Replay, Scenario, Verdict

__all__ = [
    "Breach",
    "Capture",
    "Check",
    "Conformance",
    "Replay",
    "Scenario",
    "TelecapError",
    "Verdict",
    "conform",
    "open",
    "replay",
]
