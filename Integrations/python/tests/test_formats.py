import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import jsonschema
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

import telecap
from telecap.mcap import to_mcap
from telecap.parquet import to_parquet
from telecap.program import run


def test_parquet_is_partitioned_by_protocol_and_type(teleoperation: Path, captures: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    command = [sys.executable, "-m", "telecap", "to-parquet", teleoperation, captures / "mouse-drag.pcapng", out]
    subprocess.run(command, check=True)
    poses = duckdb.sql(f"SELECT COUNT(*), MIN(capture) FROM '{out}/protocol=tele/type=POSE/*.parquet'").fetchall()
    assert poses == [(91, "teleoperation.telecap")]
    assert (out / "protocol=mouse" / "type=MOVEMENT").is_dir()
    ends = duckdb.sql(f"SELECT DISTINCT source FROM '{out}/protocol=tele/*/*.parquet' ORDER BY source").fetchall()
    with telecap.open(teleoperation) as capture:
        expected = capture.query("SELECT DISTINCT source FROM dissection ORDER BY source").column(0).to_pylist()
    assert [end for (end,) in ends] == expected
    assert all(re.fullmatch(r"[0-9.]+:[0-9]+", end) for end in expected)
    with pytest.raises(telecap.TelecapError, match="exists"):
        to_parquet([teleoperation], out)
    assert not list(tmp_path.glob(".set*"))


def test_mcap_is_read_back_whole_and_rosbags_converts_the_poses(teleoperation: Path, tmp_path: Path) -> None:
    path = tmp_path / "session.mcap"
    assert to_mcap(teleoperation, path) == (91, 129)
    with telecap.open(teleoperation) as capture:
        poses = capture.query("SELECT time_ns, x, qw FROM dissection WHERE type = 'POSE' ORDER BY message").to_pylist()
        times = capture.query("SELECT type, time_ns FROM dissection ORDER BY time_ns, type").to_pylist()
    with (tmp_path / "session.messages.mcap").open("rb") as file:
        found = [(s, c, m) for s, c, m in make_reader(file).iter_messages()]
    read = [(json.loads(m.data), m.log_time, c.topic) for _, c, m in found]
    for schema, _, message in found:
        assert schema is not None
        checker = jsonschema.Draft202012Validator(json.loads(schema.data))
        checker.check_schema(checker.schema)
        checker.validate(json.loads(message.data))
    assert sorted((row["type"], time) for row, time, _ in read) == sorted((r["type"], r["time_ns"]) for r in times)
    assert {topic for _, _, topic in read} >= {"/tele/haptic", "/tele/cmd", "/tele/pose"}

    bag = tmp_path / "session.bag"
    subprocess.run([Path(sys.executable).parent / "rosbags-convert", "--src", path, "--dst", bag], check=True)
    with AnyReader([bag]) as reader:
        converted = [(time, reader.deserialize(raw, c.msgtype)) for c, time, raw in reader.messages()]
    assert [(time, m.pose.position.x, m.pose.orientation.w) for time, m in converted] == [
        (p["time_ns"], p["x"], p["qw"]) for p in poses
    ]
    assert {m.header.frame_id for _, m in converted} == {"tele"}


def test_a_reader_of_cdr_that_did_not_write_it_reads_the_poses(teleoperation: Path, tmp_path: Path) -> None:
    path = tmp_path / "session.mcap"
    to_mcap(teleoperation, path)
    columns = ["x", "y", "z", "qx", "qy", "qz", "qw"]
    with telecap.open(teleoperation) as capture:
        query = f"SELECT time_ns, {', '.join(columns)} FROM dissection WHERE type = 'POSE' ORDER BY message"
        expected = [tuple(row.values()) for row in capture.query(query).to_pylist()]
    read = []
    with path.open("rb") as file:
        for _, _, _, stamped in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
            (position, turn), stamp = (stamped.pose.position, stamped.pose.orientation), stamped.header.stamp
            values = [getattr(position, name) for name in "xyz"] + [getattr(turn, name) for name in "xyzw"]
            read.append((stamp.sec * 1_000_000_000 + stamp.nanosec, *values))
    assert len(read) == 91 and read == expected


def test_csv_and_json_lines_have_the_documented_columns(teleoperation: Path, captures: Path) -> None:
    page = (captures.parent / "Documentation" / "reference" / "capture-file.md").read_text()
    listed = re.findall(r"`(\w+)`", page.split("Every type has ")[1].split(";")[0])
    with telecap.open(teleoperation) as capture:
        columns = capture.table("dissection").column_names
    assert columns[: len(listed)] == listed
    rows = list(csv.DictReader(run(["export", teleoperation, "--format", "csv"]).stdout.splitlines()))
    lines = [json.loads(line) for line in run(["export", teleoperation, "--format", "jsonl"]).stdout.splitlines()]
    assert list(rows[0]) == columns and len(rows) == len(lines) == 129
    for row, line in zip(rows, lines):
        assert [name for name in columns if row[name] != ""] == list(line)
