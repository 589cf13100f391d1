"""A small TELE host (udp-v1, one file, no packages). Deliberately naive: it applies poses as they come.

Usage: naive_host.py PORT CODE; it prints what the robot does, one JSON object a line.
"""
import json
import math
import socket
import struct
import sys
import time

HELLO, POSE, BYE, CMD = 1, 3, 4, 5
OK, BAD_CODE, BUSY = 0, 1, 2
SIZES = {HELLO: 18, POSE: 46, BYE: 10, CMD: 8}
BUTTONS = {1: "record", 2: "keep"}


class Host:
    def __init__(self, port, code):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.code = code.encode().ljust(6, b"\0")
        self.client, self.session, self.heard, self.down = None, 0, 0.0, {}

    def run(self):
        print("listening on", self.socket.getsockname(), flush=True)
        while True:
            data, sender = self.socket.recvfrom(65536)
            if self.client and time.monotonic() - self.heard > 3:
                self.client = None
            if len(data) < 6 or data[:4] != b"TELE" or data[5] != 1 or len(data) != SIZES.get(data[4]):
                continue
            if data[4] == HELLO:
                self.hello(data, sender)
            elif sender == self.client:
                self.heard = time.monotonic()
                self.message(data)

    def hello(self, data, sender):
        session, code = struct.unpack_from("<I6s", data, 6)
        status = OK
        if code != self.code:
            status = BAD_CODE
        elif self.client and (sender, session) != (self.client, self.session):
            status = BUSY
        else:
            if not self.client:
                self.down = {}
            self.client, self.session, self.heard = sender, session, time.monotonic()
        self.socket.sendto(struct.pack("<4sBBBB", b"TELE", 2, 1, status, 0), sender)

    def message(self, data):
        if data[4] == POSE:
            pose = struct.unpack_from("<7f", data, 18)
            if all(map(math.isfinite, pose)):
                print(json.dumps({"robot": {"moved": True, "to": pose}}), flush=True)
        elif data[4] == BYE and struct.unpack_from("<I", data, 6)[0] == self.session:
            self.client = None
        elif data[4] == CMD and data[6] in BUTTONS and self.down.get(data[6]) != data[7]:
            self.down[data[6]] = data[7]
            print(json.dumps({"button": BUTTONS[data[6]], "down": bool(data[7])}), flush=True)


Host(int(sys.argv[1]), sys.argv[2]).run()
