import sqlite3
from pathlib import Path

import duckdb
import polars
import pyarrow
import pytest
from conftest import ROWS, asked
from pyarrow import compute

import telecap


def test_sums_of_a_million_rows_are_those_of_sqlite3(million: Path) -> None:
    with telecap.open(million) as capture:
        poses = capture.table("tele_pose")
    assert poses.num_rows == ROWS
    columns = ["seq", "timestamp_us", "x", "y", "z", "qw"]
    said = asked(million, "SELECT " + ", ".join(f"SUM({one})" for one in columns) + ", COUNT(x) FROM tele_pose")
    ours = [compute.sum(poses[one]).as_py() for one in columns]
    assert ours == [float(one) for one in said[:-1]]  # quarters: sums are exact
    assert ROWS - poses["x"].null_count == int(said[-1])
    assert poses.to_pandas()["x"].sum() == ours[2]
    assert polars.from_arrow(poses)["x"].sum() == ours[2]
    assert duckdb.sql("SELECT SUM(x) FROM poses").fetchall() == [(ours[2],)]


def test_types_are_those_declared_wherever_nulls_stand(teleoperation: Path) -> None:
    with telecap.open(teleoperation) as capture:
        assert capture.table("message").schema.field("severity_code").type == pyarrow.int64()
        assert capture.table("tele_malformed").schema.field("body").type == pyarrow.binary()
        assert capture.table("message").column_names[-1] == "severity"
        assert capture.table("dissection").schema.field("intensity").type == pyarrow.float64()
        assert capture.table("dissection").num_rows == capture.table("message").num_rows


def test_a_pcapng_is_imported_first(captures: Path) -> None:
    with telecap.open(captures / "teleoperation.pcapng") as capture:
        path = capture.path
        assert capture.table("tele_pose").num_rows == 91
    assert not path.exists()


def test_without_the_program_it_says_what_to_do(captures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELECAP", "/nowhere/telecap")
    with pytest.raises(telecap.TelecapError, match="TELECAP names /nowhere/telecap, which is no program: install it"):
        telecap.open(captures / "busy.pcapng")


def test_names_are_quoted_and_values_held_to_their_columns(teleoperation: Path) -> None:
    database = sqlite3.connect(teleoperation)
    database.execute('CREATE TABLE "a""; DROP TABLE packet; --" ("b""c" INTEGER)')
    database.execute("CREATE TABLE wrong (x INTEGER)")
    database.execute("INSERT INTO wrong VALUES ('text')")
    database.commit()
    database.close()
    with telecap.open(teleoperation) as capture:
        assert capture.table('a"; DROP TABLE packet; --').column_names == ['b"c']
        with pytest.raises(telecap.TelecapError, match="column x holds a value that is no INTEGER"):
            capture.table("wrong")
        with pytest.raises(telecap.TelecapError, match="readonly"):
            capture.query("DELETE FROM packet")
        with pytest.raises(telecap.TelecapError, match="no table poses; there are: .*tele_pose"):
            capture.table("poses")
        assert capture.table("packet").num_rows == 129


def test_what_is_no_capture_is_told(tmp_path: Path) -> None:
    with pytest.raises(telecap.TelecapError, match="No such file"):
        telecap.open(tmp_path / "none.telecap")
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x)")
    with pytest.raises(telecap.TelecapError, match="no capture of telecap"):
        telecap.open(path)
