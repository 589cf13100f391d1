#!/usr/bin/env python3
"""A phone as a mouse over UDP and TCP, written from mouse.md and semantics.md alone. It does what lines on stdin say:

    connect
    move X Y [SCROLL]
    press BUTTONS

With --http PORT it does what requests say: POST /connect, POST /move with {"x": "300", "y": "-2", "scroll": "0"},
POST /press?buttons=1. What it refuses is answered by 422.
"""
import argparse
import http.server
import json
import math
import signal
import socket
import struct
import sys
import urllib.parse

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

    def do(self, name, *words):
        """Whether it was not refused."""
        try:
            {"connect": self.connect, "move": self.move, "press": self.press}[name](*words)
            return True
        except Refused as why:
            self.tell(refused=str(why))
            return False

    def serve(self):
        mouse = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                url = urllib.parse.urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if url.path == "/move":
                    asked = json.loads(body)
                    words = [asked["x"], asked["y"], asked["scroll"]]
                else:
                    words = urllib.parse.parse_qs(url.query).get("buttons", [])
                self.send_response(204 if mouse.do(url.path[1:], *words) else 422)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", self.o.http), Handler)
        print("mouse ready", file=sys.stderr, flush=True)
        server.serve_forever()

    def run(self):
        if self.o.http:
            return self.serve()
        print("mouse ready", file=sys.stderr, flush=True)
        for line in sys.stdin:
            self.do(*line.split())


p = argparse.ArgumentParser()
p.add_argument("--udp", type=int, default=8888)
p.add_argument("--tcp", type=int, default=8889)
p.add_argument("--http", type=int, help="takes requests at this port, in place of lines")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
Mouse(p.parse_args()).run()
