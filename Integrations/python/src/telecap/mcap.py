"""A capture as MCAP: poses for ROS, and every message as JSON in a second file."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
from mcap.writer import Writer
from rosbags.typesys import Stores, get_typestore

from .capture import Capture
from .capture import open as open_capture
from .errors import TelecapError
from .messages import messages, missing

POSE = "geometry_msgs/msg/PoseStamped"
JSON_TYPES = {"int64": "integer", "double": "number", "string": "string"}


@contextmanager
def written(path: Path, profile: str) -> Iterator[Writer]:
    """A writer to a file beside its place, which is put there when it is whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            writer = Writer(file)
            writer.start(profile=profile, library="telecap")
            yield writer
            writer.finish()  # type: ignore[no-untyped-call]
        beside.rename(path)
    except OSError as error:
        raise TelecapError(f"{path}: {error.strerror}", 73) from error
    finally:
        beside.unlink(missing_ok=True)


def second(path: Path) -> Path:
    """The file of the JSON messages: x.mcap has x.messages.mcap beside it."""
    return path.with_name(f"{path.stem}.messages{path.suffix}")


def to_mcap(capture: str | os.PathLike[str], file: str | os.PathLike[str]) -> tuple[int, int]:
    """Writes both files; tells how many poses and how many JSON messages."""
    path = Path(file)
    for one in (path, second(path)):
        if one.exists():
            raise TelecapError(f"{one}: exists; give a name that does not", 73)
    with open_capture(capture) as opened, written(path, "ros2") as ros, written(second(path), "") as other:
        poses = _poses(opened, ros)
        count = sum(_json(opened, other, name) for name in opened.message_tables())
        if missing(opened, count):
            raise TelecapError(f"{capture}: {missing(opened, count)} messages are in no table of their type")
    return poses, count


def _time(row: dict[str, Any]) -> int:
    """A packet's time as MCAP and ROS can hold it."""
    time = row["time_ns"]
    if time is None or not 0 <= time < 2**31 * 10**9:
        raise TelecapError(f"packet {row['packet']}: its time {time} is none that MCAP and ROS can tell")
    return int(time)


def _rows(table: pyarrow.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=8192):
        yield from batch.to_pylist()


def _poses(capture: Capture, writer: Writer) -> int:
    """Poses as PoseStamped: the frame is `tele`, what is NULL in the capture is NaN."""
    if "tele_pose" not in capture.message_tables():
        return 0
    encode = _pose_encoder()
    definition = get_typestore(Stores.ROS2_HUMBLE).generate_msgdef(POSE, ros_version=2)[0]
    schema = writer.register_schema(POSE, "ros2msg", definition.encode())
    channel = writer.register_channel("/tele/pose", "cdr", schema)
    count = 0
    for count, row in enumerate(_rows(messages(capture, "tele_pose")), 1):
        time = _time(row)
        writer.add_message(channel, time, encode(row, time), time, sequence=row["seq"] or 0)
    return count


def _pose_encoder() -> Callable[[dict[str, Any], int], bytes]:
    store = get_typestore(Stores.ROS2_HUMBLE)
    stamped, pose, header, stamp, point, quaternion = (
        store.types[name]
        for name in (
            POSE,
            "geometry_msgs/msg/Pose",
            "std_msgs/msg/Header",
            "builtin_interfaces/msg/Time",
            "geometry_msgs/msg/Point",
            "geometry_msgs/msg/Quaternion",
        )
    )

    def encode(row: dict[str, Any], time: int) -> bytes:
        x, y, z, qx, qy, qz, qw = (
            float("nan") if row[name] is None else row[name] for name in ("x", "y", "z", "qx", "qy", "qz", "qw")
        )
        value = stamped(header(stamp(time // 10**9, time % 10**9), "tele"), pose(point(x, y, z), quaternion(qx, qy, qz, qw)))
        return bytes(store.serialize_cdr(value, POSE))

    return encode


def _value(value: Any) -> Any:
    """A value as JSON has it: bytes in hexadecimal digits, infinities as text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "Inf" if value > 0 else "-Inf"
    return value


def _schema(table: pyarrow.Table) -> bytes:
    """The JSON Schema of a row; a number may be text too, where it is infinite."""
    types = {field.name: JSON_TYPES.get(str(field.type), "string") for field in table.schema}
    properties = {name: {"type": list(dict.fromkeys([type, "string", "null"]))} for name, type in types.items()}
    return json.dumps({"type": "object", "properties": properties}).encode()


def _json(capture: Capture, writer: Writer, name: str) -> int:
    """The messages of a table on a channel: tele_haptic on /tele/haptic."""
    table = messages(capture, name)
    if table.num_rows == 0:
        return 0
    schema = writer.register_schema(name, "jsonschema", _schema(table))
    channel = writer.register_channel("/" + name.replace("_", "/", 1), "json", schema)
    for row in _rows(table):
        data = json.dumps({key: _value(value) for key, value in row.items()}, allow_nan=False).encode()
        time = _time(row)
        writer.add_message(channel, time, data, time)
    return int(table.num_rows)
