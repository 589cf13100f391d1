#!/usr/bin/env python3
"""A phone as a mouse over UDP and TCP, written from mouse.md and semantics.md alone. It does what lines on stdin say:

    connect
    move X Y [SCROLL]
    press BUTTONS
"""
import argparse
import json
import math
import signal
import socket
import struct
import sys

MOVEMENT, CONTROL = 0xAA, 0xBB


def clamp(value, most):
    return max(-most, min(most, value))


class Refused(Exception):
    pass


class Mouse:
    def __init__(self, opts):
        self.o = opts
        self.udp = self.tcp = None
        self.buttons = 0

    def tell(self, **what):
        print(json.dumps(what), flush=True)

    def connect(self):
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.connect(("127.0.0.1", self.o.udp))
        self.tcp = socket.create_connection(("127.0.0.1", self.o.tcp))
        self.tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def whole(self, text, low, high):
        """The nearest count from low to high, and whether it was clamped."""
        value = float(text)
        if math.isnan(value):
            raise Refused("no-number")
        kept = max(low, min(high, value))
        return round(kept), kept != value

    def move(self, x, y, scroll="0"):
        if self.tcp is None:
            raise Refused("not-up")
        (x, cut_x), (y, cut_y) = self.whole(x, -32768, 32767), self.whole(y, -32768, 32767)
        scroll, cut_scroll = self.whole(scroll, -127, 127)
        if cut_x or cut_y or cut_scroll:
            self.tell(clamped=[x, y, scroll])
        while True:
            dx, dy = clamp(x, 127), clamp(y, 127)
            self.udp.send(struct.pack("<BBbbb", MOVEMENT, self.buttons, dx, dy, scroll))
            x, y, scroll = x - dx, y - dy, 0
            if x == 0 and y == 0:
                break

    def press(self, buttons):
        if self.tcp is None:
            raise Refused("not-up")
        self.buttons = int(buttons) & 7
        self.tcp.sendall(struct.pack("<BBbbb", CONTROL, self.buttons, 0, 0, 0))

    def run(self):
        print("mouse ready", file=sys.stderr, flush=True)
        for line in sys.stdin:
            name, *words = line.split()
            try:
                {"connect": self.connect, "move": self.move, "press": self.press}[name](*words)
            except Refused as why:
                self.tell(refused=str(why))


p = argparse.ArgumentParser()
p.add_argument("--udp", type=int, default=8888)
p.add_argument("--tcp", type=int, default=8889)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
Mouse(p.parse_args()).run()
