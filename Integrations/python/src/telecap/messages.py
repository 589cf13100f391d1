"""The messages of a type, with what is known of their packets."""

import pyarrow

from .capture import Capture, quoted

PACKET = {
    "packet": ("message.packet", "INTEGER"),
    "time_ns": ("packet.time_ns", "INTEGER"),
    "protocol": ("message.protocol", "TEXT"),
    "dialect": ("message.dialect", "TEXT"),
    "type": ("message.type", "TEXT"),
    "direction": ("message.direction", "TEXT"),
    "session": ("message.session", "INTEGER"),
    "carrier": ("flow.carrier", "TEXT"),
    "source": ("flow.source", "TEXT"),
    "destination": ("flow.destination", "TEXT"),
    "offset": ("message.offset", "INTEGER"),
    "length": ("message.length", "INTEGER"),
    "severity": ("message.severity", "TEXT"),
}


def messages(capture: Capture, table: str) -> pyarrow.Table:
    """All messages of one of the capture's message tables; a field named like one of the packet's stands behind `field_`."""
    fields = capture.columns(table)
    names = {name: f"field_{name}" if name in PACKET else name for name in fields}
    select = [f"{sql} AS {quoted(name)}" for name, (sql, _) in PACKET.items()]
    select += [f"fields.{quoted(name)} AS {quoted(shown)}" for name, shown in names.items()]
    types = {name: type for name, (_, type) in PACKET.items()} | {names[name]: type for name, type in fields.items()}
    return capture.typed(
        types,
        f"SELECT {', '.join(select)} FROM {quoted(table)} AS fields JOIN message ON message.id = fields.message "
        "LEFT JOIN packet ON packet.id = message.packet LEFT JOIN flow ON flow.id = message.flow ORDER BY fields.message",
    )


def missing(capture: Capture, found: int) -> int:
    """How many messages of the capture were not among those found."""
    total: int = capture.query("SELECT COUNT(*) FROM message").column(0)[0].as_py()
    return total - found
