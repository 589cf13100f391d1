"""pytest --telecap-sut, alone and with what selects, orders and distributes tests."""

import os
from pathlib import Path

import pytest

from telecap.program import find

BROKEN = "model:phone+no-clamp"
"""Plays what is above 1 and below 0; it breaks both requirements of clamping, and keeps the one on channels."""
PASSES, HIGH, LOW = (f"telecap::tele.haptic.{name}" for name in ("channel-ignored", "clamp-high", "clamp-low"))
ONLY = [word for name in (PASSES, HIGH, LOW) for word in ("--telecap-only", name.removeprefix("telecap::"))]


class Suite:
    """pytest in a process of its own, as a user starts it, and how often it ran the suite."""

    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pytester = pytester
        self.calls = pytester.path / "calls"
        counting = pytester.path / "counting-telecap"
        counting.write_text(f'#!/bin/sh\necho "$@" >> "{self.calls}"\nexec "{Path(find()).resolve()}" "$@"\n')
        counting.chmod(0o755)
        monkeypatch.setenv("TELECAP", os.fspath(counting))

    def __call__(self, *options: str, sut: str = BROKEN) -> pytest.RunResult:
        self.calls.unlink(missing_ok=True)
        return self.pytester.runpytest_subprocess("--telecap-sut", sut, *ONLY, "-rA", *options)

    @property
    def runs(self) -> int:
        """How often a suite ran."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return sum("--dry-run" not in line for line in lines)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    return Suite(pytester, monkeypatch)


def test_each_requirement_is_a_test(suite: Suite) -> None:
    run = suite("-p", "no:randomly")
    run.assert_outcomes(passed=1, failed=2)
    run.stdout.fnmatch_lines([f"PASSED {PASSES}*", f"FAILED {HIGH}*", f"FAILED {LOW}*"])
    run.stdout.fnmatch_lines(["*expected  strength*", "*observed  strength*1.5*", "*repeat    telecap conform*"])
    assert run.ret == 1 and suite.runs == 1


@pytest.mark.parametrize(("options", "outcome"), [([], "xfailed"), (["--runxfail"], "failed")], ids=["xfail", "runxfail"])
def test_a_should_that_failed_is_an_expected_failure_or_with_runxfail_a_failure(
    suite: Suite, options: list[str], outcome: str
) -> None:
    only = ["--telecap-only", "tele.pose.half-range", "--telecap-only", "tele.hello.ack-every"]
    run = suite.pytester.runpytest_subprocess("--telecap-sut", "model:host+half-is-newer", *only, "-rA", *options)
    run.assert_outcomes(passed=1, **{outcome: 1})
    assert run.ret == (1 if options else 0)


@pytest.mark.parametrize("distributed", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_a_suite_of_a_single_should_that_failed_names_it_and_fails_the_session(suite: Suite, distributed: list[str]) -> None:
    only = ["--telecap-only", "tele.pose.half-range"]
    run = suite.pytester.runpytest_subprocess("--telecap-sut", "model:host+half-is-newer", *only, "-rA", *distributed)
    run.assert_outcomes(xfailed=1)
    run.stdout.fnmatch_lines(["telecap: the suite does not pass, because no scenario passed: tele.pose.half-range (should, fail)"])
    assert run.ret == 1


@pytest.mark.parametrize("options", [["-n", "2"], ["-n", "2", "--dist", "loadfile"], ["-n", "1", "-p", "no:randomly"], ["-n", "0"]])
def test_workers_fail_what_fails_alone_and_the_suite_runs_once(suite: Suite, options: list[str]) -> None:
    run = suite(*options)
    run.assert_outcomes(passed=1, failed=2)
    run.stdout.fnmatch_lines([f"FAILED {HIGH}*"])
    assert run.ret == 1 and suite.runs == 1


@pytest.mark.parametrize("distributed", [[], ["-n", "2"]], ids=["alone", "workers"])
@pytest.mark.parametrize(
    ("options", "passed", "failed"),
    [
        (["-k", "clamp-low"], 0, 1),
        (["-k", "channel"], 1, 0),
        (["--deselect", HIGH], 1, 1),
        ([HIGH], 0, 1),
        ([PASSES, LOW], 1, 1),
        (["-x"], None, 1),
    ],
)
def test_what_selects_tests_selects_requirements(
    suite: Suite, distributed: list[str], options: list[str], passed: int | None, failed: int
) -> None:
    if options == ["-x"]:
        if distributed:
            pytest.skip("a second worker may be through with its test before the first one's failure is known")
        options = ["-x", "-p", "no:randomly", "--deselect", PASSES]
    run = suite(*options, *distributed)
    found = run.parseoutcomes()
    assert found.get("failed", 0) == failed and found.get("passed", 0) == (passed or 0)
    assert run.ret == (1 if failed else 0) and suite.runs == 1


def test_a_failure_that_was_not_selected_is_named(suite: Suite) -> None:
    run = suite("-k", "channel")
    assert run.ret == 0
    run.stdout.fnmatch_lines([f"telecap: {HIGH} failed, and was not selected", f"telecap: {LOW} failed, and was not selected"])


@pytest.mark.parametrize("distributed", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_the_last_failures_run_again(suite: Suite, distributed: list[str]) -> None:
    suite(*distributed).assert_outcomes(passed=1, failed=2)
    run = suite("--lf", *distributed)
    run.assert_outcomes(failed=2)
    assert run.ret == 1
    run.stdout.no_fnmatch_line("*no test reported it")


def test_collect_only_lists_requirements_and_runs_nothing(suite: Suite) -> None:
    run = suite("--collect-only", "-q", "-k", "clamp")
    assert run.ret == 0 and suite.runs == 0
    assert sorted(line for line in run.outlines if "::" in line) == [HIGH, LOW]


def test_requirements_run_in_random_order(suite: Suite) -> None:
    orders = set()
    for seed in ("1", "2", "3"):
        run = suite("-p", "randomly", "-p", "no:cacheprovider", f"--randomly-seed={seed}", "-v")
        run.assert_outcomes(passed=1, failed=2)
        orders.add(tuple(line.split()[0] for line in run.outlines if line.startswith("telecap::")))
    assert len(orders) > 1


def test_other_tests_run_next_to_them(suite: Suite) -> None:
    suite.pytester.makepyfile(test_own="def test_own(): pass")
    suite().assert_outcomes(passed=2, failed=2)
    suite("-n", "2").assert_outcomes(passed=2, failed=2)
    run = suite("test_own.py::test_own")
    run.assert_outcomes(passed=1)
    run.stdout.fnmatch_lines([f"telecap: no requirement of {BROKEN} was selected, and nothing ran"])
    assert suite.runs == 0


def test_a_node_id_that_no_requirement_has_is_an_error(suite: Suite) -> None:
    run = suite("telecap::tele.haptic.no-such")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines(["*not found: telecap::tele.haptic.no-such*"])


@pytest.mark.parametrize("options", [[], ["-n", "2"], ["--collect-only"]])
def test_a_system_that_cannot_be_judged_is_an_error(suite: Suite, options: list[str]) -> None:
    run = suite(*options, sut="/nowhere/host.yaml")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert "ended with 66" in run.stdout.str() + run.stderr.str()


def test_a_worker_without_a_report_fails_the_session(suite: Suite) -> None:
    suite.pytester.makeconftest(
        "import pytest\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_configure_node(node): del node.workerinput['telecap_report']\n"
    )
    run = suite("-n", "2")
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    run.stdout.fnmatch_lines(["telecap: a worker ended and did not say which requirements it selected"])


@pytest.mark.parametrize("distributed", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_a_verdict_that_is_lost_fails_the_session(suite: Suite, distributed: list[str]) -> None:
    suite.pytester.makeconftest(
        "import pytest\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_protocol(item): return True if 'clamp' in item.nodeid else None\n"
    )
    run = suite(*distributed)
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    run.stdout.fnmatch_lines([f"telecap: {HIGH} was selected, and no test reported it"])
