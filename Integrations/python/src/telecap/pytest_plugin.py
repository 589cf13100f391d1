"""pytest --telecap-sut my-host.yaml: each requirement is a test, with the node id telecap::REQUIREMENT.

`telecap conform` runs once for a session: in the process that the user started, and workers of pytest-xdist get its report. The
requirements join what pytest collected before a plugin selects or orders, so -k, --deselect, --lf, node ids and random order
apply to them. --collect-only lists them and runs nothing.

A must that failed or could not be judged is a failure, as it is for `telecap conform`; a should that failed is an expected
failure; a requirement without a verdict is skipped with its reason. A suite in which nothing passed fails the session, as it fails
`telecap conform`. A selected requirement that no test reports fails the
session: an exit status of 0 is never due to a verdict that was lost on its way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .errors import TelecapError
from .program import cases, conform
from .results import Conformance, Scenario

FOLDER = "telecap"
"""The first part of every node id, where others have the file of a test."""
REPORT = "telecap_report"
SELECTED = "telecap_selected"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("telecap")
    group.addoption("--telecap-sut", metavar="SYSTEM", help="judge this system, as telecap conform --sut does")
    group.addoption("--telecap-only", metavar="GLOB", action="append", default=[], help="only scenarios of these ids")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--telecap-sut"):
        config.pluginmanager.register(Judging(config), "telecap-judging")


class Judging:
    """The requirements of one session of pytest: controller, worker, or the only process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.sut: str = config.getoption("--telecap-sut")
        globs: list[str] = config.getoption("--telecap-only") or []
        self.only = [word for glob in globs for word in ("--only", glob)]
        self.selected: set[str] = set()
        self.reported: set[str] = set()
        self.found: Conformance | None = None
        self.has_joined = False
        self.has_silent_worker = False
        # pytest takes the first part of a node id for a path, and telecap:: is none.
        named = [one for one in config.args if one.startswith(FOLDER + "::")]
        is_selective = any("::" in one for one in config.args)
        self.named = {one.removeprefix(FOLDER + "::") for one in named} if is_selective else None
        config.args[:] = [one for one in config.args if one not in named]

    # Running the suite

    def judged(self) -> Conformance:
        """The report of the one run."""
        if self.found is None:
            workerinput = getattr(self.config, "workerinput", None)
            if workerinput is None:
                self.found = _asked(conform, self.sut, *self.only)
                if not self.found.passes and not self.found.scenarios:
                    raise pytest.UsageError(f"telecap conform says that {self.sut} failed, and names no scenario")
            elif REPORT in workerinput:
                self.found = Conformance.read(json.loads(workerinput[REPORT]))
            else:
                raise pytest.UsageError("this worker got no report of telecap conform from its controller")
        return self.found

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        if self.config.pluginmanager.hasplugin("dsession"):
            self.judged()  # before a worker starts: an error is printed once, by the process that the user started

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[REPORT] = json.dumps(self.judged().without_traffic())

    # Collecting

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> Iterator[Any]:
        if self.named is None or self.named:
            suite = Suite.from_parent(session, name=FOLDER, nodeid=FOLDER, groups=self.groups())
            items += session.genitems(suite)
        self.has_joined = True
        return (yield)

    def groups(self) -> dict[str, list[Scenario]]:
        """The scenarios of each requirement that the arguments select."""
        groups: dict[str, list[Scenario]] = {}
        if self.config.option.collectonly:
            groups = {case["requirement"]: [] for case in _asked(cases, self.sut, *self.only)}
        else:
            for scenario in self.judged().scenarios:
                groups.setdefault(scenario.requirement, []).append(scenario)
        if self.named is None:
            return groups
        if unknown := sorted(self.named - groups.keys()):
            raise pytest.UsageError(*(f"not found: {FOLDER}::{one} (--collect-only lists what there is)" for one in unknown))
        return {name: scenarios for name, scenarios in groups.items() if name in self.named}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not self.has_joined:
            return  # pytest calls this after an error too: a worker says nothing then, and its controller fails
        self.selected = {item.nodeid for item in session.items if isinstance(item, Requirement)}
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[SELECTED] = sorted(self.selected)

    # Reporting

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        selected = getattr(node, "workeroutput", {}).get(SELECTED)
        self.selected.update(selected or ())
        self.has_silent_worker |= selected is None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            self.reported.add(report.nodeid)

    def unreported(self) -> list[str]:
        return [] if self.config.option.collectonly else sorted(self.selected - self.reported)

    def unproved(self) -> list[Scenario]:
        """All scenarios of a suite that does not pass though none fails it: none passed either. Else none."""
        if self.found is None or self.found.passes or any(one.fails_suite for one in self.found.scenarios):
            return []
        return list(self.found.scenarios)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        fails = self.has_silent_worker or self.unreported() or self.unproved()
        if fails and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.found is None:
            if not self.config.option.collectonly:
                terminalreporter.write_line(f"telecap: no requirement of {self.sut} was selected, and nothing ran")
            return
        if self.has_silent_worker:
            terminalreporter.write_line("telecap: a worker ended and did not say which requirements it selected")
        if unproved := self.unproved():
            verdicts = ", ".join(f"{one.id} ({one.level}, {one.verdict})" for one in unproved[:5])
            more = f" and {len(unproved) - 5} more" if len(unproved) > 5 else ""
            terminalreporter.write_line(f"telecap: the suite does not pass, because no scenario passed: {verdicts}{more}")
        for one in self.unreported():
            terminalreporter.write_line(f"telecap: {one} was selected, and no test reported it")
        broken = {f"{FOLDER}::{one.requirement}" for one in self.found.scenarios if one.fails_suite}
        for one in sorted(broken - self.selected):
            terminalreporter.write_line(f"telecap: {one} failed, and was not selected")


def _asked(command: Any, *words: str) -> Any:
    """What the program answers; its error is the user's to mend."""
    try:
        return command(*words)
    except TelecapError as error:
        raise pytest.UsageError(str(error)) from error


class Broken(Exception):
    """A requirement was broken; its text is the report."""


class Suite(pytest.Collector):
    """The requirements of a system."""

    def __init__(self, *, groups: dict[str, list[Scenario]], **rest: Any) -> None:
        super().__init__(**rest)
        self.groups = groups

    def collect(self) -> list[pytest.Item]:
        return [Requirement.from_parent(self, name=name, scenarios=one) for name, one in self.groups.items()]


class Requirement(pytest.Item):
    """A requirement, with the scenarios that test it."""

    def __init__(self, *, scenarios: list[Scenario], **rest: Any) -> None:
        super().__init__(**rest)
        self.scenarios = scenarios

    def runtest(self) -> None:
        if not self.scenarios:
            raise Broken(f"{self.name}: no scenario has a verdict")
        failing = [one for one in self.scenarios if one.fails_suite]
        if failing:
            raise Broken("\n\n".join(map(told, failing)))
        weak = [one for one in self.scenarios if one.verdict == "fail"]
        if weak:
            pytest.xfail("\n".join(map(told, weak)))
            raise Broken("\n\n".join(map(told, weak)))  # with --runxfail, pytest.xfail does nothing
        open_ones = [one for one in self.scenarios if one.verdict != "pass"]
        if len(open_ones) == len(self.scenarios):
            pytest.skip("; ".join(f"{one.id} {one.verdict}: {one.reason or 'no reason given'}" for one in open_ones))
        for one in open_ones:
            self.add_report_section("call", "telecap", f"{one.id} {one.verdict}: {one.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


def told(scenario: Scenario) -> str:
    """The expected and the observed of a scenario, and the command that repeats it."""
    lines = [f"{scenario.id} ({scenario.level}, {scenario.verdict}): {scenario.sentence}"]
    if scenario.reason:
        lines.append(f"  reason    {scenario.reason}")
    for breach in scenario.breaches:
        lines += [f"  expected  {breach.expected}", f"  observed  {breach.observed}"]
    if scenario.repeat:
        lines.append(f"  repeat    {scenario.repeat}")
    return "\n".join(lines)
