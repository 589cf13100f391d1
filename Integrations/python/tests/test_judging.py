from pathlib import Path

import pytest

import telecap
from telecap.pytest_plugin import told


def test_conform_gives_objects() -> None:
    result = telecap.conform("model:phone+no-clamp", "--only", "tele.haptic.clamp-high")
    assert not result.passes and result.counts["failed"] == 1
    (scenario,) = result.scenarios
    assert scenario.verdict == "fail" and scenario.breaches[1].observed == "strength 1.5 (6 times)"
    assert scenario.repeat and "repeat    " + scenario.repeat in told(scenario)


def test_replay_gives_objects(captures: Path) -> None:
    result = telecap.replay(captures / "teleoperation.pcapng", "model:host", "--seed", "3")
    assert result.verdict == "pass" and result.packets == 96
    assert result.checks[0].requirement == "tele.pose.latest-value-wins" and result.checks[0].tried == 91
    with pytest.raises(telecap.TelecapError, match="telecap replay ended with 66"):
        telecap.replay("/nowhere.pcap", "model:host")


CASES = """
import pytest
from telecap.pytest_plugin import Requirement
from telecap.results import Scenario

def test_outcomes(request):
    def run(level, verdict, fails_suite):
        one = Scenario("id", "id", level, "It holds.", "", verdict, fails_suite, None, "too late", (), {})
        Requirement.from_parent(request.session, name="id", scenarios=[one]).runtest()
    run("must", "pass", False)
    with pytest.raises(Exception, match="too late"):
        run("must", "inconclusive", True)
    with pytest.raises(pytest.skip.Exception, match="id unsupported: too late"):
        run("must", "unsupported", False)
    with pytest.raises(pytest.xfail.Exception, match="It holds"):
        run("should", "fail", False)
"""


def test_what_is_not_judged_passes_nowhere(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(CASES)
    pytester.runpytest().assert_outcomes(passed=1)
