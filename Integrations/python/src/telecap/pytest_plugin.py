"""pytest --telecap-sut my-host.yaml: each requirement is a test.

The system is judged once, as the tests are collected. A must that failed or could not be judged is a failure, as it is for
`telecap conform`; a should that failed is an expected failure; what was not judged is skipped with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .errors import TelecapError
from .program import conform
from .results import Scenario


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("telecap")
    group.addoption("--telecap-sut", metavar="SYSTEM", help="judge this system, as telecap conform --sut does")
    group.addoption("--telecap-only", metavar="GLOB", action="append", default=[], help="only scenarios of these ids")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[Any]:
    result = yield
    sut = session.config.getoption("--telecap-sut")
    if sut:
        globs: list[str] = session.config.getoption("--telecap-only") or []
        only = [word for glob in globs for word in ("--only", glob)]
        try:
            found = conform(sut, *only)
        except TelecapError as error:
            raise pytest.UsageError(str(error)) from error
        groups: dict[str, list[Scenario]] = {}
        for scenario in found.scenarios:
            groups.setdefault(scenario.requirement, []).append(scenario)
        for name, scenarios in groups.items():
            session.items.append(Requirement.from_parent(session, name=name, scenarios=scenarios))
        session.testscollected = len(session.items)
    return result


class Broken(Exception):
    """A requirement was broken; its text is the report."""


class Requirement(pytest.Item):
    """A requirement, with the scenarios that test it."""

    def __init__(self, *, scenarios: list[Scenario], **rest: Any) -> None:
        super().__init__(**rest)
        self.scenarios = scenarios

    def runtest(self) -> None:
        failing = [one for one in self.scenarios if one.fails_suite]
        if failing:
            raise Broken("\n\n".join(map(told, failing)))
        weak = [one for one in self.scenarios if one.verdict == "fail"]
        if weak:
            pytest.xfail("\n".join(map(told, weak)))
        open_ones = [one for one in self.scenarios if one.verdict != "pass"]
        if len(open_ones) == len(self.scenarios):
            pytest.skip("; ".join(f"{one.id} {one.verdict}: {one.reason or 'no reason told'}" for one in open_ones))
        for one in open_ones:
            self.add_report_section("call", "telecap", f"{one.id} {one.verdict}: {one.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


def told(scenario: Scenario) -> str:
    """What was expected, what was observed, and how to repeat it."""
    lines = [f"{scenario.id} ({scenario.level}, {scenario.verdict}): {scenario.sentence}"]
    if scenario.reason:
        lines.append(f"  reason    {scenario.reason}")
    for breach in scenario.breaches:
        lines += [f"  expected  {breach.expected}", f"  observed  {breach.observed}"]
    if scenario.repeat:
        lines.append(f"  repeat    {scenario.repeat}")
    return "\n".join(lines)
