#!/usr/bin/env python3
"""A TELE phone over UDP (udp-v1) or TCP (tcp-v1), written from tele.md and semantics.md alone.

Where the pages leave a choice there is an option for it; every value of every option is right.
"""
import argparse
import json
import math
import random
import select
import signal
import socket
import struct
import time

MAGIC = b"TELE"
HELLO, ACK, POSE, BYE, HAPTIC = 1, 2, 3, 4, 7
HELLO_EVERY = 0.5
SILENCE = 3.0
POSE_EVERY = 1 / 60


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--udp", help="HOST:PORT of the host")
    p.add_argument("--tcp", help="HOST:PORT of the host")
    p.add_argument("--code", default="ABC123")
    p.add_argument("--impacts", action="store_true", help="plays impacts, not a continuous strength")
    p.add_argument("--single", action="store_true", help="compares strengths in float32")
    p.add_argument("--nan", choices=["zero", "drop"], default="zero")
    p.add_argument("--infinity", choices=["clamp", "drop"], default="clamp")
    p.add_argument("--trailing", choices=["read", "drop"], default="read")
    p.add_argument("--pairs", action="store_true", help="sends poses in pairs")
    p.add_argument("--decimals", type=int, help="strengths are printed with so many decimals")
    p.add_argument("--every", action="store_true", help="prints each value applied, also one that changes nothing")
    p.add_argument("--exit-after-session", action="store_true", help="ends with its first session")
    p.add_argument("--slow-start", type=float, default=0, help="takes so many seconds before it speaks")
    p.add_argument("--first-seq", type=int, default=0)
    p.add_argument("--switch-every", type=float, help="leaves its session after so many seconds, as one that goes to the background, "
                   "and asks for the next from a socket of its own")
    return p.parse_args()


class Phone:
    def __init__(self, opts):
        self.o = opts
        self.tcp = opts.tcp is not None
        host, port = (opts.tcp or opts.udp).rsplit(":", 1)
        self.address = (host, int(port))
        self.sock = None
        self.bytes = b""
        self.ends = False
        self.active = False
        self.strength = 0.0
        self.renew()
        self.next_hello = 0.0
        self.next_connect = 0.0

    def renew(self):
        """What a new session begins with."""
        self.session = random.randrange(1 << 32)
        self.seq = self.o.first_seq
        self.began = self.acked = self.next_pose = time.monotonic()

    # What it shows.

    def tell(self, **what):
        print(json.dumps(what), flush=True)

    def play(self, strength, always=False):
        if strength != self.strength or always:
            self.strength = strength
            shown = strength if self.o.decimals is None else round(strength, self.o.decimals)
            self.tell(motor={"level": shown})

    def haptic(self, value):
        if math.isnan(value):
            if self.o.nan == "drop":
                return
            value = 0.0
        if math.isinf(value) and self.o.infinity == "drop":
            return
        value = 1.0 if value > 1 else value if value > 0 else 0.0
        if not self.o.impacts:
            self.play(value, always=self.o.every)
            return
        steps = [(0.7, "heavy"), (0.4, "medium"), (0.1, "light")]
        for step, style in steps:
            if self.o.single:
                step = struct.unpack("<f", struct.pack("<f", step))[0]
            if value >= step:
                self.tell(impact=style)
                break

    # The session.

    def opened(self):
        self.active = True
        self.began = self.next_pose = time.monotonic()
        self.tell(session="up", id=self.session)

    def lost(self, why):
        if self.active:
            self.active = False
            self.play(0.0)
            self.tell(session="down", id=self.session, because=why)
            self.ends = self.ends or self.o.exit_after_session
        self.renew()

    def message(self, data):
        sizes = {ACK: 12 if self.tcp else 8, HAPTIC: 12, BYE: 10}
        if len(data) < 6 or data[:4] != MAGIC:
            return False
        kind, version = data[4], data[5]
        if version != 1 or kind not in sizes or len(data) < sizes[kind]:
            return True
        if len(data) > sizes[kind] and self.o.trailing == "drop":
            return True
        if kind == ACK and data[6] == 0:
            self.acked = time.monotonic()
            if not self.active:
                self.opened()
        elif kind == ACK and data[6] in (1, 2, 3) and self.tcp and not self.active:
            return False
        elif kind == HAPTIC and self.active:
            self.haptic(struct.unpack_from("<f", data, 6)[0])
        elif kind == BYE and self.tcp and struct.unpack_from("<I", data, 6)[0] == self.session:
            return False
        return True

    # Sockets.

    def send(self, message):
        try:
            if self.tcp:
                self.sock.sendall(struct.pack("<H", len(message)) + message)
            else:
                self.sock.send(message)
        except OSError:
            if self.tcp:
                self.disconnect()

    def connect(self):
        if not self.tcp:
            self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.sock.connect(self.address)
            return
        self.next_connect = time.monotonic() + 0.5
        try:
            self.sock = socket.create_connection(self.address, 1)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.bytes = b""
            self.hello()
        except OSError:
            self.sock = None

    def disconnect(self):
        if self.sock:
            self.sock.close()
        self.sock = None
        self.lost("disconnected")

    def hello(self):
        self.send(MAGIC + bytes([HELLO, 1]) + struct.pack("<I6sH", self.session, self.o.code.encode(), 0))

    def pose(self):
        t = time.monotonic() - self.began
        turn = (0.0, math.sin(t / 4), 0.0, math.cos(t / 4))
        place = (0.2 * math.cos(t), 0.1 * math.sin(2 * t), -0.3)
        start = 1 if self.seq == self.o.first_seq else 0
        micros = int(t * 1e6)
        self.send(MAGIC + bytes([POSE, 1]) + struct.pack("<HQBB7f", self.seq, micros, start, 0, *place, *turn))
        self.seq = (self.seq + 1) % 65536

    def stream(self):
        now = time.monotonic()
        if not self.active or now < self.next_pose:
            return
        count = 2 if self.o.pairs else 1
        for _ in range(count):
            if self.sock:
                self.pose()
        self.next_pose = max(self.next_pose, now - POSE_EVERY) + count * POSE_EVERY

    def receive(self):
        try:
            data = self.sock.recv(65536)
        except OSError:
            if self.tcp:
                self.disconnect()
            return
        if not self.tcp:
            self.message(data)
            return
        if not data:
            self.disconnect()
            return
        self.bytes += data
        while self.sock and len(self.bytes) >= 2:
            length = struct.unpack_from("<H", self.bytes)[0]
            if length < 6:
                self.disconnect()
            elif len(self.bytes) < 2 + length:
                break
            else:
                frame, self.bytes = self.bytes[2:2 + length], self.bytes[2 + length:]
                if not self.message(frame):
                    self.disconnect()

    def leave(self):
        self.send(MAGIC + bytes([BYE, 1]) + struct.pack("<I", self.session))
        self.lost("bye")

    def switch(self):
        """Goes to the background and comes back."""
        self.leave()
        if self.sock:
            self.sock.close()
        self.sock, self.bytes, self.next_hello = None, b"", 0.0

    def run(self):
        time.sleep(self.o.slow_start)
        while not self.ends:
            now = time.monotonic()
            if self.active and self.o.switch_every and now - self.began >= self.o.switch_every:
                self.switch()
            if self.sock is None and now >= self.next_connect:
                self.connect()
            if not self.tcp:
                if self.active and now - self.acked >= SILENCE:
                    self.lost("timeout")
                if now >= self.next_hello:
                    self.hello()
                    self.next_hello = now + HELLO_EVERY
            self.stream()
            if self.sock is None:
                time.sleep(0.005)
            elif select.select([self.sock], [], [], 0.004)[0]:
                self.receive()
        if self.active:
            self.send(MAGIC + bytes([BYE, 1]) + struct.pack("<I", self.session))
            self.play(0.0)
            self.tell(session="down", id=self.session, because="bye")


phone = Phone(options())
signal.signal(signal.SIGTERM, lambda *_: setattr(phone, "ends", True))
phone.run()
