"""A small DSU server: one controller in slot 0, turned slowly; PAD at 60 Hz to whoever asked in the last 5 s."""

import math
import select
import socket
import struct
import sys
import time
import zlib

ID = 42
SLOT = struct.pack("<BBBB6sB", 0, 2, 2, 2, bytes([1, 2, 3, 4, 5, 6]), 5)


def packet(kind, payload):
    head = struct.pack("<4sHHIII", b"DSUS", 1001, 4 + len(payload), 0, ID, kind)
    crc = zlib.crc32(head + payload)
    return head[:8] + struct.pack("<I", crc) + head[12:] + payload


def pad(number, seconds):
    turn = math.sin(seconds)
    return packet(
        0x100002,
        SLOT
        + struct.pack("<BI4B", 1, number, 0, 0, 0, 0)
        + bytes([128] * 4 + [0] * 12 + [0] * 12)
        + struct.pack("<Q6f", int(seconds * 1e6), turn / 4, -1.0, 0.0, 10 * turn, 0.0, -5 * turn),
    )


def request(data):
    """The type and payload of a request; None for what is none."""
    if len(data) < 20 or data[:4] != b"DSUC":
        return None
    version, length, crc = struct.unpack_from("<HHI", data, 4)
    data = data[: 16 + length]
    if version != 1001 or len(data) < 16 + length or zlib.crc32(data[:8] + bytes(4) + data[12:]) != crc:
        return None
    return struct.unpack_from("<I", data, 16)[0], data[20:]


def answer(link, client, kind, payload, clients):
    if kind == 0x100000:
        link.sendto(packet(kind, struct.pack("<H", 1001)), client)
    elif kind == 0x100001 and len(payload) >= 4:
        count = struct.unpack_from("<i", payload)[0]
        for slot in payload[4 : 4 + max(0, min(4, count))]:
            state = SLOT if slot == 0 else struct.pack("<B10x", slot)
            link.sendto(packet(kind, state + b"\0"), client)
    elif kind == 0x100002 and len(payload) == 8:
        clients[client] = (time.monotonic() + 5, clients.get(client, (0, 0))[1])


def main():
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("127.0.0.1", int(sys.argv[1])))
    print("listening on", link.getsockname()[1], flush=True)
    began = due = time.monotonic()
    clients = {}
    while True:
        wait = max(0, due - time.monotonic())
        if select.select([link], [], [], wait)[0]:
            data, client = link.recvfrom(2048)
            found = request(data)
            if found:
                answer(link, client, *found, clients)
        if time.monotonic() >= due:
            due += 1 / 60
            for client, (until, number) in list(clients.items()):
                if time.monotonic() > until:
                    del clients[client]
                else:
                    clients[client] = (until, number + 1)
                    link.sendto(pad(number, time.monotonic() - began), client)


if __name__ == "__main__":
    main()
