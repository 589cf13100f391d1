#!/usr/bin/env python3
"""A DSU server written from dsu.md alone: it has one connected controller in slot 0, which lies on a table.

Where the page leaves a choice there is an option for it; every value of every option is right.
"""
import argparse
import json
import select
import signal
import socket
import struct
import time
import zlib

VERSION = 1001
RUMBLE_ENDS = 5
VERSION_ASKED, PORTS_ASKED, PAD_ASKED, RUMBLE = 0x100000, 0x100001, 0x100002, 0x110002
SLOT = struct.pack("<BBBB6sB", 0, 2, 2, 2, b"\2\2\3\4\5\6", 5)
EMPTY = [struct.pack("<BBBB6sB", n, 0, 0, 0, bytes(6), 0) for n in range(4)]


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--udp", type=int, required=True)
    p.add_argument("--rate", type=float, default=60, help="PAD so often a second")
    p.add_argument("--timeout", type=float, default=5, help="a client that has not asked for so many seconds is gone")
    p.add_argument("--padded", action="store_true", help="VERSION has two bytes of padding, as servers in the field send it")
    p.add_argument("--first", type=int, default=0, help="the first packet_number of each client")
    return p.parse_args()


class Server:
    def __init__(self, opts):
        self.o = opts
        self.clients = {}
        self.motors = {}
        self.ends = False
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.bind(("127.0.0.1", opts.udp))
        print("ready", flush=True)

    def send(self, peer, kind, payload):
        head = struct.pack("<4sHHIII", b"DSUS", VERSION, 4 + len(payload), 0, 42, kind)
        crc = zlib.crc32(head + payload)
        self.link.sendto(head[:8] + struct.pack("<I", crc) + head[12:] + payload, peer)

    def take(self, data, peer):
        if len(data) < 20 or data[:4] != b"DSUC":
            return
        version, length, crc, _, kind = struct.unpack_from("<HHIII", data, 4)
        if version != VERSION or len(data) < 16 + length:
            return
        data = data[:16 + length]
        if zlib.crc32(data[:8] + bytes(4) + data[12:]) != crc:
            return
        if kind == VERSION_ASKED:
            self.send(peer, kind, struct.pack("<H", VERSION) + (bytes(2) if self.o.padded else b""))
        elif kind == PORTS_ASKED and len(data) >= 24:
            count = struct.unpack_from("<i", data, 20)[0]
            for slot in data[24:24 + count] if 0 < count <= 4 else b"":
                if slot < 4:
                    self.send(peer, kind, (SLOT if slot == 0 else EMPTY[slot]) + b"\0")
        elif kind == PAD_ASKED and len(data) == 28:
            flags, slot = data[20], data[21]
            if flags == 0 or flags & 1 and slot == 0 or flags & 2 and data[22:28] == SLOT[4:10]:
                number = self.clients[peer][1] if peer in self.clients else self.o.first
                self.clients[peer] = [time.monotonic(), number]
        elif kind == RUMBLE and len(data) == 30:
            self.rumble(data[21], data[28], data[29])

    def rumble(self, slot, motor, intensity):
        self.motors[slot, motor] = time.monotonic()
        print(json.dumps({"event": "rumble", "slot": slot, "motor": motor, "intensity": intensity}), flush=True)

    def silence(self):
        for (slot, motor), since in list(self.motors.items()):
            if time.monotonic() - since >= RUMBLE_ENDS:
                self.rumble(slot, motor, 0)
                del self.motors[slot, motor]

    def pads(self):
        now = time.monotonic()
        self.clients = {peer: client for peer, client in self.clients.items() if now - client[0] <= self.o.timeout}
        for peer, client in self.clients.items():
            number = client[1]
            client[1] = (number + 1) & 0xFFFFFFFF
            buttons = bytes(4) + bytes([128] * 4) + bytes(12)
            pad = SLOT + struct.pack("<BI", 1, number) + buttons + bytes(12)
            self.send(peer, PAD_ASKED, pad + struct.pack("<Q6f", int(now * 1e6), 0, -1, 0, 0, 0, 0))

    def run(self):
        due = time.monotonic()
        while not self.ends:
            # A motor stops at its time, however rarely PAD goes.
            wake = min([due] + [since + RUMBLE_ENDS for since in self.motors.values()])
            if select.select([self.link], [], [], max(0, wake - time.monotonic()))[0]:
                try:
                    self.take(*self.link.recvfrom(2048))
                except OSError:
                    pass
            if time.monotonic() >= due:
                due = max(due + 1 / self.o.rate, time.monotonic())
                self.pads()
            self.silence()


server = Server(options())
signal.signal(signal.SIGTERM, lambda *_: setattr(server, "ends", True))
server.run()
