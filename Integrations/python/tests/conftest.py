import sqlite3
import subprocess
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CAPTURES = Path(__file__).parents[3] / "Captures"
ROWS = 1_000_000


@pytest.fixture
def captures() -> Path:
    return CAPTURES


def imported(path: Path) -> Path:
    """Captures/teleoperation as a capture."""
    from telecap.program import run

    run(["import", CAPTURES / "teleoperation.pcapng", "-o", path])
    return path


@pytest.fixture
def teleoperation(tmp_path: Path) -> Path:
    return imported(tmp_path / "teleoperation.telecap")


@pytest.fixture(scope="session")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture whose tele_pose has 1,000,000 rows; the first 5,000 have no x."""
    path = imported(tmp_path_factory.mktemp("million") / "million.telecap")
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM tele_pose")
        database.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO tele_pose SELECT i, i % 65536, i * 1000, 0, 0, CASE WHEN i > 5000 THEN i * 0.25 END, "
            "i * 0.5, -i, 0, 0, 0, 1 FROM n",
            (ROWS,),
        )
    database.close()
    return path


def asked(path: Path, sql: str) -> list[str]:
    """What the sqlite3 program says."""
    done = subprocess.run(["sqlite3", path, sql], check=True, capture_output=True, text=True)
    return done.stdout.strip().split("|")
