"""A TELE host (udp-v1) that prints JSON Lines, at times with a second object on the same line, and takes its time to start.

Usage: json_host.py --port PORT --code CODE [--start SECONDS]
"""
import argparse
import json
import math
import socket
import struct
import sys
import time

HELLO, POSE, BYE, CMD = 1, 3, 4, 5
SIZES = {HELLO: 18, POSE: 46, BYE: 10, CMD: 8}


class Host:
    def __init__(self, options):
        time.sleep(options.start)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", options.port))
        self.socket.settimeout(0.05)
        self.code = options.code.encode().ljust(6, b"\0")
        self.client, self.session, self.heard, self.seq, self.down = None, 0, 0.0, None, {}
        self.count, self.kept = 0, ""

    # What it prints: a subclass has other habits.

    def log(self, event):
        print(json.dumps(event), flush=True)

    def moved(self, seq, place, turn):
        event = {"type": "pose", "data": {"frame": seq, "pose": {"position": place, "rotation": turn}}}
        self.count += 1
        # Now and then how it is goes out without an end of line before it.
        lead = json.dumps({"type": "stats", "poses": self.count}) if self.count % 4 == 2 else ""
        print(lead + json.dumps(event), flush=True)

    def pressed(self, button, down):
        self.log({"type": "command", "data": {"name": ["", "recording", "keep"][button], "on": bool(down)}})

    def opened(self):
        self.log({"type": "connected", "data": {"ip": self.client[0], "port": self.client[1], "session": self.session}})

    def ready(self):
        print("host is up", file=sys.stderr, flush=True)

    def closed(self, why):
        self.log({"type": "disconnected", "data": {"reason": why}})

    # What it does.

    def run(self):
        self.ready()
        while True:
            try:
                data, sender = self.socket.recvfrom(65536)
            except TimeoutError:
                data = b""
            if self.client and time.monotonic() - self.heard > 3:
                self.end("silence")
            if len(data) < 6 or data[:4] != b"TELE" or data[5] != 1 or len(data) != SIZES.get(data[4]):
                continue
            if data[4] == HELLO:
                self.hello(data, sender)
            elif sender == self.client:
                self.heard = time.monotonic()
                self.message(data)

    def end(self, why):
        self.client = None
        self.closed(why)

    def hello(self, data, sender):
        session, code = struct.unpack_from("<I6s", data, 6)
        status = 0
        if code != self.code:
            status = 1
        elif self.client and (sender, session) != (self.client, self.session):
            status = 2
        elif not self.client:
            self.client, self.session, self.seq, self.down = sender, session, None, {}
            self.opened()
        if status == 0:
            self.heard = time.monotonic()
        self.socket.sendto(struct.pack("<4sBBBB", b"TELE", 2, 1, status, 0), sender)

    def message(self, data):
        if data[4] == POSE:
            seq = struct.unpack_from("<H", data, 6)[0]
            pose = struct.unpack_from("<7f", data, 18)
            isnew = self.seq is None or 0 < (seq - self.seq) % 65536 < 32768
            if isnew and all(map(math.isfinite, pose)) and abs(math.hypot(*pose[3:]) - 1) < 1e-3:
                self.seq = seq
                self.moved(seq, list(pose[:3]), list(pose[3:]))
        elif data[4] == BYE and struct.unpack_from("<I", data, 6)[0] == self.session:
            self.end("goodbye")
        elif data[4] == CMD and data[6] in (1, 2) and data[7] in (0, 1) and self.down.get(data[6], 0) != data[7]:
            self.down[data[6]] = data[7]
            self.pressed(data[6], data[7])


def options(parser=None):
    parser = parser or argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--code", default="ABC123")
    parser.add_argument("--start", type=float, default=0)
    return parser


if __name__ == "__main__":
    Host(options().parse_args()).run()
