"""What `conform` and `replay` find, as values. `raw` is all that the program said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["pass", "fail", "inconclusive", "unsupported", "not-run"]


@dataclass(frozen=True)
class Breach:
    """Where a rule was broken."""

    expected: str
    observed: str
    time_ns: int | None = None
    packet: int | None = None


@dataclass(frozen=True)
class Scenario:
    """A scenario's verdict."""

    id: str
    requirement: str
    level: str
    sentence: str
    source: str
    verdict: Verdict
    fails_suite: bool
    repeat: str | None
    reason: str
    breaches: tuple[Breach, ...]
    raw: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Scenario:
        shown = raw.get("shown", {})
        return cls(
            id=raw["id"],
            requirement=raw["requirement"],
            level=raw["level"],
            sentence=raw["sentence"],
            source=raw["source"],
            verdict=raw["verdict"],
            fails_suite=raw["fails_suite"],
            repeat=raw.get("repeat"),
            reason=shown.get("reason", ""),
            breaches=tuple(
                Breach(one["expected"], one["observed"], one.get("time_ns"), one.get("packet"))
                for one in shown.get("breaches", ())
            ),
            raw=raw,
        )


@dataclass(frozen=True)
class Conformance:
    """A run of `conform`. `passes` is false where a must failed or could not be judged."""

    system: str
    passes: bool
    counts: dict[str, int]
    scenarios: tuple[Scenario, ...]
    raw: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Conformance:
        scenarios = tuple(Scenario.read(one) for one in raw["scenarios"])
        return cls(raw["system"], raw["passes"], raw["counts"], scenarios, raw)

    def without_traffic(self) -> dict[str, Any]:
        """What `read` needs of `raw`: a report with its traffic has megabytes."""
        return {
            **{key: self.raw[key] for key in ("system", "passes", "counts")},
            "scenarios": [
                {
                    **{key: value for key, value in one.raw.items() if key in Scenario.__dataclass_fields__},
                    "shown": {key: value for key, value in one.raw.get("shown", {}).items() if key in ("reason", "breaches")},
                }
                for one in self.scenarios
            ],
        }


@dataclass(frozen=True)
class Check:
    """A requirement that a replay's receiver was judged by."""

    requirement: str
    level: str
    verdict: Verdict
    tried: int
    violations: int


@dataclass(frozen=True)
class Replay:
    """A run of `replay`. `verdict` is None where the receiver is none that is judged."""

    packets: int
    seed: int | None
    verdict: Verdict | None
    checks: tuple[Check, ...]
    raw: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Replay:
        checks = tuple(
            Check(one["requirement"], one["level"], one["verdict"], one.get("tried", 0), one.get("violations", 0))
            for one in raw.get("checks", ())
        )
        return cls(raw.get("packets", 0), raw.get("seed"), raw.get("verdict"), checks, raw)
