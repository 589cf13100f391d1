#!/usr/bin/env python3
"""A host of the iPhone mouse protocol over UDP and TCP, written from mouse.md and semantics.md alone."""
import argparse
import json
import os
import selectors
import signal
import socket
import struct
import sys
import time

HEADERS = (0xAA, 0xBB)
SIZE = 5


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--udp", type=int, default=int(os.environ.get("MOUSE_UDP", 8888)))
    p.add_argument("--tcp", type=int, default=int(os.environ.get("MOUSE_TCP", 8889)))
    p.add_argument("--screen", default="1366x768")
    p.add_argument("--at", default="100,100", help="where the pointer begins")
    p.add_argument("--one-line", action="store_true", help="prints the whole state after each packet, changed or not")
    p.add_argument("--quiet-start", action="store_true", help="prints nothing before something changes")
    p.add_argument("--slow-start", type=float, default=0, help="takes so many seconds before it listens")
    p.add_argument("--frames", action="store_true", help="prints what has changed 30 times a second, not after each packet")
    p.add_argument("--minus-128", choices=["drop", "clamp", "read"], default="drop")
    return p.parse_args()


class MouseHost:
    def __init__(self, opts):
        self.o = opts
        self.width, self.height = map(int, opts.screen.split("x"))
        self.x, self.y = map(int, opts.at.split(","))
        self.buttons = 0
        self.scroll = 0
        self.streams = {}
        self.ends = False
        self.shown = (self.x, self.y, self.buttons, self.scroll)
        self.next_frame = 0.0

    # What it prints.

    def tell(self, **what):
        print(json.dumps(what), flush=True)

    def pointer(self):
        return {"cursor": [self.x, self.y]}

    def keys(self):
        return {"left": bool(self.buttons & 1), "right": bool(self.buttons & 2), "middle": bool(self.buttons & 4)}

    # Packets.

    def packet(self, data):
        if len(data) != SIZE or data[0] not in HEADERS:
            return
        buttons = data[1] & 0x07
        dx, dy, scroll = struct.unpack_from("<3b", data, 2)
        if -128 in (dx, dy, scroll):
            if self.o.minus_128 == "drop":
                return
            if self.o.minus_128 == "clamp":
                dx, dy, scroll = max(dx, -127), max(dy, -127), max(scroll, -127)
        self.x += dx
        self.y += dy
        self.x = max(0, self.x)
        self.x = min(self.width - 1, self.x)
        self.y = max(0, self.y)
        self.y = min(self.height - 1, self.y)
        self.buttons = buttons
        self.scroll += scroll
        if not self.o.frames:
            self.show()

    def show(self):
        """Prints what has changed since it was last shown."""
        before, self.shown = self.shown, (self.x, self.y, self.buttons, self.scroll)
        if self.o.one_line:
            self.tell(**self.pointer(), keys=self.keys(), wheel=self.scroll)
            return
        if (self.x, self.y) != before[:2]:
            self.tell(**self.pointer())
        if self.buttons != before[2]:
            self.tell(keys=self.keys())
        if self.scroll != before[3]:
            self.tell(wheel=self.scroll)

    def take(self, stream, piece):
        """The next bytes of a control connection."""
        stream += piece
        while stream:
            if stream[0] not in HEADERS:
                del stream[0]
                continue
            if len(stream) < SIZE:
                break
            packet = bytes(stream[:SIZE])
            del stream[:SIZE]
            self.packet(packet)

    # Sockets.

    def run(self):
        time.sleep(self.o.slow_start)
        wait = selectors.DefaultSelector()
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        udp.bind(("127.0.0.1", self.o.udp))
        tcp = socket.socket()
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tcp.bind(("127.0.0.1", self.o.tcp))
        tcp.listen()
        for sock in (udp, tcp):
            sock.setblocking(False)
            wait.register(sock, selectors.EVENT_READ)
        print("mouse host ready, screen %dx%d" % (self.width, self.height), file=sys.stderr, flush=True)
        if not self.o.quiet_start:
            self.tell(**self.pointer(), screen=[self.width, self.height])
        while not self.ends:
            if self.o.frames and time.monotonic() >= self.next_frame:
                self.show()
                self.next_frame = time.monotonic() + 1 / 30
            for key, _ in wait.select(0.005 if self.o.frames else 0.1):
                sock = key.fileobj
                if sock is udp:
                    try:
                        self.packet(udp.recv(65536))
                    except OSError:
                        pass
                elif sock is tcp:
                    connection, _ = tcp.accept()
                    self.streams[connection] = bytearray()
                    wait.register(connection, selectors.EVENT_READ)
                else:
                    try:
                        piece = sock.recv(65536)
                    except OSError:
                        piece = b""
                    if piece:
                        self.take(self.streams[sock], piece)
                    else:
                        wait.unregister(sock)
                        sock.close()
                        del self.streams[sock]


host = MouseHost(options())
signal.signal(signal.SIGTERM, lambda *_: setattr(host, "ends", True))
host.run()
