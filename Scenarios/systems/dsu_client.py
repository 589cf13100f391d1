"""A DSU client as many programs have it: it checks the header, and goes by every PAD as it comes. So a late or doubled PAD
turns the view back, which is what `telecap conform` finds."""

import json
import math
import socket
import struct
import sys
import time
import zlib

ID = 1


def packet(kind, payload=b""):
    head = struct.pack("<4sHHIII", b"DSUC", 1001, 4 + len(payload), 0, ID, kind)
    crc = zlib.crc32(head + payload)
    return head[:8] + struct.pack("<I", crc) + head[12:] + payload


def pad(data):
    """The slot, number and motion of a PAD; None for what is none."""
    if len(data) < 20 or data[:4] != b"DSUS":
        return None
    version, length, crc = struct.unpack_from("<HHI", data, 4)
    if version != 1001 or len(data) < 16 + length:
        return None
    data = data[: 16 + length]
    if zlib.crc32(data[:8] + b"\0\0\0\0" + data[12:]) != crc or len(data) != 100:
        return None
    if struct.unpack_from("<I", data, 16)[0] != 0x100002:
        return None
    motion = struct.unpack_from("<3f", data, 76) + struct.unpack_from("<3f", data, 88)
    if not all(math.isfinite(value) for value in motion):
        return None
    return data[20], struct.unpack_from("<I", data, 32)[0], motion


def main():
    address = (sys.argv[1], int(sys.argv[2]))
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.settimeout(0.2)
    asked = 0.0
    while True:
        if time.monotonic() - asked > 1:
            asked = time.monotonic()
            link.sendto(packet(0x100002, bytes(8)), address)
        try:
            found = pad(link.recv(2048))
        except (TimeoutError, ConnectionRefusedError):
            continue
        if found:
            slot, number, motion = found
            print(json.dumps({"event": "pad", "slot": slot, "number": number, "motion": motion}), flush=True)


if __name__ == "__main__":
    main()
