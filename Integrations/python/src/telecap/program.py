"""Runs the telecap program: found by TELECAP in the environment, or on PATH."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .errors import TelecapError
from .results import Conformance, Replay


def find() -> str:
    """The path of the program."""
    named = os.environ.get("TELECAP")
    found = shutil.which(named or "telecap")
    if found is None:
        where = f"TELECAP names {named}, which is no program" if named else "telecap is not on PATH"
        raise TelecapError(f"{where}: install it, or set TELECAP to its path", 69)
    return found


def run(arguments: Sequence[str | os.PathLike[str]], allowed: Sequence[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Runs the program; an exit status that is not allowed is an error with what it wrote."""
    command = [find(), *(os.fspath(one) for one in arguments)]
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode not in allowed:
        raise TelecapError(
            f"telecap {command[1]} ended with {done.returncode}: {done.stderr.strip()}",
            done.returncode if done.returncode > 0 else 70,
        )
    return done


def _json(text: str, command: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise TelecapError(f"telecap {command} wrote no JSON that can be read: {error}") from error
    if not isinstance(value, dict):
        raise TelecapError(f"telecap {command} wrote JSON that is no object")
    return value


def conform(sut: str | os.PathLike[str] = "models", *options: str | os.PathLike[str]) -> Conformance:
    """Judges a system; options are those of `telecap conform`, such as "--only", "tele.pose.*"."""
    with tempfile.TemporaryDirectory(prefix="telecap-") as folder:
        report = Path(folder) / "report.json"
        done = run(["conform", "--sut", sut, "--json", report, *options], allowed=(0, 1))
        found = Conformance.read(_json(report.read_text(encoding="utf-8"), "conform"))
        if found.passes != (done.returncode == 0):
            raise TelecapError(f"telecap conform ended with {done.returncode}, and its report says passes: {found.passes}")
        return found


def cases(sut: str | os.PathLike[str] = "models", *options: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The cases that `conform` would run, each with its "scenario", "requirement" and "case"; nothing runs."""
    done = run(["conform", "--dry-run", "--format", "json", "--sut", sut, *options])
    return [_json(line, "conform --dry-run") for line in done.stdout.splitlines()]


def replay(
    capture: str | os.PathLike[str],
    to: str | os.PathLike[str] | None = None,
    *options: str | os.PathLike[str],
) -> Replay:
    """Sends a recording again; options are those of `telecap replay`, such as "--loss", "5%"."""
    target = [] if to is None else ["--to", to]
    done = run(["replay", capture, *target, *options, "--format", "json"], allowed=(0, 1))
    lines = done.stdout.splitlines()
    if not lines:
        raise TelecapError(f"telecap replay printed nothing: {done.stderr.strip()}")
    return Replay.read(_json(lines[-1], "replay"))
