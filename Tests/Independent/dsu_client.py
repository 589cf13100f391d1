#!/usr/bin/env python3
"""A DSU client written from dsu.md alone: it goes by the newest PAD of each slot.

Where the page leaves a choice there is an option for it; every value of every option is right.
"""
import argparse
import json
import math
import signal
import socket
import struct
import time
import zlib

VERSION, PAD = 1001, 0x100002
PAD_SIZE = 100
ASK_EVERY = 1.0


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--udp", type=int, required=True)
    p.add_argument("--slow-start", type=float, default=0, help="takes so many seconds before it asks")
    p.add_argument("--id", type=int, default=1, help="of this client: any number of 32 bits")
    p.add_argument("--slots", action="store_true", help="asks for each slot by its number, not for all at once")
    p.add_argument("--probe", action="store_true", help="asks for the version and for the ports first")
    return p.parse_args()


class Client:
    def __init__(self, opts):
        self.o = opts
        self.newest = {}
        self.server = None
        self.ends = False
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.link.settimeout(0.1)

    def send(self, kind, payload=b""):
        head = struct.pack("<4sHHIII", b"DSUC", VERSION, 4 + len(payload), 0, self.o.id, kind)
        data = head[:8] + struct.pack("<I", zlib.crc32(head + payload)) + head[12:] + payload
        try:
            self.link.sendto(data, ("127.0.0.1", self.o.udp))
        except OSError:
            pass

    def ask(self):
        if not self.o.slots:
            return self.send(PAD, bytes(8))
        for slot in range(4):
            self.send(PAD, bytes([1, slot]) + bytes(6))

    def take(self, data):
        if len(data) < 20 or data[:4] != b"DSUS":
            return
        version, length, crc, sender, kind = struct.unpack_from("<HHIII", data, 4)
        if version != VERSION or len(data) < 16 + length:
            return
        data = data[:16 + length]
        if zlib.crc32(data[:8] + bytes(4) + data[12:]) != crc or kind != PAD or len(data) != PAD_SIZE:
            return
        slot, number = data[20], struct.unpack_from("<I", data, 32)[0]
        motion = struct.unpack_from("<6f", data, 76)
        if not all(map(math.isfinite, motion)):
            return
        # A server that begins anew has a new id, and counts from the beginning.
        if sender != self.server:
            self.server, self.newest = sender, {}
        if slot in self.newest and not 1 <= (number - self.newest[slot]) % (1 << 32) < 1 << 31:
            return
        self.newest[slot] = number
        print(json.dumps({"event": "pad", "slot": slot, "number": number, "motion": motion}), flush=True)

    def run(self):
        time.sleep(self.o.slow_start)
        if self.o.probe:
            self.send(0x100000)
            self.send(0x100001, struct.pack("<i4B", 4, 0, 1, 2, 3))
        asked = -ASK_EVERY
        while not self.ends:
            if time.monotonic() - asked >= ASK_EVERY:
                asked = time.monotonic()
                self.ask()
            try:
                self.take(self.link.recv(2048))
            except OSError:
                pass


client = Client(options())
signal.signal(signal.SIGTERM, lambda *_: setattr(client, "ends", True))
client.run()
